"""Many rows at once: the answers equal those for single rows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.inference import posterior, random_parts, some_parts

from qnml.errors import InputError, TooLargeError, UnknownNameError
from qnml.graph import Dag
from qnml.model import Network, fit
from qnml.model.inference import batch, posterior_batch
from qnml.model.inference.problem import Problem
from qnml.model.inference.relevance import relevance


def network(parts):
    names, arcs, levels, tables = parts
    return Network(Dag.from_arcs(names, arcs), levels, tables)


def codes_of(table):
    return np.stack([table.codes(name).astype(np.int32) for name in table.names], axis=1)


def holed(codes, share, seed):
    return np.where(np.random.default_rng(seed).random(codes.shape) < share, -1, codes)


def evidence(net, row, target):
    return {
        name: net.levels[name][code]
        for name, code in zip(net.names, row.tolist(), strict=True)
        if code >= 0 and name != target
    }


@settings(max_examples=80)
@given(data=st.data())
def test_each_row_is_what_all_states_say(data):
    net = network(data.draw(some_parts(6, 300)))
    target = data.draw(st.sampled_from(net.names))
    sizes = [len(net.levels[name]) for name in net.names]
    rows = data.draw(st.lists(st.tuples(*(st.integers(-2, size - 1) for size in sizes)), min_size=1, max_size=6))
    found = posterior_batch(net, target, np.array(rows))
    for row, shares in zip(rows, found, strict=True):
        seen = {name: code for name, code in zip(net.names, row, strict=True) if code >= 0 and name != target}
        expected = posterior(net, seen, {}, [target])
        if np.isnan(expected).any() and not np.isnan(shares).any():
            # Cells that contradict each other and not the target; see below.
            assert shares.sum() == pytest.approx(1.0)
            continue
        np.testing.assert_allclose(shares, expected, rtol=1e-9, atol=1e-13)


@settings(max_examples=80)
@given(data=st.data())
def test_what_bears_on_the_target_is_what_is_not_separated_from_it(data):
    net = network(data.draw(some_parts(least_levels=2)))
    target = data.draw(st.sampled_from(net.names))
    seen = data.draw(st.lists(st.sampled_from(net.names), unique=True).map(lambda names: {*names} - {target}))
    pattern = np.array([[name in seen for name in net.names]])
    kept = relevance(Problem(net, {}, {}), net.dag.index(target), pattern).seen[0]
    connected = {name for name in seen if not net.dag.d_separated(target, name, seen - {name})}
    assert {name for name, keep in zip(net.names, kept, strict=True) if keep} == connected


@pytest.mark.parametrize("planning", [0, 2**15, 2**60], ids=["all alone", "mixed", "all shared"])
def test_shared_plans_and_own_plans_agree(monkeypatch, planning):
    monkeypatch.setattr(batch, "_PLANNING", planning)
    net = network(random_parts(5, [2, 3, 2, 3, 2, 2, 3], [(0, 2), (1, 2), (2, 3), (2, 4), (4, 5), (3, 6), (0, 6)]))
    codes = holed(codes_of(net.sample(300, seed=1)), 0.4, 2)
    shared = []
    original = batch._Question.answers

    def watched(self, *arguments):
        shared.append(bool(self.vectors))
        return original(self, *arguments)

    monkeypatch.setattr(batch._Question, "answers", watched)
    found = posterior_batch(net, "v2", codes)
    assert any(shared) == (planning > 0)
    for row, shares in list(zip(codes, found, strict=True))[::7]:
        np.testing.assert_allclose(shares, net.query("v2", evidence(net, row, "v2")).values, rtol=1e-10, atol=1e-13)


def test_small_blocks_and_chunks_make_no_difference(monkeypatch):
    net = network(random_parts(8, [2, 3, 2, 3, 2], [(0, 2), (1, 2), (2, 3), (2, 4)]))
    codes = holed(codes_of(net.sample(500, seed=1)), 0.3, 3)
    whole = posterior_batch(net, "v2", codes)
    monkeypatch.setattr(batch, "_BLOCK_ENTRIES", 1)
    monkeypatch.setattr(batch, "_CHUNK_CELLS", 35)
    np.testing.assert_allclose(posterior_batch(net, "v2", codes), whole, rtol=1e-13)


def test_estimated_network():
    generator = np.random.default_rng(1)
    rows = {f"x{number}": generator.integers(0, 3, 200) for number in range(4)}
    rows["y"] = (rows["x0"] + rows["x1"] + (generator.random(200) < 0.2)) % 3
    net = fit(rows, Dag.from_modelstring("[x0][x1][x2|y][x3|y:x0:x1][y|x0:x1]"))
    codes = holed(np.stack([rows[name] for name in net.names], axis=1), 0.3, 4)
    for row, shares in zip(codes, posterior_batch(net, "y", codes), strict=True):
        np.testing.assert_allclose(shares, net.query("y", evidence(net, row, "y")).values, rtol=1e-10)


def test_extreme_rows_do_not_underflow():
    """The same contradiction of tiny numbers as for a single query, in some rows of many."""
    names = ["class", *(f"f{number}" for number in range(400)), "proxy"]
    levels = {name: ["no", "yes"] for name in names} | {"class": ["a", "b", "c"]}
    feature = [[0.1, 0.9], [0.9, 0.1], [0.9, 0.1]]
    tables = dict.fromkeys(names, feature) | {"class": [0.5, 0.1, 0.4], "proxy": [[1.0, 0.0], [0.5, 0.5], [0.2, 0.8]]}
    net = Network(Dag.from_arcs(names, [("class", name) for name in names[1:]]), levels, tables)
    codes = np.ones((3, len(names)), dtype=int)
    codes[1, -1] = 0
    codes[2, -1] = -1
    found = posterior_batch(net, "class", codes)
    np.testing.assert_allclose(found, [[0, 5 / 37, 32 / 37], [1, 0, 0], [1, 0, 0]], rtol=1e-11, atol=1e-300)


def test_contradictory_rows_are_nan():
    net = Network(
        Dag.from_modelstring("[a][b|a][c|b]"),
        {name: ["n", "y"] for name in "abc"},
        {"a": [0.5, 0.5], "b": [[1.0, 0.0], [0.0, 1.0]], "c": [[1.0, 0.0], [0.25, 0.75]]},
    )
    found = posterior_batch(net, "b", np.array([[0, -1, 1], [1, -1, 0], [-1, 0, -2]]))
    assert np.isnan(found[0]).all()
    assert found[1:].tolist() == [[0.0, 1.0], [0.5, 0.5]]
    # Given b, the dependence of a and b does not affect c.
    assert posterior_batch(net, "c", np.array([[0, 1, -1]])).tolist() == [[0.25, 0.75]]
    assert np.isnan(net.query("c", {"a": "n", "b": "y"}, impossible="nan").values).all()


def test_corners():
    net = network(random_parts(2, [2, 1, 3], [(0, 1), (1, 2), (0, 2)], 0.0))
    assert posterior_batch(net, "v0", np.empty((0, 3), dtype=int)).shape == (0, 2)
    assert posterior_batch(net, "v1", np.full((4, 3), -1)).tolist() == [[1.0]] * 4
    alone = posterior_batch(net, "v2", np.array([[-1, -1, 2], [-1, 0, 0]]))
    np.testing.assert_allclose(alone, [net.query("v2").values] * 2, rtol=1e-14)
    seen = posterior_batch(net, "v2", np.array([[1, -1, -1], [1, 0, 0]], dtype=np.int8))
    np.testing.assert_allclose(seen, [net.query("v2", {"v0": "l1"}).values] * 2, rtol=1e-14)


@pytest.mark.parametrize(
    ("target", "codes", "kind", "message"),
    [
        ("v9", [[0, 0, 0]], UnknownNameError, "target='v9'.*Known: v0"),
        ("v0", [[0, 0]], InputError, r"shape \(1, 2\).*rows × 3 variables"),
        ("v0", [[0.0, 0.0, 0.0]], InputError, "float64"),
        ("v0", [[0, 1, 0]], InputError, "codes=1.*below 1 for the variable 'v1'"),
    ],
)
def test_wrong_codes_are_refused(target, codes, kind, message):
    net = network(random_parts(2, [2, 1, 3], [(0, 1), (1, 2)]))
    with pytest.raises(kind, match=message):
        posterior_batch(net, target, np.array(codes))


def test_too_large_is_refused():
    roots = [f"r{number}" for number in range(30)]
    rows = {name: np.random.default_rng(1).integers(0, 2, 50) for name in [*roots, "c"]}
    net = fit(rows, Dag.from_arcs([*roots, "c"], [(root, "c") for root in roots]))
    codes = np.full((2, 31), -1)
    codes[:, -1] = 1
    with pytest.raises(TooLargeError, match=r"posterior_batch: .*Induced width 29"):
        posterior_batch(net, "r0", codes, memory_limit=1e9)
    codes[:, 2:] = 1
    assert posterior_batch(net, "r0", codes, memory_limit=1e9).sum() == pytest.approx(2.0)
