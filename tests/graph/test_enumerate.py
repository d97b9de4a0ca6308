"""All DAGs on a few nodes."""

from __future__ import annotations

import pytest

from qnml.errors import InputError, TooLargeError
from qnml.graph import Dag, all_dags, count_dags


@pytest.mark.parametrize(("n_nodes", "count"), [(0, 1), (1, 1), (2, 3), (3, 25), (4, 543), (5, 29281)])
def test_every_one_once(every_dag, n_nodes, count):
    found = list(all_dags(list("ABCDE")[:n_nodes]))
    assert len(found) == count == count_dags(n_nodes)
    assert set(found) == (set(every_dag(n_nodes)) if n_nodes else {Dag.empty([])})


def test_order():
    masks = [dag.parent_masks for dag in all_dags(["A", "B", "C"])]
    assert masks == sorted(masks)
    assert masks[0] == (0, 0, 0)


def test_published_counts():
    # OEIS A003024.
    assert [count_dags(n) for n in range(6, 10)] == [3781503, 1138779265, 783702329343, 1213442454842881]


def test_too_many_nodes():
    with pytest.raises(TooLargeError, match="6 nodes have 3,781,503 DAGs"):
        all_dags(list("ABCDEF"))
    with pytest.raises(InputError, match=r"count_dags\(n=-1\)"):
        count_dags(-1)
