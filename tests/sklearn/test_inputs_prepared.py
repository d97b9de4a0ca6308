"""Estimators whose table was prepared: new rows are raw, and columns that were left out are still columns of X."""

from __future__ import annotations

import pickle
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from reference.preparations import entry, thirds
from sklearn.base import clone
from sklearn.datasets import load_iris

from qnml import Preparation
from qnml.errors import DataError, InputError
from qnml.sklearn import BayesNet, BayesNetClassifier, MarkovBlanketSelector, inputs

if TYPE_CHECKING:
    from collections.abc import Callable

NUMBERS, CLASSES = load_iris(return_X_y=True)
# The second column numbers the rows and is left out.
ROWS = np.column_stack([NUMBERS[:, 0], np.arange(150.0), NUMBERS[:, 1:]])
NAMES = ("sepal length", "row", "sepal width", "petal length", "petal width")
DEFAULT = tuple(f"X{place + 1}" for place in range(5))


def preparation(names: tuple[str, ...]) -> Preparation:
    columns = {name: cells for name, cells in zip(names, ROWS.T, strict=True) if name != names[1]}
    binned = thirds({**columns, "y": CLASSES}, "y").restricted([*columns])
    return Preparation([binned.columns[0], entry(names[1], "drop"), *binned.columns[1:]])


@pytest.fixture
def prepares(monkeypatch: pytest.MonkeyPatch) -> Callable[[tuple[str, ...]], None]:
    """Let estimators prepare the table of `fit` for columns with the given names."""

    def prepare(names: tuple[str, ...]) -> None:
        made = preparation(names)

        def read(source: Any, *, weights: Any, prepare: str, missing: str) -> Any:
            assert (prepare, missing) == ("strict", "em")
            return made.apply(source, weights=weights)

        monkeypatch.setattr(inputs, "read_table", read)

    return prepare


CONTAINERS: dict[str, tuple[tuple[str, ...], Callable[[np.ndarray], Any]]] = {
    "array": (DEFAULT, lambda rows: rows),
    "pandas": (NAMES, lambda rows: pd.DataFrame(rows, columns=NAMES)),
    "numbered": (("0", "1", "2", "3", "4"), pd.DataFrame),
    "polars": (NAMES, lambda rows: pl.DataFrame(rows, schema=list(NAMES))),
    "arrow": (NAMES, lambda rows: pa.table(dict(zip(NAMES, rows.T, strict=True)))),
}


@pytest.mark.parametrize("kind", CONTAINERS)
def test_a_classifier_predicts_raw_rows(kind: str, prepares: Callable[[tuple[str, ...]], None]) -> None:
    names, contained = CONTAINERS[kind]
    prepares(names)
    model = BayesNetClassifier().fit(contained(ROWS), CLASSES)
    assert model.dag_.names == (*(name for name in names if name != names[1]), "y")
    assert model.network_.preparation.dropped == (names[1],)
    found = model.predict_proba(contained(ROWS))
    assert (model.classes_[found.argmax(axis=1)] == CLASSES).mean() > 0.9
    # The same by levels, given to the network.
    levels = preparation(names).apply(dict(zip(names, ROWS.T, strict=True)))
    assert np.array_equal(found, model.network_.predict_proba(levels, "y"))
    # What was left out does not matter.
    other = ROWS.copy()
    other[:, 1] = -7.5
    assert np.array_equal(model.predict_proba(contained(other)), found)
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict_proba(contained(ROWS)), found)
    assert not hasattr(clone(model), "network_")


@pytest.mark.filterwarnings("ignore:X (has|does not have) ")
@pytest.mark.parametrize(("first", "second"), [("array", "pandas"), ("pandas", "array"), ("polars", "array")])
def test_columns_are_matched_by_position_between_containers(
    first: str, second: str, prepares: Callable[[tuple[str, ...]], None]
) -> None:
    names, contained = CONTAINERS[first]
    prepares(names)
    model = BayesNetClassifier().fit(contained(ROWS), CLASSES)
    assert np.array_equal(model.predict(CONTAINERS[second][1](ROWS)), model.predict(contained(ROWS)))


