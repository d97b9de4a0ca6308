"""Junction trees are kept, let go, and not made where they are too large."""

import pickle

import numpy as np
import pytest

from qnml import _core, datasets
from qnml.model.inference import engine
from qnml.model.inference.engine import JOINT, MARGINALS, Engine, engine_of
from qnml.model.inference.given import Given


@pytest.fixture
def asia():
    return datasets.load_network("asia")


def test_other_levels_of_the_same_variables_take_the_same_tree(asia):
    ours = engine_of(asia)
    assert engine_of(asia) is ours
    first = ours.tree("call", Given({0: 0}, {}), [1, 2], JOINT, None)
    assert ours.tree("call", Given({0: 1}, {}), [2, 1], JOINT, None) is first
    assert ours.tree("call", Given({0: 0}, {}), [1, 2], MARGINALS, None) is not first
    assert ours.tree("call", Given({}, {0: 0}), [1, 2], JOINT, None) is not first


def test_only_some_trees_are_kept(asia, monkeypatch):
    monkeypatch.setattr(engine, "_MOST_KEPT", 2)
    ours = Engine(asia)
    first = ours.tree("call", Given({}, {}), [0], JOINT, None)
    for node in (1, 2):
        ours.tree("call", Given({}, {}), [node], JOINT, None)
    assert ours.tree("call", Given({}, {}), [0], JOINT, None) is not first


def test_limits_hold_for_new_and_for_kept_trees(asia):
    ours = Engine(asia)
    assert ours.tree("call", Given({}, {}), range(8), MARGINALS, 100.0) is None
    tree = ours.tree("call", Given({}, {}), range(8), MARGINALS, None)
    assert tree.width == 2
    assert ours.tree("call", Given({}, {}), range(8), MARGINALS, 100.0) is None
    assert ours.tree("call", Given({}, {}), range(8), MARGINALS, None, 10.0) is None
    assert ours.tree("call", Given({}, {}), range(8), MARGINALS, 8 * tree.entries) is tree


def test_a_pickled_network_answers_the_same(asia):
    expected = asia.marginals({"xray": "yes"})
    assert pickle.loads(pickle.dumps(asia)).marginals({"xray": "yes"}) == expected


def test_the_core_refuses_what_does_not_fit():
    ours = Engine(datasets.load_network("asia")).tables
    ones, zeros = np.ones(8, np.uint8), np.zeros(8, np.uint8)
    for arguments in [
        (zeros[:3], zeros, ones, 0, 1e6),
        (3 * ones, zeros, ones, 0, 1e6),
        (zeros, zeros, ones, 7, 1e6),
    ]:
        with pytest.raises(ValueError, match=r"one entry per variable|free, seen or set"):
            _core.JunctionTree(ours, *arguments)
    tree = _core.JunctionTree(ours, zeros, ones, ones, 0, 1e6)
    with pytest.raises(ValueError, match="weights need"):
        tree.marginals(np.zeros(8, np.int32), np.zeros(3))
    with pytest.raises(ValueError, match="no level"):
        tree.marginals(np.full(8, 2, np.int32), np.ones(16))
    with pytest.raises(ValueError, match="too large"):
        _core.JunctionTree(ours, zeros, zeros, ones, 0, 3.0).marginals(np.zeros(8, np.int32), np.zeros(0))
    with pytest.raises(ValueError, match="ascend"):
        ours.marginals_of_rows(ones, np.zeros(16, np.int32), np.array([0, 0], np.uint64), 1e6, 1)
