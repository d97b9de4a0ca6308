"""Results come back in the kind of frame that the data came in."""

import numpy as np
import pandas
import polars
import pyarrow
import pytest

import qnml
from qnml._frames import FRAME_KINDS, frame_kind_of
from qnml.errors import InputError
from qnml.graph import Dag

KINDS = {"polars": polars.DataFrame, "pandas": pandas.DataFrame, "pyarrow": pyarrow.Table}
CELLS = {
    "smoke": ["yes", "no", "no", "yes"] * 5,
    "age": [40, 50, 50, 40] * 5,
    "ill": [True, False, False, True] * 5,
}


def frame_of(kind: str):
    if kind == "polars":
        return polars.DataFrame(CELLS)
    return pandas.DataFrame(CELLS) if kind == "pandas" else pyarrow.table(CELLS)


def results(source) -> dict[str, object]:
    """Everything that has a `to_frame`."""
    table = qnml.read_table(source)
    net = qnml.learn(table, guard="off").fit()
    return {
        "table": table,
        "selected": table.select(["age", "smoke"]).take([0, 1]).with_weights([2, 1]),
        "merged": table.merged(),
        "explanation": qnml.explain(table, "[smoke][age|smoke][ill|smoke]"),
        "k best": qnml.k_best(table, 2, guard="off"),
        "bootstrap": qnml.bootstrap(table, 3, seed=1),
        "posterior": qnml.posterior(table, guard="off"),
        "answer": net.query(["ill", "age"]),
        "marginals": net.marginals(),
        "one of the marginals": net.marginals()["ill"],
        "estimates": net.sampled_marginals(samples=100, seed=1),
        "probabilities": net.table("ill"),
        "rows": net.row_marginals(source),
        "evaluation": net.evaluate(source, "ill"),
        "updated": net.update(table).table("age"),
        "class": net.with_mpdag(None).query("age"),
    }


@pytest.mark.parametrize("kind", FRAME_KINDS)
def test_the_kind_of_the_data(kind):
    for name, result in results(frame_of(kind)).items():
        assert isinstance(result.to_frame(), KINDS[kind]), name


@pytest.mark.parametrize("kind", FRAME_KINDS)
def test_the_kind_that_was_asked_for_has_the_same_cells(kind):
    for name, result in results(CELLS).items():
        assert isinstance(result.to_frame(), polars.DataFrame), name
        made = result.to_frame(kind=kind)
        assert isinstance(made, KINDS[kind]), name
        expected = result.to_frame(kind="polars")
        found = made if kind == "polars" else polars.from_arrow(made) if kind == "pyarrow" else None
        if found is None:
            assert [*made.columns] == expected.columns, name
            for column in expected.columns:
                cells = [None if cell is None or cell != cell else cell for cell in made[column].tolist()]
                if expected[column].dtype == polars.List:
                    cells = [list(cell) for cell in cells]
                assert cells == [None if c is None or c != c else c for c in expected[column].to_list()], (name, column)
        else:
            assert found.cast(dict(expected.schema)).equals(expected), name


def test_a_pandas_frame_comes_back_and_is_read_again():
    frame = pandas.DataFrame({"a": pandas.Categorical(["x", "y", "x"], ["z", "y", "x"]), "b": [True, False, True]})
    table = qnml.read_table(frame)
    back = table.to_frame()
    assert [*back["a"].cat.categories] == ["z", "y", "x"]
    assert qnml.read_table(back) == table
    holed = qnml.read_table(pandas.DataFrame({"a": [1, None, 2], "b": ["x", None, "y"]}), missing="em")
    assert qnml.read_table(holed.to_frame(), missing="em") == holed


def test_kinds():
    assert frame_kind_of(pandas.DataFrame()) == "pandas"
    assert frame_kind_of({}) is None
    assert frame_kind_of(np.zeros((2, 2))) is None
    net = qnml.datasets.load_network("asia")
    assert isinstance(net.marginals().to_frame(), polars.DataFrame)
    assert isinstance(
        qnml.fit(net.sample(50, seed=1), Dag.empty(["asia"])).query("asia").to_frame("p"), polars.DataFrame
    )
    with pytest.raises(InputError, match=r"Marginals.to_frame\(kind='excel'\)"):
        net.marginals().to_frame(kind="excel")
