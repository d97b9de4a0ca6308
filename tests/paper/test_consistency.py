"""The experiment on consistency: nested samples, learned as one by one."""

import pytest

from qnml import datasets, learn, shd
from qnml.paper import consistency
from qnml.paper.seeds import generator


def test_shares_are_those_of_networks_learned_one_by_one(monkeypatch):
    monkeypatch.setattr(consistency, "SIZES", (100, 3000))
    found = consistency.run_chunk("cancer", 1, 2, 5)
    assert dict(found.schema) == consistency.SCHEMA
    assert len(found) == consistency.learnings("cancer", 1) == 8
    truth = datasets.load_network("cancer")
    sample = truth.sample(3000, int(generator(5, "consistency", "cancer", 1).integers(2**63)))
    for row in found.filter(criterion="qNML").iter_rows(named=True):
        learned = learn(sample.take(slice(0, row["size"])), guard="off").dag
        assert row["shd"] == shd(truth.dag, learned)
        assert row["is_true"] == learned.is_equivalent(truth.dag)


@pytest.mark.parametrize("repetitions", [1, 3])
def test_learnings_are_counted(repetitions):
    assert consistency.learnings("asia", repetitions) == repetitions * 9 * 4
