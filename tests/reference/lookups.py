"""Random networks with dense and sparse tables, and reference versions of looking rows up in them."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from qnml.graph import Dag
from qnml.model import Network, SparseTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["all_rows", "plain_conditional", "plain_posterior", "plain_probability", "random_network"]

UNKNOWN = -2


def random_network(
    seed: int, n_nodes: int, *, most_levels: int = 3, most_parents: int = 3, zeros: bool = False
) -> Network:
    """A network with about half of its tables sparse; sparse ones have an uneven distribution for the unlisted."""
    generator = np.random.default_rng(seed)
    names = [f"V{i}" for i in range(n_nodes)]
    order = generator.permutation(n_nodes)
    arcs = []
    for place, child in enumerate(order):
        parents = generator.permutation(order[:place])[: generator.integers(0, most_parents + 1)]
        arcs += [(names[parent], names[child]) for parent in parents]
    dag = Dag.from_arcs(names, arcs)
    levels = {name: [f"l{k}" for k in range(generator.integers(1, most_levels + 1))] for name in names}
    tables = {}
    for name in names:
        shape = [len(levels[parent]) for parent in dag.parents(name)]
        configs = np.array(list(itertools.product(*map(range, shape))), dtype=np.int32)
        configs = configs.reshape(math.prod(shape), len(shape))
        rows = generator.dirichlet(np.ones(len(levels[name])), size=len(configs) + 1)
        if zeros:
            rows[generator.random(rows.shape) < 0.3] = 0.0
            rows[rows.sum(axis=1) == 0.0] = 1.0
            rows /= rows.sum(axis=1, keepdims=True)
        if generator.random() < 0.5:
            listed = np.flatnonzero(generator.random(len(configs)) < 0.6)
            generator.shuffle(listed)
            tables[name] = SparseTable(configs[listed], rows[listed], rows[-1])
        else:
            tables[name] = rows[:-1].reshape([*shape, len(levels[name])])
    return Network(dag, levels, tables)


def all_rows(net: Network) -> Iterator[tuple[int, ...]]:
    """Every row of codes that the levels allow."""
    return itertools.product(*(range(len(net.levels[name])) for name in net.names))


def plain_conditional(net: Network, name: str, row: Sequence[int]) -> float:
    """Probability of one cell given its parents, by looking for the configuration in a list."""
    codes = dict(zip(net.names, row, strict=True))
    table, r = net.conditional(name), len(net.levels[name])
    if codes[name] == UNKNOWN:
        return 1 / r
    config = [codes[parent] for parent in net.dag.parents(name)]
    if not isinstance(table, SparseTable):
        if UNKNOWN in config:
            return 1 / r
        return float(table.values[(*config, codes[name])])
    for listed, shares in zip(table.configs.tolist(), table.rows.tolist(), strict=True):
        if listed == config:
            return shares[codes[name]]
    return float(table.unseen[codes[name]])


def plain_probability(net: Network, row: Sequence[int]) -> float:
    """Probability of a row, unknown cells by the stated rule."""
    return math.prod(plain_conditional(net, name, row) for name in net.names)


def plain_posterior(net: Network, target: str, row: Sequence[int | None]) -> list[float]:
    """Distribution of a variable: the sum over the rows that agree with the observed cells. None is a missing cell."""
    place = net.names.index(target)
    weights = [0.0] * len(net.levels[target])
    choices = [
        range(len(net.levels[name])) if cell is None or number == place else [cell]
        for number, (name, cell) in enumerate(zip(net.names, row, strict=True))
    ]
    for full in itertools.product(*choices):
        weights[full[place]] += plain_probability(net, full)
    total = math.fsum(weights)
    return [weight / total if total else math.nan for weight in weights]
