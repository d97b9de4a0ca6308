"""The table of probabilities that a query returns."""

import pickle

import numpy as np
import polars as pl
import pytest

from qnml.errors import InputError, UnknownNameError
from qnml.model.inference import Distribution


@pytest.fixture
def pair():
    return Distribution({"b": (False, True), "n": (3, 4, 5)}, np.array([[0.1, 0.2, 0.0], [0.05, 0.25, 0.4]]))


def test_one_variable_by_label():
    wet = Distribution({"wet": ("no", "yes")}, np.array([0.25, 0.75]))
    assert (wet["no"], wet["yes"], wet[("yes",)]) == (0.25, 0.75, 0.75)
    assert wet.to_dict() == {"no": 0.25, "yes": 0.75}
    assert list(wet) == ["no", "yes"]
    assert wet.argmax() == "yes"
    assert repr(wet) == "Distribution(wet: no 0.25, yes 0.75)"


def test_several_variables_by_tuple(pair):
    assert pair.names == ("b", "n")
    assert pair.levels == {"b": (False, True), "n": (3, 4, 5)}
    assert pair[True, 5] == 0.4
    assert pair["False", "4"] == 0.2
    assert pair.argmax() == (True, 5)
    assert len(pair) == 6
    assert pair.to_dict()[False, 3] == 0.1
    assert list(pair.to_dict().values()) == pair.values.reshape(-1).tolist()


def test_booleans_are_not_numbers():
    mixed = Distribution({"m": (0, "True", 2)}, np.array([0.2, 0.3, 0.5]))
    assert mixed[True] == 0.3
    assert mixed[0] == 0.2
    with pytest.raises(UnknownNameError):
        mixed[False]


def test_frame(pair):
    frame = pair.to_frame()
    assert frame.columns == ["b", "n", "probability"]
    assert frame.dtypes[0] == pl.Boolean
    assert frame.row(4) == (True, 4, 0.25)
    assert frame["probability"].sum() == pytest.approx(1.0)
    text = Distribution({"x": ("no", "yes")}, np.array([0.5, 0.5])).to_frame("p")
    assert text["x"].dtype == pl.Enum(["no", "yes"])
    with pytest.raises(InputError, match="a name that no variable has"):
        pair.to_frame("n")


def test_frame_takes_names_that_look_like_patterns():
    frame = Distribution({"^a$": ("no", "yes"), "^.*$": (1,)}, np.array([[0.25], [0.75]])).to_frame("^p$")
    assert frame.columns == ["^a$", "^.*$", "^p$"]
    assert frame.rows() == [("no", 1, 0.25), ("yes", 1, 0.75)]


@pytest.mark.parametrize(
    ("key", "message"), [((True,), "one label for each of b, n"), ((True, 6), "Known: 3, 4, 5"), ("x", "one label")]
)
def test_wrong_keys_are_refused(pair, key, message):
    with pytest.raises(InputError, match=message):
        pair[key]


def test_it_does_not_change(pair):
    with pytest.raises(ValueError, match="read-only"):
        pair.values[0, 0] = 1.0
    pair.levels["b"] = ()
    assert pair.levels["b"] == (False, True)
    assert pickle.loads(pickle.dumps(pair)) == pair
    with pytest.raises(TypeError):
        hash(pair)


def test_equality_and_shape(pair):
    assert pair == Distribution(pair.levels, pair.values)
    assert pair != Distribution(pair.levels, pair.values[::-1])
    assert pair != "pair"
    with pytest.raises(InputError, match=r"shape \(2, 3\)"):
        Distribution(pair.levels, np.ones(6))
    assert "… 12 in all" in repr(Distribution({"x": tuple(range(12))}, np.full(12, 1 / 12)))


def test_errors_are_short_whatever_the_names():
    long = "y" * 10_000
    found = Distribution({long: ("no", "yes")}, np.array([0.5, 0.5]))
    wrong = [
        lambda: Distribution({long: ("",)}, np.ones(2)),
        lambda: Distribution({long: 3}, np.ones(1)),
        lambda: found["maybe"],
        lambda: found["no", "yes"],
    ]
    for call in wrong:
        with pytest.raises(InputError) as caught:
            call()
        assert len(str(caught.value)) < 1000
