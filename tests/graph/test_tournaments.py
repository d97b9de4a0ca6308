"""Networks made of tournaments."""

from __future__ import annotations

from math import comb, factorial

import networkx
import pytest

from qnml.errors import InputError
from qnml.graph import count_tournament_networks, is_tournament_union


def test_published_sequence():
    # OEIS A000262.
    published = [1, 1, 3, 13, 73, 501, 4051, 37633, 394353, 4596553, 58941091, 824073141]
    assert [count_tournament_networks(n) for n in range(12)] == published


@pytest.mark.parametrize("n", [1, 2, 17, 60])
def test_by_sets_of_lists(n):
    # k lists out of n things: n!/k! ways to cut an order of them into k non-empty pieces, C(n-1, k-1) cuts.
    assert count_tournament_networks(n) == sum(
        factorial(n) // factorial(k) * comb(n - 1, k - 1) for k in range(1, n + 1)
    )


@pytest.mark.parametrize("n_nodes", [1, 2, 3, 4])
def test_every_small_graph(every_dag, n_nodes):
    found = 0
    for dag in every_dag(n_nodes):
        graph = networkx.Graph(dag.arcs)
        graph.add_nodes_from(dag.names)
        parts = [graph.subgraph(part) for part in networkx.connected_components(graph)]
        complete = all(part.number_of_edges() == comb(part.number_of_nodes(), 2) for part in parts)
        assert is_tournament_union(dag) == complete
        found += complete
    assert found == count_tournament_networks(n_nodes)


def test_bad_arguments():
    with pytest.raises(InputError, match=r"count_tournament_networks\(n=-1\)"):
        count_tournament_networks(-1)
    with pytest.raises(InputError, match=r"count_tournament_networks\(n=2\.0\)"):
        count_tournament_networks(2.0)
    with pytest.raises(InputError, match=r"is_tournament_union\(dag="):
        is_tournament_union([("A", "B")])
