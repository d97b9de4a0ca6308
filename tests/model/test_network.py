"""Network: its content, refused arguments, equality and copies."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from qnml.errors import InputError, UnknownNameError
from qnml.graph import Dag
from qnml.model import Network

LEVELS = {"rain": ["no", "yes"], "sprinkler": ["off", "on"], "wet": ["dry", "damp", "wet"]}
TABLES: dict[str, Any] = {
    "rain": [0.8, 0.2],
    "sprinkler": [0.5, 0.5],
    "wet": [[[0.9, 0.1, 0.0], [0.2, 0.5, 0.3]], [[0.1, 0.4, 0.5], [0.0, 0.1, 0.9]]],
}


def garden(**changes: Any) -> Network:
    dag = Dag.from_arcs(["rain", "sprinkler", "wet"], [("rain", "wet"), ("sprinkler", "wet")])
    return Network(dag, LEVELS, {**TABLES, **changes})


def test_parts_come_back_as_given() -> None:
    net = garden()
    assert net.names == ("rain", "sprinkler", "wet")
    assert net.dag.arcs == (("rain", "wet"), ("sprinkler", "wet"))
    assert net.levels["wet"] == ("dry", "damp", "wet")
    assert net.table("wet").shape == (2, 2, 3)
    assert net.table("wet")[1, 0].tolist() == [0.1, 0.4, 0.5]
    assert net.n_parameters == 1 + 1 + 4 * 2
    assert repr(net) == "Network(3 variables, 2 arcs, 10 parameters)"


def test_nothing_can_be_changed_from_outside() -> None:
    given = np.array([0.8, 0.2])
    net = garden(rain=given)
    given[0] = 0.0
    assert net.table("rain").tolist() == [0.8, 0.2]
    with pytest.raises(ValueError, match="read-only"):
        net.table("rain")[0] = 0.5
    with pytest.raises(TypeError):
        net.levels["rain"] = ("a", "b")  # type: ignore[index]
    with pytest.raises(AttributeError):
        net.dag = Dag.empty(["rain"])  # type: ignore[misc]
    annotated = Network(net.dag, LEVELS, TABLES, {"comments": ["one"]})
    annotated.properties["comments"].append("two")
    assert annotated.properties == {"comments": ["one"]}


def test_equality_looks_at_every_part_but_the_annotations() -> None:
    net = garden()
    assert net == garden()
    assert hash(net) == hash(garden())
    assert net == Network(net.dag, LEVELS, TABLES, {"name": "garden"})
    assert net != garden(rain=[0.8 + 1e-12, 0.2 - 1e-12])
    assert net != Network(net.dag, {**LEVELS, "rain": ["yes", "no"]}, TABLES)
    assert net != Network(net.dag.remove_arc("rain", "wet"), LEVELS, {**TABLES, "wet": TABLES["wet"][0]})
    assert net != "a network"


def test_allclose_takes_small_differences_only() -> None:
    assert garden().allclose(garden(rain=[0.8 + 1e-10, 0.2 - 1e-10]))
    assert not garden().allclose(garden(rain=[0.8 + 1e-8, 0.2 - 1e-8]))
    assert garden().allclose(garden(rain=[0.81, 0.19]), tolerance=0.02)


def test_copies_and_pickles_are_equal_and_still_read_only() -> None:
    net = Network(garden().dag, LEVELS, TABLES, {"name": "garden"})
    for again in (pickle.loads(pickle.dumps(net)), copy.deepcopy(net)):
        assert again == net
        assert again.properties == {"name": "garden"}
        assert not again.table("wet").flags.writeable


def test_labels_may_be_numbers_and_booleans() -> None:
    net = Network(Dag.empty(["a", "b"]), {"a": [1, 2], "b": [False, True]}, {"a": [0.5, 0.5], "b": [0.5, 0.5]})
    assert net.levels["a"] == (1, 2)
    assert net.sample(5, seed=1).levels["b"] == (False, True)


def test_rows_off_by_rounding_are_made_to_sum_to_one() -> None:
    net = Network(Dag.empty(["a"]), {"a": ["x", "y", "z"]}, {"a": [0.3333333] * 3})
    assert net.table("a").tolist() == pytest.approx([1 / 3] * 3, rel=1e-15)
    tenths = [0.1] * 10  # which sum to one less an ulp
    net = Network(Dag.empty(["a"]), {"a": range(10)}, {"a": tenths})
    assert net.table("a").tolist() == tenths


def test_annotations_that_nest_too_deep_or_hold_themselves_are_refused() -> None:
    deep: list[object] = []
    for _ in range(900):
        deep = [deep]
    circle: dict[str, object] = {}
    circle["again"] = circle
    for properties in ({"a": deep}, circle):
        with pytest.raises(InputError, match=r"Network\(properties\): .*nested more than 100 deep"):
            Network(Dag.empty(["a"]), {"a": ["x"]}, {"a": [1.0]}, properties)


def test_variables_have_names() -> None:
    with pytest.raises(InputError, match="at least one character"):
        Dag.empty(["a", ""])
    with pytest.raises(InputError, match="distinct"):
        Dag.empty(["a", "b", "a"])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rain": [0.8, 0.3]}, r"tables\['rain'\].*sum to 1\.1"),
        ({"rain": [1.2, -0.2]}, r"tables\['rain'\].*-0\.2.*negative"),
        ({"rain": [float("nan"), 0.2]}, r"tables\['rain'\].*nan"),
        ({"rain": [float("inf"), 0.2]}, r"tables\['rain'\].*sum to inf"),
        ({"rain": [0.2, 0.3, 0.5]}, r"tables\['rain'\].*shape is \(3,\), must be \(2,\)"),
        ({"rain": [["a"], ["b"]]}, r"tables\['rain'\].*array of numbers"),
        ({"rain": [[0.5, 0.5], [1.0]]}, r"tables\['rain'\].*array of numbers"),
        ({"wet": [[0.9, 0.1, 0.0]] * 4}, r"shape is \(4, 3\), must be \(2, 2, 3\).*rain, sprinkler, wet"),
        (
            {"wet": [[[0.9, 0.1, 0.0], [0.2, 0.5, 0.3]], [[0.1, 0.4, 0.4], [0.0, 0.1, 0.9]]]},
            r"given \{'rain': 'yes', 'sprinkler': 'off'\} sum to 0\.9",
        ),
        ({"snow": [0.5, 0.5]}, "snow.*unknown"),
    ],
)
def test_bad_tables_are_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        garden(**changes)


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ({"a": []}, "no levels"),
        ({"a": ["x", "x"]}, "repeat 'x'"),
        ({"a": [1, "1"]}, "repeat '1'"),
        ({"a": "xy"}, "list of labels"),
        ({}, "no entry for the variable 'a'"),
        ({"a": ["x", "y"], "b": ["x"]}, "'b'.*unknown"),
    ],
)
def test_bad_levels_are_refused(levels: dict[str, list[str]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Network(Dag.empty(["a"]), levels, {"a": [0.5, 0.5]})


def test_missing_table_and_empty_graph_are_refused() -> None:
    with pytest.raises(InputError, match="no entry for the variable 'a'"):
        Network(Dag.empty(["a"]), {"a": ["x", "y"]}, {})
    with pytest.raises(InputError, match="at least one variable"):
        Network(Dag.empty([]), {}, {})


def test_unknown_variable_suggests_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'sprinkler'"):
        garden().table("sprinkle")
