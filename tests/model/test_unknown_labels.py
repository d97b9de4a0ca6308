"""Columns that do not match a network are refused; a few unknown labels are not."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.data import Table
from qnml.errors import DataError
from qnml.graph import Dag
from qnml.model import Network, fit
from qnml.model.matching import MISSING, UNKNOWN, match_columns, match_rows
from qnml.model.unknown_labels import FEWEST_CELLS

NET = Network(
    Dag.from_arcs(["a", "b"], [("a", "b")]),
    {"a": ["x", "y"], "b": [0, 1, 2]},
    {"a": [0.5, 0.5], "b": [[0.8, 0.1, 0.1], [0.2, 0.5, 0.3]]},
)
RULES = ("uniform", "raise")


@given(st.lists(st.sampled_from(["x", "y", "new", "other", None]), max_size=40))
def test_a_column_is_refused_exactly_if_most_of_its_cells_are_unknown(cells: list[str | None]) -> None:
    observed = [cell for cell in cells if cell is not None]
    unknown = [cell for cell in observed if cell not in ("x", "y")]
    if len(observed) >= FEWEST_CELLS and len(unknown) > len(observed) / 2:
        for rule in RULES:
            with pytest.raises(DataError, match=rf"a column does not match.*'a', {len(unknown)} of {len(observed)} "):
                match_rows(NET, {"a": cells}, "test", unknown=rule)  # type: ignore[arg-type]
        return
    matched = match_columns(NET, {"a": cells}, "test")
    assert matched.columns[0] is not None
    codes = [MISSING if cell is None else {"x": 0, "y": 1}.get(cell, UNKNOWN) for cell in cells]
    assert matched.columns[0].tolist() == codes
    assert [(one.name, one.cells, one.observed) for one in matched.unknown] == (
        [("a", len(unknown), len(observed))] if unknown else []
    )
    assert all(set(one.labels) == set(unknown) for one in matched.unknown)


def test_one_new_label_in_one_row_is_answered() -> None:
    assert NET.predict_proba({"b": [7]}, "a").tolist() == [[0.5, 0.5]]
    with pytest.raises(DataError, match="column 'b' holds labels that the network does not know: 7"):
        NET.predict_proba({"b": [7]}, "a", unknown="raise")


def test_every_column_that_does_not_match_is_named_with_what_to_do() -> None:
    rows: dict[str, Any] = {"a": ["X", "Y"] * 10, "b": np.arange(20) + 0.5}
    calls = [
        lambda: NET.log_prob(rows),
        lambda: NET.score(rows),
        lambda: NET.predict(rows, "a"),
        lambda: NET.evaluate(rows, "a"),
        lambda: fit({"a": ["x", "y"], "b": [0, 1]}, NET).update(rows),
    ]
    for call in calls:
        with pytest.raises(
            DataError, match=r"not match the network.*'b', 20 of 20 cells, such as '0.5', '1.5', '2.5', '3.5' "
        ):
            call()
    with pytest.raises(DataError, match=r"2 columns do not match.*'a', 20 of 20.*known: 'x', 'y'\); 'b'.*leave them"):
        NET.log_prob(rows)


def test_under_raise_one_error_names_every_column() -> None:
    with pytest.raises(DataError, match=r"'a'.*'new'\. Known: 'x', 'y'\. Column 'b'.*3\..*unknown='uniform'"):
        NET.log_prob({"a": ["x", "new"], "b": [0, 3]}, unknown="raise")
    with pytest.raises(DataError, match=r"Network\.update: column 'a'.*Leave out those rows, or fit all rows anew\."):
        fit({"a": ["x", "y"], "b": [0, 1]}, NET).update({"a": ["x", "new"], "b": [0, 1]})


def test_the_target_that_is_compared_may_have_any_labels() -> None:
    rows = {"a": ["yes"] * 20 + ["x"], "b": [0] * 21}
    for rule in RULES:
        found = NET.evaluate(rows, "a", unknown=rule)  # type: ignore[arg-type]
        assert found.unknown_cells == {"a": 20}
        assert found.judgement is not None
        assert found.judgement.rows == 1
    assert NET.predict(rows, "a").tolist() == ["x"] * 21


def test_weights_count_as_repeated_rows() -> None:
    rows = Table.from_codes([[0, 1, 1]], ["a"], [["new", "x"]], weights=[30, 2, 1])
    with pytest.raises(DataError, match="'a', 30 of 33 cells"):
        match_rows(NET, rows, "test")
    (found,) = match_columns(NET, rows.with_weights([1, 2, 30]), "test").unknown
    assert (found.labels, found.cells, found.observed) == (("new",), 1, 33)
