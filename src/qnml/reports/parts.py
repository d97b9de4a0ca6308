"""Layout that several pages share: lines, grids and readable numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rich import box
from rich.table import Table as Grid
from rich.text import Text

from qnml.reports.preparation import preparation_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import RenderableType

    from qnml.reports.fact_parts import Facts

__all__ = [
    "arc_text",
    "condition_lines",
    "count",
    "data_lines",
    "edge_text",
    "file_lines",
    "grid",
    "large",
    "line",
    "network_text",
    "overfull",
    "prepared_lines",
    "source_text",
    "visible",
]

_LARGEST_IN_FULL = 10**15
_MOST_NAMES = 12


def visible(text: object) -> str:
    """Escape characters that a terminal would interpret: names and labels come from untrusted files."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii") for letter in str(text)
    )


def line(text: str) -> Text:
    """A line of text in which nothing is a control sequence or markup."""
    return Text(visible(text))


def grid(heads: Sequence[tuple[str, str]], rows: Iterable[Sequence[object]]) -> Grid:
    """A table; each head comes with the alignment of its column, ``"left"`` or ``"right"``."""
    drawn = Grid(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=True)
    for head, side in heads:
        justify: Any = side
        drawn.add_column(Text(head), justify=justify, overflow="fold")
    for row in rows:
        # Text and not str: names such as "[b]" must not be taken for rich's markup.
        drawn.add_row(*(Text(visible(cell)) for cell in row))
    return drawn


def source_text(data: Facts) -> str:
    """The source of a table; the command line names standard input ``-``."""
    return "standard input" if data["source"] == "-" else str(data["source"])


def data_lines(data: Facts) -> list[RenderableType]:
    """The source of a table, its size, and what was done to its columns."""
    if "families" in data:
        return [line(f"{source_text(data)}: {data['families']:,} families of {count(data['variables'], 'variable')}")]
    size = f"{source_text(data)}: {count(data['total'], 'row')}, {count(data['variables'], 'column')}"
    settings = data.get("interventions") or {}
    listed = ", ".join(f"{name} ({rows:,})" for name, rows in settings.items())
    said = [f"Set in some rows: {listed}"] if settings else []
    return [line(size), *map(line, preparation_sentences(data["preparation"])), *map(line, said)]


def network_text(network: Facts) -> str:
    """The source of a network and its size."""
    return f"{network['source']}: {count(network['variables'], 'variable')}, {count(network['arcs'], 'arc')}"


def condition_lines(facts: Facts) -> list[RenderableType]:
    """A network with the evidence and the interventions under which it is used."""
    lines = [network_text(facts["network"])]
    for word, settings in (("Given", facts["evidence"]), ("Set", facts["do"])):
        if settings:
            lines.append(f"{word}: {', '.join(_setting_text(name, label) for name, label in settings.items())}")
    for name, weights in facts.get("likelihood", {}).items():
        lines.append(f"Likelihood of {name}: {', '.join(f'{label} {weight:g}' for label, weight in weights.items())}")
    if facts["raw"]:
        levels = {**facts["evidence"], **facts["do"]}
        lines.append(
            "Raw values: " + ", ".join(f"{name} {raw} is {levels[name]}" for name, raw in facts["raw"].items())
        )
    return [line(text) for text in lines]


def _setting_text(name: str, label: Any) -> str:
    if isinstance(label, dict):
        return f"{name} is not {' or '.join(label['not'])}"
    return f"{name} = {' or '.join(label) if isinstance(label, list) else label}"


def prepared_lines(entries: Sequence[Facts]) -> list[RenderableType]:
    """What was done to raw columns, in one line; none if nothing was."""
    by_done: dict[str, list[str]] = {}
    for entry in entries:
        by_done.setdefault(entry["done"], []).append(entry["column"])
    if not by_done:
        return []
    parts = [f"{done}: {_listed(names)}" for done, names in by_done.items()]
    return [line(f"Prepared as in the data the network was learned from: {'; '.join(parts)}.")]


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more


def arc_text(arc: Facts) -> str:
    """An arc such as ``a -> b``."""
    return f"{arc['parent']} -> {arc['child']}"


def edge_text(edge: Facts) -> str:
    """A directed or an undirected edge: ``a -> b`` or ``a -- b``, which every terminal can show."""
    return f"{edge['first']} {'->' if edge['directed'] else '--'} {edge['second']}"


def file_lines(files: Iterable[Facts]) -> list[RenderableType]:
    """The files that were written, one line each."""
    return [line(f"Written: {file['path']} ({file['holds']})") for file in files]


def overfull(families: Sequence[Facts], total: int) -> list[RenderableType]:
    """A warning about over-full families; empty if there are none."""
    if not families:
        return []
    heads = [("variable", "left"), ("parents", "left"), ("cells", "right"), ("log Z", "right")]
    rows = [
        (family["child"], ", ".join(family["parents"]), large(family["cells"]), _log_z(family["log_z"]))
        for family in families
    ]
    return [
        line(
            f"Over-full families have more cells than half the {total} rows. The qNML penalty saturates there, so "
            "that such a family can win without any dependence; log Z > 0 means that it gains from this."
        ),
        grid(heads, rows),
    ]


def _log_z(value: float | None) -> str:
    return "–" if value is None else f"{value:z.3f}"


def count(number: int, word: str) -> str:
    """``1 row``, ``2 rows``."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def large(number: int) -> str:
    """An integer of any size; beyond 15 digits as its order of magnitude."""
    if number < _LARGEST_IN_FULL:
        return str(number)
    # log10 takes integers beyond the largest double, too.
    return f"about 10^{math.log10(number):.0f}"
