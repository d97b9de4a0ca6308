"""`MarkovBlanketSelector`: the blanket of a known network, frames in and out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import qnml
from qnml.sklearn import MarkovBlanketSelector


def test_the_blanket_of_a_known_network() -> None:
    """Twenty thousand rows of asia are enough for the parents, children and spouse of "either"."""
    frame = qnml.datasets.sample("asia", 20_000, seed=2).to_frame()
    selector = MarkovBlanketSelector().fit(frame.drop("either"), frame["either"])
    assert set(selector.blanket_) == set(qnml.datasets.load_network("asia").dag.markov_blanket("either"))
    assert selector.get_feature_names_out().tolist() == list(selector.blanket_)


def test_frames_and_arrays_come_back_as_they_came(frame: pl.DataFrame) -> None:
    X, y = frame.drop("tree"), frame["tree"]
    enums = X.with_columns(pl.col("shade").cast(pl.Enum(["dark", "middle", "pale"])))
    pandas = pd.DataFrame({name: X[name].to_list() for name in X.columns}, index=range(5, 305))
    kinds: list[tuple[Any, Any]] = [
        (enums, enums.select("shade", "size")),
        (enums.lazy(), enums.select("shade", "size")),
        (X.to_arrow(), X.select("shade", "size").to_arrow()),
    ]
    for given, expected in kinds:
        got = MarkovBlanketSelector().fit_transform(given, y)
        assert type(got) is type(expected)
        assert got.equals(expected)
    pd.testing.assert_frame_equal(MarkovBlanketSelector().fit_transform(pandas, y), pandas[["shade", "size"]])
    array = pandas.to_numpy(dtype=object)
    selector = MarkovBlanketSelector().fit(array, y)
    np.testing.assert_array_equal(selector.transform(array), array[:, 1:])
    assert selector.get_support().tolist() == [False, True, True]
    assert selector.get_support(indices=True).tolist() == [1, 2]
    assert selector.blanket_ == ("X2", "X3")
    np.testing.assert_array_equal(selector.inverse_transform(array[:, 1:])[:, 1:], array[:, 1:])


@pytest.mark.parametrize("wanted", ["pandas", "polars"])
@pytest.mark.parametrize("given", ["pandas", "polars", "array"])
def test_set_output(frame: pl.DataFrame, wanted: str, given: str) -> None:
    codes = frame.drop("tree").select(pl.all().rank("dense").cast(pl.Int64))
    X = {"polars": codes, "pandas": pd.DataFrame(codes.to_dict()), "array": codes.to_numpy()}[given]
    got = MarkovBlanketSelector().set_output(transform=wanted).fit_transform(X, frame["tree"])
    assert type(got) is {"pandas": pd.DataFrame, "polars": pl.DataFrame}[wanted]
    assert list(got.columns) == (["x1", "x2"] if given == "array" else ["shade", "size"])
    np.testing.assert_array_equal(got.to_numpy(), codes.to_numpy()[:, 1:])


@pytest.mark.parametrize("library", ["polars", "array"])
def test_an_empty_blanket_is_warned_of(library: str) -> None:
    generator = np.random.default_rng(4)
    array, y = generator.integers(0, 2, (200, 3)), generator.integers(0, 2, 200)
    X = pl.DataFrame(array, ["a", "b", "c"], orient="row") if library == "polars" else array
    selector = MarkovBlanketSelector().fit(X, y)
    with pytest.warns(UserWarning, match="No features were selected"):
        assert selector.transform(X).shape[1] == 0


def test_knowledge_and_weights_are_used(frame: pl.DataFrame) -> None:
    X, y = frame.drop("tree"), frame["tree"]
    forced = MarkovBlanketSelector(knowledge=qnml.Knowledge(required=[("tree", "coin")])).fit(X, y)
    assert forced.blanket_ == ("coin", "shade", "size")
    few = np.zeros(300, dtype=int)
    few[:5] = 1
    assert MarkovBlanketSelector(guard="cap").fit(X, y, sample_weight=few).blanket_ == ()
