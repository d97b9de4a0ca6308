"""The junction tree of a network as plain lists, for programs that pass messages themselves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from qnml.model.inference.engine import MARGINALS, engine_of
from qnml.model.inference.given import checked_given

if TYPE_CHECKING:
    from qnml.model.network import Network

__all__ = ["CliqueTree", "clique_tree"]


@dataclass(frozen=True)
class CliqueTree:
    """Cliques of variable numbers in increasing order, and the edges between them.

    Attributes
    ----------
    cliques : the cliques; the family of every variable of more than one level lies in one. Variables of one level are
        in all of them.
    edges : pairs of clique numbers; they form a tree on every connected part of the network.
    cells : the number of cells of the tables of all cliques.
    """

    cliques: tuple[tuple[int, ...], ...]
    edges: tuple[tuple[int, int], ...]
    cells: int


def clique_tree(net: Network) -> CliqueTree | None:
    """The tree that answers questions about all variables; None if its tables do not fit into the memory.

    Parameters
    ----------
    net
        The network.
    """
    call = "clique_tree"
    everything = range(len(net.names))
    tree = engine_of(net).tree(call, checked_given(call, net, None, None, None), everything, MARGINALS, None)
    if tree is None:
        return None
    levels = [len(net.levels[name]) for name in net.names]
    # The core leaves variables of one level out; in every clique they do no harm, and every family finds its own.
    constant = [node for node, count in enumerate(levels) if count == 1]
    found = [variables for variables, _ in tree.cliques] or [[]]
    cliques = tuple(tuple(sorted([*variables, *constant])) for variables in found)
    edges = tuple((parent, number) for number, (_, parent) in enumerate(tree.cliques) if parent >= 0)
    return CliqueTree(cliques, edges, sum(math.prod(levels[one] for one in clique) for clique in cliques))
