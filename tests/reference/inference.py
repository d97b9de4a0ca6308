"""Exact inference by enumeration of all states of the variables.

A network is anything with ``names``, ``levels[name]``, ``table(name)`` and ``dag.parents(name)``.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["joint", "posterior", "random_parts", "settings_for", "some_parts", "states"]


def states(net: Any, seen: Mapping[str, int], forced: Mapping[str, int]) -> Iterator[tuple[dict[str, int], float]]:
    """Every state that agrees with the evidence and intervention, with its probability (truncated factorisation)."""
    for codes in itertools.product(*(range(len(net.levels[name])) for name in net.names)):
        state = dict(zip(net.names, codes, strict=True))
        if any(state[name] != code for name, code in (*seen.items(), *forced.items())):
            continue
        probability = 1.0
        for name in net.names:
            if name in forced:
                continue
            distribution = net.table(name)[tuple(state[parent] for parent in net.dag.parents(name))]
            probability *= distribution[state[name]] / math.fsum(distribution)
        yield state, probability


def joint(net: Any, seen: Mapping[str, int], forced: Mapping[str, int], names: Sequence[str]) -> Any:
    """Joint probabilities of some variables and the evidence; they sum to the probability of the evidence."""
    table = np.zeros([len(net.levels[name]) for name in names])
    for state, probability in states(net, seen, forced):
        table[tuple(state[name] for name in names)] += probability
    return table


def posterior(net: Any, seen: Mapping[str, int], forced: Mapping[str, int], names: Sequence[str]) -> Any:
    """The distribution of some variables; NaN if the evidence is impossible."""
    table = joint(net, seen, forced, names)
    return table / table.sum() if table.sum() > 0 else np.full(table.shape, np.nan)


def random_parts(
    seed: int, sizes: Sequence[int], arcs: Sequence[tuple[int, int]], share_of_zeros: float = 0.2
) -> tuple[list[str], list[tuple[str, str]], dict[str, list[str]], dict[str, Any]]:
    """Names, arcs, levels and tables drawn at random, parents in the order of the names."""
    generator = np.random.default_rng(seed)
    names = [f"v{number}" for number in range(len(sizes))]
    tables = {}
    for number, name in enumerate(names):
        shape = [sizes[parent] for parent, child in sorted(arcs) if child == number]
        table = generator.dirichlet(np.ones(sizes[number]), size=shape)
        table[generator.random(table.shape) < share_of_zeros] = 0.0
        table[..., 0] += table.sum(axis=-1) == 0.0
        tables[name] = table / table.sum(axis=-1, keepdims=True)
    levels = {name: [f"l{code}" for code in range(size)] for name, size in zip(names, sizes, strict=True)}
    return names, [(names[parent], names[child]) for parent, child in arcs], levels, tables


@st.composite
def some_parts(draw: Any, most_variables: int = 8, most_states: int = 1500, least_levels: int = 1) -> Any:
    """Parts of networks of some variables with up to 4 levels, any structure, some probabilities zero."""
    sizes = draw(st.lists(st.integers(least_levels, 4), min_size=1, max_size=most_variables))
    while math.prod(sizes) > most_states:
        sizes[sizes.index(max(sizes))] -= 1
    # An order of the variables in which arcs go forward, so that parents may come after children in the list.
    order = draw(st.permutations(range(len(sizes))))
    pairs = list(itertools.combinations(order, 2))
    arcs = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=14)) if pairs else []
    return random_parts(draw(st.integers(0, 2**32 - 1)), sizes, arcs, draw(st.sampled_from([0.0, 0.3])))


@st.composite
def settings_for(draw: Any, net: Any, most: int = 3) -> dict[str, int]:
    """Codes of some variables."""
    names = draw(st.lists(st.sampled_from(net.names), unique=True, max_size=min(most, len(net.names))))
    return {name: draw(st.integers(0, len(net.levels[name]) - 1)) for name in names}
