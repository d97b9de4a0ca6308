"""Networks of hundreds of variables: answered within 2 GB or refused with the width, both quickly."""

import time

import numpy as np
import pytest

from qnml import datasets
from qnml.errors import TooLargeError

SECONDS = 60
"""Far above what they take (about a second), for slow machines."""


@pytest.fixture(params=["munin", "link", "pigs"], scope="module")
def network(request, data_folder):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QNML_DATA", str(data_folder))
        return datasets.load_network(request.param)


def some_evidence(net, count):
    row = net.sample(1, seed=1)
    names = np.random.default_rng(1).permutation(net.names)[:count]
    return {str(name): row.labels(str(name))[0] for name in names}


def soon(ask):
    start = time.monotonic()
    answer = ask()
    assert time.monotonic() - start < SECONDS
    return answer


@pytest.mark.parametrize("count", [0, 10, 200])
def test_queries(network, count):
    evidence = some_evidence(network, count)
    for target in network.names[:: len(network.names) // 6]:
        found = soon(lambda target=target: network.query(target, evidence, memory_limit=2e9))
        assert found.values.sum() == pytest.approx(1.0, abs=1e-12)


def test_evidence_and_explanation_of_everything(network):
    evidence = some_evidence(network, 40)
    log_evidence = soon(lambda: network.log_evidence(evidence, memory_limit=2e9))
    explained = soon(lambda: network.most_probable(evidence, memory_limit=2e9))
    assert explained[1] < log_evidence < 0.0
    # By looking up the row: the explanation has the stated probability.
    looked_up = network.log_prob({name: [str(label)] for name, label in explained[0].items()})
    assert looked_up[0] == pytest.approx(explained[1], abs=1e-4)


def test_rows_under_evidence(network):
    evidence = some_evidence(network, 40)
    table = soon(lambda: network.sample(2000, seed=1, evidence=evidence, memory_limit=2e9))
    assert all(set(table.labels(name)) == {label} for name, label in evidence.items())
    assert np.isfinite(network.log_prob(table)).all()


def test_a_joint_distribution_of_too_many_is_refused(network):
    targets = network.names[:: len(network.names) // 60]
    with pytest.raises(TooLargeError, match=r"Induced width \d+; the largest table has .* entries"):
        soon(lambda: network.query(targets))