@pytest.mark.parametrize("kind", CONTAINERS)
def test_a_density_takes_raw_rows_and_draws_levels(kind: str, prepares: Callable[[tuple[str, ...]], None]) -> None:
    names, contained = CONTAINERS[kind]
    prepares(names)
    model = BayesNet(random_state=1).fit(contained(ROWS))
    levels = preparation(names).apply(dict(zip(names, ROWS.T, strict=True)))
    assert np.array_equal(model.score_samples(contained(ROWS)), model.network_.log_prob(levels))
    assert model.adjacency_matrix_.shape == (4, 4)
    drawn = model.sample(20)
    kept = [name for name in names if name != names[1]]
    if kind == "array":
        assert drawn.shape == (20, 4)
    elif kind == "numbered":
        assert list(drawn.columns) == [0, 2, 3, 4]
    else:
        assert list(drawn.column_names if kind == "arrow" else drawn.columns) == kept


def test_a_selector_keeps_columns_of_its_input(prepares: Callable[[tuple[str, ...]], None]) -> None:
    for kind in ("array", "pandas"):
        names, contained = CONTAINERS[kind]
        prepares(names)
        selector = MarkovBlanketSelector().fit(contained(ROWS), CLASSES)
        support = selector.get_support()
        assert support.shape == (5,)
        assert not support[1]
        assert [name for name, kept in zip(names, support, strict=True) if kept] == [
            name for name in names if name in selector.blanket_
        ]
        assert np.array_equal(np.asarray(selector.transform(contained(ROWS))), ROWS[:, support])


def test_missing_cells_and_unseen_values(prepares: Callable[[tuple[str, ...]], None]) -> None:
    prepares(NAMES)
    contained = CONTAINERS["pandas"][1]
    model = BayesNetClassifier(handle_unknown="raise").fit(contained(ROWS), CLASSES)
    far, holed = ROWS.copy(), ROWS.copy()
    far[0, 2:] = [1e9, -1e9, np.inf]
    holed[0, 2:] = np.nan
    assert np.isfinite(model.predict_proba(contained(far))).all()
    shares = model.predict_proba(contained(holed))
    rest = model.network_.predict_proba({"sepal length": ROWS[:1, 0]}, "y")
    assert np.allclose(shares[0], rest[0], rtol=1e-12)


def test_the_target_does_not_take_the_name_of_a_column_that_was_left_out(
    prepares: Callable[[tuple[str, ...]], None],
) -> None:
    names = ("a", "y", "b", "c", "d")
    prepares(names)
    frame = pd.DataFrame(ROWS, columns=names)
    model = BayesNetClassifier().fit(frame, CLASSES)
    assert model.target_name_ == "y_"
    assert (model.predict(frame) == CLASSES).mean() > 0.9


def test_weights_are_kept_with_the_target(prepares: Callable[[tuple[str, ...]], None]) -> None:
    prepares(NAMES)
    contained = CONTAINERS["pandas"][1]
    weights = np.arange(150) % 3
    model = BayesNetClassifier().fit(contained(ROWS), CLASSES, sample_weight=weights)
    repeated = BayesNetClassifier().fit(contained(ROWS.repeat(weights, axis=0)), CLASSES.repeat(weights))
    assert model.network_ == repeated.network_
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(contained(ROWS))


@pytest.mark.parametrize("container", sorted(CONTAINERS))
def test_raw_rows_are_prepared_by_rules(container: str) -> None:
    names, make = CONTAINERS[container]
    holed = ROWS.copy()
    holed[::10, 4] = np.nan
    X = make(holed)
    model = BayesNetClassifier(prepare="auto").fit(X, CLASSES)
    made = model.result_.table.preparation
    assert made.dropped == (names[1],)
    assert made.columns[names[0]].action == "bin"
    assert model.network_.preparation is not None
    assert (model.predict(make(ROWS)) == CLASSES).mean() > 0.9
    assert (model.predict(X) == CLASSES).mean() > 0.85
    density = BayesNet(prepare="auto").fit(make(ROWS))
    assert np.isfinite(density.score_samples(make(ROWS))).all()
    selector = MarkovBlanketSelector(prepare="auto").fit(make(ROWS), CLASSES)
    assert not selector.get_support()[1]
    assert selector.transform(make(ROWS)).shape == (150, len(selector.blanket_))


def test_the_preparation_is_a_setting_like_others() -> None:
    assert clone(BayesNetClassifier(prepare="auto")).get_params()["prepare"] == "auto"
    with pytest.raises(DataError, match="prepare='auto' bins them"):
        BayesNetClassifier().fit(NUMBERS, CLASSES)
    with pytest.raises(InputError, match=r"BayesNet\(prepare='Auto'\).*Known: strict, auto"):
        BayesNet(prepare="Auto").fit(NUMBERS)
