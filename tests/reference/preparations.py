"""Networks that record how their data were prepared: an example, random ones, and a reference version of the rules."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st

from qnml import ColumnPreparation, Network, Preparation
from qnml.graph import Dag

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["BINS", "PREPARATION", "RAW", "entry", "example", "plain_code", "prepared_networks", "thirds"]

BINS = ("(-inf, 30]", "(30, 50]", "(50, inf)")


def entry(name: str, action: Any, **fields: Any) -> ColumnPreparation:
    """The preparation of one column, without its description."""
    return ColumnPreparation(name, "text", 10, 0, 5, action, "A test.", **fields)


PREPARATION = Preparation(
    [
        entry("id", "drop"),
        entry("age", "bin", levels=BINS, cuts=(30.0, 50.0), bins=BINS),
        entry("town", "merge", levels=("Bonn", "Rome", "(other)"), kept_levels=("Bonn", "Rome"), other="(other)"),
        entry("sex", "keep", levels=("f", "m", "?"), missing_label="?", missing="category"),
        entry("score", "keep", levels=(1, 2)),
    ],
    missing="category",
    n_rows=10,
)

RAW: dict[str, list[Any]] = {
    "id": [1, 2, 3, 4, 5],
    "age": [-1e9, 30, 30.5, 50, 1e9],
    "town": ["Rome", "Oslo", "Bonn", "new", "Rome"],
    "sex": ["f", None, "m", "m", "f"],
    "score": [1, 2, 1, 2, 2],
}


def example() -> Network:
    """A network over the columns above, with arcs and dense tables."""
    names = ["age", "town", "sex", "score"]
    dag = Dag.from_arcs(names, [("age", "town"), ("town", "score"), ("sex", "score")])
    levels = {name: PREPARATION.columns[name].levels or () for name in names}
    generator = np.random.default_rng(4)
    tables = {
        name: generator.dirichlet(np.ones(len(levels[name])), size=[len(levels[p]) for p in dag.parents(name)])
        for name in names
    }
    return Network(dag, levels, tables, preparation=PREPARATION)


def plain_code(how: ColumnPreparation | None, levels: Sequence[object], cell: object) -> int:
    """The level number of one cell: -1 if it is missing, -2 if the network does not have the level."""
    if cell is None or cell != cell:
        cell = None if how is None else how.missing_label
        if cell is None:
            return -1
    elif how is not None and how.action == "bin":
        assert how.cuts is not None
        assert how.bins is not None
        if cell not in how.bins and cell != how.missing_label and not isinstance(cell, bool):
            try:
                number = float(cell)  # type: ignore[arg-type]
            except ValueError:
                number = math.nan
            if number == number:
                cell = how.bins[sum(number > cut + how.slack for cut in how.cuts)]
    elif how is not None and how.action == "merge":
        known = [*(how.kept_levels or ()), how.other, how.missing_label]
        cell = next((label for label in known if str(label) == str(cell)), how.other)
    for number_of_level, level in enumerate(levels):
        if type(level) is type(cell) and level == cell:
            return number_of_level
    texts = [*map(str, levels)]
    return texts.index(str(cell)) if str(cell) in texts else -2


def thirds(columns: dict[str, np.ndarray], target: str) -> Preparation:
    """Three bins of equal frequency for every column but one, which is kept."""
    made = []
    for name, cells in columns.items():
        if name == target:
            made.append(entry(name, "keep", levels=tuple(sorted(set(cells.tolist())))))
            continue
        cuts = tuple(float(cut) for cut in np.quantile(cells, [1 / 3, 2 / 3], method="inverted_cdf"))
        low, high = map(str, cuts)
        bins = (f"(-inf, {low}]", f"({low}, {high}]", f"({high}, inf)")
        made.append(entry(name, "bin", levels=bins, cuts=cuts, bins=bins))
    return Preparation(made, n_rows=len(columns[target]))


@st.composite
def prepared_networks(draw: st.DrawFn, text: st.SearchStrategy[str], *, has_numbers: bool = True) -> Network:
    """Any small network with any preparation: binned, merged and kept columns, some with a level for missing cells."""
    names = draw(st.lists(text.filter(bool), min_size=2, max_size=5, unique=True))
    n_dropped = draw(st.integers(0, 1))
    labels = text | st.integers(-3, 3) if has_numbers else text
    columns = [entry(name, "drop") for name in names[:n_dropped]]
    columns += [draw(_columns(name, text, labels)) for name in names[n_dropped:]]
    if len(columns) > 2 and draw(st.booleans()):
        source = draw(st.sampled_from(names[:-1]))
        fields = {"levels": ("no", "yes"), "of": source}
        columns[-1] = ColumnPreparation(names[-1], "indicator", 10, 0, 2, "indicate", "Indicated.", **fields)
    order = draw(st.permutations(names[n_dropped:]))
    arcs = [pair for pair in itertools.combinations(order, 2) if draw(st.booleans())]
    dag = Dag.from_arcs(names[n_dropped:], arcs)
    levels = {column.name: column.levels for column in columns if column.levels is not None}
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    tables = {
        name: generator.dirichlet(np.ones(len(levels[name])), size=[len(levels[p]) for p in dag.parents(name)])
        for name in dag.names
    }
    missing = draw(st.sampled_from(["raise", "drop", "category"]))
    n_rows = draw(st.integers(0, 2**53))
    return Network(dag, levels, tables, preparation=Preparation(columns, missing=missing, n_rows=n_rows))


@st.composite
def _columns(draw: st.DrawFn, name: str, text: st.SearchStrategy[str], labels: Any) -> ColumnPreparation:
    action = draw(st.sampled_from(["keep", "bin", "merge"]))
    some = st.lists(text if action == "bin" else labels, min_size=2, max_size=4, unique_by=str)
    *given, last = draw(some)
    missing_label = last if draw(st.booleans()) and len(given) > 1 else None
    levels = tuple(given) if missing_label is None else (*given, missing_label)
    fields: dict[str, Any] = {"levels": levels, "missing_label": missing_label, "reason": draw(text)}
    if action == "bin":
        finite = st.floats(allow_nan=False, allow_infinity=False)
        cuts = sorted(draw(st.lists(finite, min_size=len(given) - 1, max_size=len(given) - 1, unique=True)))
        slack = draw(st.just(0.0) | st.floats(0, 1e-3))
        fields |= {"bins": tuple(given), "cuts": tuple(cuts), "slack": slack}
    elif action == "merge":
        fields |= {"kept_levels": tuple(given[:-1]), "other": given[-1]}
    reason = fields.pop("reason")
    kind = draw(st.sampled_from(["text", "integer", "real", "declared"]))
    return ColumnPreparation(name, kind, 10, 2, 5, action, reason, missing="category", **fields)
