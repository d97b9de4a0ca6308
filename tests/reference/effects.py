"""Effects of interventions by multiplying all tables of a network: slow and obvious."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["joint_of", "member_effect", "random_tables"]


def random_tables(dag: Any, levels: Mapping[str, Sequence[Any]], seed: int) -> dict[str, np.ndarray]:
    """Conditional tables without zeros and without chance equalities."""
    chance = np.random.default_rng(seed)
    tables = {}
    for name in dag.names:
        shape = [len(levels[other]) for other in (*dag.parents(name), name)]
        values = chance.random(shape) + 0.1
        tables[name] = values / values.sum(axis=-1, keepdims=True)
    return tables


def joint_of(net: Any) -> np.ndarray:
    """The joint distribution, one axis for each variable in the order of the network."""
    return _product(net.dag, {name: net.table(name) for name in net.names}, net.names)


def member_effect(joint: np.ndarray, member: Any, do: Mapping[str, int]) -> np.ndarray:
    """The joint distribution under an intervention, if a network has a given structure and a given joint distribution.

    The tables of the structure come from the joint distribution; those of the variables that are set are left out.
    """
    names = member.names
    tables = {}
    for name in names:
        if name in do:
            table = np.zeros(joint.shape[names.index(name)])
            table[do[name]] = 1.0
            tables[name] = np.broadcast_to(
                table, [joint.shape[names.index(other)] for other in (*member.parents(name), name)]
            )
            continue
        family = (*member.parents(name), name)
        places = [names.index(other) for other in family]
        counts = joint.sum(axis=tuple(place for place in range(len(names)) if place not in places))
        # Summing leaves the axes in the order of the network.
        counts = np.transpose(counts, [sorted(places).index(place) for place in places])
        tables[name] = counts / counts.sum(axis=-1, keepdims=True)
    return _product(member, tables, names)


def _product(dag: Any, tables: Mapping[str, np.ndarray], names: Sequence[str]) -> np.ndarray:
    operands: list[Any] = []
    for name in names:
        operands += [tables[name], [names.index(other) for other in (*dag.parents(name), name)]]
    return np.einsum(*operands, list(range(len(names))))
