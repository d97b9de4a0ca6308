"""Estimated marginals: near the exact ones by their own standard errors, and the same on any number of threads."""

import pickle

import numpy as np
import pytest

import qnml
from qnml import datasets
from qnml.errors import InputError, UnknownNameError

QUESTIONS = [
    {},
    {"evidence": {"dysp": "yes"}},
    {"evidence": {"dysp": "yes", "smoke": ["yes", "no"]}, "likelihood": {"xray": {"yes": 0.9, "no": 0.2}}},
    {"evidence": {"xray": "yes"}, "do": {"smoke": "yes"}},
    {"evidence": {"bronc": qnml.AnyBut("no")}},
]


@pytest.fixture
def asia():
    return datasets.load_network("asia")


@pytest.mark.parametrize("given", QUESTIONS)
def test_estimates_are_within_their_errors(asia, given):
    exact = asia.marginals(**given)
    found = asia.sampled_marginals(**given, samples=200_000, seed=1)
    for name in asia.names:
        gap = np.abs(found.values_of(name) - exact.values_of(name))
        assert (gap <= 4.5 * found.errors_of(name) + 1e-12).all(), name
        assert found.values_of(name).sum() == pytest.approx(1.0)
    assert found.log_evidence == pytest.approx(exact.log_evidence, abs=0.05)
    assert 100 < found.effective_samples <= 200_000 * (1 + 1e-9)


def test_standard_errors_are_the_spread_over_seeds(asia):
    question = {"evidence": {"dysp": "yes"}, "targets": ["lung"], "samples": 2000}
    found = [asia.sampled_marginals(**question, seed=seed) for seed in range(200)]
    spread = np.std([one.values_of("lung")[0] for one in found])
    assert np.mean([one.errors_of("lung")[0] for one in found]) == pytest.approx(spread, rel=0.2)


def test_threads_and_seeds(asia):
    one, two = (asia.sampled_marginals({"xray": "yes"}, samples=5000, seed=3, n_jobs=jobs) for jobs in (1, 2))
    assert one == two
    assert one != asia.sampled_marginals({"xray": "yes"}, samples=5000, seed=4)
    assert list(asia.sampled_marginals(targets=["lung", "asia"], samples=100, seed=1)) == ["lung", "asia"]


def test_they_are_shown_with_their_error(asia):
    found = asia.sampled_marginals({"xray": "yes"}, samples=5000, seed=3)
    assert "estimated from 5,000 rows" in repr(found)
    assert found.to_frame().columns == ["variable", "level", "probability", "standard_error"]
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert again.errors_of("lung").tolist() == found.errors_of("lung").tolist()


def test_what_is_refused(asia):
    with pytest.raises(InputError, match="none of 1000 drawn rows"):
        asia.sampled_marginals({"lung": "yes", "either": "no"}, samples=1000, seed=1)
    with pytest.raises(InputError, match="samples=5"):
        asia.sampled_marginals(samples=5)
    with pytest.raises(UnknownNameError, match="lung"):
        asia.sampled_marginals(samples=100, seed=1).errors_of("lng")
