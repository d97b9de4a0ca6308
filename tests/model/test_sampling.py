"""Sampling: the right distribution, and the same rows for the same seed in any setting."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy import stats

from qnml import _core
from qnml.errors import InputError, TooLargeError
from qnml.graph import Dag
from qnml.model import Network
from qnml.model.sampling import cumulative_rows

MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
BLOCK = 4096


# The reference version of cpp/core/base/random.hpp and cpp/core/model/sampler.cpp.


def mix64(z: int) -> int:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def splitmix64(state: int) -> Iterator[int]:
    while True:
        state = (state + GOLDEN) & MASK
        yield mix64(state)


def xoshiro256(state: list[int]) -> Iterator[int]:
    def rotated(x: int, k: int) -> int:
        return (x << k | x >> (64 - k)) & MASK

    s = list(state)
    while True:
        yield (rotated((s[0] + s[3]) & MASK, 23) + s[0]) & MASK
        shifted = s[1] << 17 & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = rotated(s[3], 45)


def stream(seed: int, k: int) -> Iterator[int]:
    words = splitmix64((mix64((seed + GOLDEN) & MASK) + 4 * k * GOLDEN) & MASK)
    return xoshiro256(list(itertools.islice(words, 4)))


def twin_sample(net: Network, n: int, seed: int) -> dict[str, list[int]]:
    order = net.dag.topological_order()
    drawn: dict[str, list[int]] = {name: [] for name in order}
    for block in range(-(-n // BLOCK)):
        rows = range(block * BLOCK, min(n, (block + 1) * BLOCK))
        for i, name in enumerate(order):
            random = stream(seed, block * len(order) + i)
            for row in rows:
                given = tuple(drawn[parent][row] for parent in net.dag.parents(name))
                distribution = net.table(name)[given]
                u = (next(random) >> 11) / 2**53
                levels = np.cumsum(distribution) / np.cumsum(distribution)[-1]
                drawn[name].append(next(k for k, limit in enumerate(levels) if u < limit))
    return drawn


def random_network(seed: int, n_variables: int = 6, most_levels: int = 12) -> Network:
    generator = np.random.default_rng(seed)
    names = [f"v{i}" for i in range(n_variables)]
    arcs = [(a, b) for a, b in itertools.combinations(generator.permutation(names), 2) if generator.random() < 0.4]
    dag = Dag.from_arcs(names, arcs)
    sizes = {name: int(generator.integers(1, most_levels + 1)) for name in names}
    tables = {}
    for name in names:
        shape = [sizes[parent] for parent in dag.parents(name)]
        table = generator.dirichlet(np.ones(sizes[name]), size=shape)
        table[generator.random(table.shape) < 0.2] = 0.0
        table[..., -1] += 1e-3 * (table.sum(axis=-1) == 0)
        tables[name] = table / table.sum(axis=-1, keepdims=True)
    return Network(dag, {name: range(size) for name, size in sizes.items()}, tables)


def test_twin_generators_give_the_published_values() -> None:
    # Outputs of the authors' programs: SplitMix64 from state 1234567, xoshiro256++ from (1, 2, 3, 4).
    assert list(itertools.islice(splitmix64(1234567), 3)) == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]
    assert list(itertools.islice(xoshiro256([1, 2, 3, 4]), 5)) == [
        41943041,
        58720359,
        3588806011781223,
        3591011842654386,
        9228616714210784205,
    ]


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_core_draws_what_the_twin_draws(seed: int) -> None:
    net = random_network(seed % 1000)
    table = net.sample(BLOCK + 100, seed)
    twin = twin_sample(net, BLOCK + 100, seed)
    for name in net.names:
        assert table.codes(name).tolist() == twin[name]


@pytest.mark.usefixtures("many_cores")
def test_same_seed_same_rows_on_any_number_of_threads() -> None:
    net = random_network(3)
    alone = net.sample(10 * BLOCK + 17, seed=5, n_jobs=1)
    assert net.sample(10 * BLOCK + 17, seed=5, n_jobs=4) == alone
    assert net.sample(10 * BLOCK + 17, seed=6, n_jobs=1) != alone


def test_shorter_sample_is_the_beginning_of_a_longer_one() -> None:
    net = random_network(4)
    longer = net.sample(2 * BLOCK, seed=1)
    for n in (1, 100, BLOCK, BLOCK + 1):
        assert net.sample(n, seed=1) == longer.take(slice(0, n))


def test_without_a_seed_samples_differ() -> None:
    net = random_network(5)
    assert net.sample(100) != net.sample(100)


def joint(net: Network) -> Any:
    """The joint distribution by multiplication, one axis per variable."""
    shape = [len(net.levels[name]) for name in net.names]
    result = np.empty(shape)
    for codes in itertools.product(*map(range, shape)):
        state = dict(zip(net.names, codes, strict=True))
        result[codes] = np.prod(
            [net.table(name)[(*(state[p] for p in net.dag.parents(name)), state[name])] for name in net.names]
        )
    return result


def smallest_p_value(drawn_from: Network, expected: Network, n: int, seed: int) -> float:
    """The smallest of the chi-square p values of all single variables and pairs."""
    table = drawn_from.sample(n, seed)
    exact = joint(expected)
    smallest = 1.0
    axes = range(len(expected.names))
    for kept in [*itertools.combinations(axes, 1), *itertools.combinations(axes, 2)]:
        share = exact.sum(axis=tuple(axis for axis in axes if axis not in kept))
        seen = np.zeros(share.shape)
        np.add.at(seen, tuple(table.codes(axis) for axis in kept), 1)
        possible = share > 0
        assert seen[~possible].sum() == 0
        if possible.sum() > 1:
            smallest = min(smallest, stats.chisquare(seen[possible], n * share[possible]).pvalue)
    return smallest


def shifted(net: Network, name: str, by: float) -> Network:
    tables = {other: net.table(other) for other in net.names}
    moved = tables[name].copy()
    moved[..., 0] -= by
    moved[..., 1] += by
    return Network(net.dag, net.levels, {**tables, name: moved})


def chain() -> Network:
    dag = Dag.from_arcs(["c", "a", "b", "d"], [("a", "b"), ("b", "c"), ("a", "c"), ("c", "d")])
    levels = {"a": [0, 1, 2], "b": [0, 1], "c": [0, 1, 2], "d": [0, 1]}
    tables: dict[str, Any] = {
        "a": [0.5, 0.3, 0.2],
        "b": [[0.9, 0.1], [0.4, 0.6], [1.0, 0.0]],
        "c": [
            [[0.2, 0.3, 0.5], [0.6, 0.2, 0.2]],
            [[0.1, 0.1, 0.8], [0.3, 0.4, 0.3]],
            [[1.0, 0.0, 0.0], [0.5, 0.25, 0.25]],
        ],
        "d": [[0.5, 0.5], [0.25, 0.75], [0.9, 0.1]],
    }
    return Network(dag, levels, tables)


def test_marginals_and_pairs_follow_the_network() -> None:
    assert smallest_p_value(chain(), chain(), 200_000, seed=1) > 1e-4
    wide = random_network(11, n_variables=4, most_levels=9)
    assert smallest_p_value(wide, wide, 200_000, seed=2) > 1e-4


def test_marginals_and_pairs_of_another_network_are_told_apart() -> None:
    # The negative control: the test above must be able to fail.
    assert smallest_p_value(shifted(chain(), "d", 0.01), chain(), 200_000, seed=1) < 1e-6


def test_levels_of_probability_zero_are_never_drawn() -> None:
    levels = {"a": list(range(12)), "b": [0, 1]}
    sure = np.zeros(12)
    sure[7] = 1.0
    net = Network(Dag.empty(["a", "b"]), levels, {"a": sure, "b": [0.0, 1.0]})
    table = net.sample(50_000, seed=1)
    assert set(table.codes("a")) == {7}
    assert set(table.codes("b")) == {1}
    assert table.arities == (12, 2)


def test_cumulative_rows_end_in_one_even_where_the_table_is_rounded() -> None:
    rows = cumulative_rows(np.array([[0.3333333, 0.3333333, 0.3333333, 0.0], [0.1, 0.2, 0.3, 0.4]])).reshape(2, 4)
    assert rows[:, -1].tolist() == [1.0, 1.0]
    assert rows[0, 2] == 1.0
    assert np.allclose(rows[0, :2], [1 / 3, 2 / 3], rtol=0, atol=1e-15)


def test_more_than_256_levels_use_wide_codes() -> None:
    size = 1000
    net = Network(Dag.empty(["a"]), {"a": range(size)}, {"a": np.full(size, 1 / size)})
    codes = net.sample(200_000, seed=1).codes("a")
    assert codes.dtype == np.uint16
    assert stats.chisquare(np.bincount(codes, minlength=size)).pvalue > 1e-4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0}, r"sample\(n=0\)"),
        ({"n": 2.5}, r"n=2\.5"),
        ({"n": True}, "n=True"),
        ({"n": 5, "seed": -1}, "seed=-1"),
        ({"n": 5, "seed": 2**64}, "seed=18446744073709551616"),
        ({"n": 5, "seed": "x"}, "seed='x'"),
        ({"n": 5, "n_jobs": 0}, "n_jobs=0"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        chain().sample(**arguments)


def test_impossible_sizes_are_refused_before_the_work() -> None:
    with pytest.raises(TooLargeError, match="GiB"):
        chain().sample(2**62)


def test_core_refuses_what_does_not_fit() -> None:
    root, none = np.array([0.5, 1.0]), np.zeros(0, dtype=np.uint32)
    two = np.array([2], dtype=np.uint32)

    def draw(parents: Any, levels: Any, tables: Any, columns: Any, rows: int = 3) -> None:
        _core.sample_rows(parents, levels, tables, columns, rows, 0, 1)

    column = np.empty(3, dtype=np.uint8)
    draw([none], two, [root], [column])
    with pytest.raises(ValueError, match="before its child"):
        draw([np.array([0], dtype=np.uint32)], two, [root], [column])
    with pytest.raises(ValueError, match="table does not fit"):
        draw([none], two, [np.array([0.2, 0.5, 1.0])], [column])
    with pytest.raises(ValueError, match="do not fit its column"):
        draw([none], np.array([300], dtype=np.uint32), [np.linspace(0, 1, 300)], [column])
    with pytest.raises(ValueError, match="as long as the rows"):
        draw([none], two, [root], [column], rows=4)
    with pytest.raises(TypeError):
        draw([none], two, [root], [np.empty(3, dtype=np.int64)])
