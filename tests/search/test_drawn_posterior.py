"""Posteriors from sums and from chains, fed with what enumeration knows; and the choice of a method."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from reference.structure_problems import make_problem, widened

import qnml
from qnml.errors import InputError, TooLargeError
from qnml.graph import enumerate_class
from qnml.graph.structure_arrays import all_parent_masks
from qnml.search import Plan, SearchProblem
from qnml.search.chains.posterior import ChainPosterior
from qnml.search.posterior import methods as posterior_methods
from qnml.search.posterior.drawn_structures import Draws, share_error
from qnml.search.posterior.enumerate_structures import run
from qnml.search.posterior.family_weights import dag_log_weights
from qnml.search.posterior.proven_rankings import outweigh_the_rest
from qnml.search.posterior.structure_posterior import RunOptions, ScoredStructure
from qnml.search.posterior.summed_posterior import SummedPosterior


@pytest.fixture(scope="module")
def problem() -> SearchProblem:
    generator = np.random.default_rng(1)
    columns = [generator.integers(0, 2, 60)]
    for _ in range(3):
        columns.append(np.where(generator.random(60) < 0.35, columns[-1], generator.integers(0, 2, 60)))
    return make_problem(qnml.Table.from_codes(columns, names=list("abcd")))


@pytest.fixture(scope="module")
def exact(problem):
    return run(problem, RunOptions(None, 0))


@dataclass
class Sums:
    """The sums of an enumeration, with nothing said about paths."""

    enumerated: object

    @property
    def log_total(self):
        return self.enumerated.log_total

    @property
    def edges(self):
        return self.enumerated.edges.values

    @property
    def error_bound(self):
        return 1e-15

    ancestors = None
    discrepancy = 0.0

    def parent_sets(self, child):
        return self.enumerated.parent_sets(child)

    def sample_dags(self, count, seed):
        return self.enumerated.sample_dags(count, seed)


@dataclass
class Chains:
    """Independent draws, passed off as chains that are worth a quarter of their length."""

    problem: SearchProblem
    enumerated: object
    count: int = 4000

    def __post_init__(self):
        self.dags = self.enumerated.sample_dags(self.count, 3)
        self.effective_sizes = np.full((4, 4), self.count / 4)
        self.diagnostics = {"r_hat": 1.0}
        self.state = {"where": "here"}
        draws = Draws(self.problem, tuple(self.dags), self.count / 4)
        self.edges, self.adjacencies, self.ancestors = draws.edges(), draws.adjacencies(), draws.ancestors()


@pytest.fixture(scope="module")
def summed(problem, exact):
    return SummedPosterior(problem, Sums(exact), RunOptions(4000, 5))


@pytest.fixture(scope="module")
def chained(problem, exact):
    return ChainPosterior(problem, Chains(problem, exact))


def within_error(estimate, truth, times=5.0):
    return np.all(np.abs(estimate.values - truth) <= times * estimate.standard_errors + 1e-15)


def test_weights_of_single_dags(problem, exact):
    dags = list(map(tuple, all_parent_masks(4).tolist()))
    assert np.allclose(dag_log_weights(problem, dags), exact.log_weights, rtol=1e-13)
    sparse = replace(problem, prior="sparse")
    assert np.allclose(dag_log_weights(sparse, dags), run(sparse, RunOptions(None, 0)).log_weights, rtol=1e-13)


def test_sums_are_exact_and_paths_have_errors(summed, exact):
    assert summed.edges.standard_errors is None
    assert np.array_equal(summed.adjacencies.values, exact.adjacencies.values)
    assert summed.log_total == exact.log_total
    for child in range(4):
        assert dict(summed.parent_sets(child)) == pytest.approx(dict(exact.parent_sets(child)), abs=1e-14)
    assert within_error(summed.ancestors, exact.ancestors.values)
    # Negative control: the error is no excuse for everything.
    assert not within_error(summed.ancestors, exact.ancestors.values + 0.1 * (1 - np.eye(4)))


def test_chains_are_estimates_throughout(chained, exact):
    for name in ("edges", "adjacencies", "ancestors"):
        found, truth = getattr(chained, name), getattr(exact, name).values
        assert within_error(found, truth)
        assert not within_error(found, truth + 0.2 * (1 - np.eye(4)))
        assert not np.diag(found.standard_errors).any()
    assert chained.log_total is None
    assert (chained.diagnostics, chained.state) == ({"r_hat": 1.0, "instead_of": None}, {"where": "here"})
    assert chained.mixture(10_000).effective_size == 1000
    assert abs(sum(share for _, share in chained.parent_sets(2)) - 1) < 1e-12


def test_errors_fit_the_draws():
    """Standard errors of shares against how shares vary from sample to sample."""
    random = np.random.default_rng(1)
    shares = random.binomial(200, 0.3, 5000) / 200
    assert share_error(np.array(0.3), 200.0) == pytest.approx(shares.std(), rel=0.05)
    assert share_error(np.array(0.0), 200.0) > 0


def test_best_structures_among_draws_and_with_proof(summed, chained, exact):
    for found, knows_total in ((summed, True), (chained, False)):
        dags, proven = found.top_dags(10)
        truth, _ = exact.top_dags(10)
        assert proven == knows_total
        if not proven:
            assert [one.masks for one in dags] == [one.masks for one in truth]
        assert [one.log_weight for one in dags] == pytest.approx([one.log_weight for one in truth], rel=1e-12)
        close = 1e-9 if knows_total else 0.05
        assert [one.probability for one in dags] == pytest.approx([one.probability for one in truth], abs=close)
        classes, _ = found.top_classes(5)
        expected, _ = exact.top_classes(5)
        assert [one.log_weight for one in classes] == pytest.approx([one.log_weight for one in expected], rel=1e-12)
        assert [one.probability for one in classes] == pytest.approx([one.probability for one in expected], abs=close)


def test_classes_are_proven_when_no_other_could_weigh_as_much(summed, exact):
    """There are 185 classes of four variables: with all of them listed nothing is left; with a hundred, a bound."""
    every, proven = summed.top_classes(50)
    assert proven
    truth, _ = exact.top_classes(50)
    assert [one.log_weight for one in every] == pytest.approx([one.log_weight for one in truth], rel=1e-12)
    for k in (1, 3, 20):
        found, _ = summed.top_classes(k)
        assert [one.log_weight for one in found] == pytest.approx([one.log_weight for one in truth[:k]], rel=1e-12)
    # Listing by the best member is not ranking by weight: the two orders differ here.
    sizes = [len(list(enumerate_class(qnml.Dag.from_masks(list("abcd"), one.masks)))) for one in every]
    best_members = [one.log_weight - np.log(size) for one, size in zip(every, sizes, strict=True)]
    assert best_members != sorted(best_members, reverse=True)
    # Six coins, little seen: hundreds of classes are nearly as good as the best.
    coins = qnml.Table.from_codes(np.random.default_rng(3).integers(0, 2, (20, 6)))
    flat = qnml.posterior(coins, "bdeu", "exact", samples=100)
    assert flat.ranking_is_proven("dags", 5)
    assert not flat.ranking_is_proven("classes", 5)


@pytest.mark.parametrize("prior", ["uniform", "sparse"])
def test_rankings_are_proven_where_the_rest_is_less_probable(prior):
    """One class of five DAGs has nearly all of the probability where links are strong; on coins none has much."""
    generator = np.random.default_rng(4)
    columns = [generator.integers(0, 3, 300)]
    for _ in range(4):
        columns.append(np.where(generator.random(300) < 0.2, generator.integers(0, 3, 300), columns[-1]))
    linked = qnml.Table.from_codes(columns)
    found, every = (qnml.posterior(linked, "bdeu", method, prior=prior) for method in ("exact", "enumerate"))
    for what, k in (("dags", 5), ("classes", 1)):
        assert found.ranking_is_proven(what, k)
        best, truth = (getattr(one, f"top_{what}")(k) for one in (found, every))
        assert [one.probability for one in best] == pytest.approx([one.probability for one in truth], abs=1e-9)
    coins = qnml.Table.from_codes(np.random.default_rng(3).integers(0, 2, (20, 6)))
    assert not qnml.posterior(coins, "bdeu", "exact", prior=prior, samples=100).ranking_is_proven("classes", 5)


def test_what_is_left_is_what_is_not_listed():
    def listed(*shares: float) -> list[ScoredStructure]:
        return [ScoredStructure((place,), 0.0, share) for place, share in enumerate(shares)]

    assert [outweigh_the_rest(listed(0.5, 0.2, 0.1), k) for k in (1, 2, 3, 4)] == [True, False, False, False]
    assert outweigh_the_rest(listed(0.5, 0.2, 0.11), 2)
    # Of equal probability: it could be more by rounding.
    assert not outweigh_the_rest(listed(0.5), 1)


def test_priors_that_are_no_products_rank_by_share(problem):
    draws = Draws(replace(problem, prior="order"), ((0, 0, 0, 0), (0, 1, 0, 0), (0, 1, 0, 0)), 3.0, -7.0)
    first, second = draws.top_dags(5)
    assert (first.masks, first.probability) == ((0, 1, 0, 0), 2 / 3)
    assert first.log_weight == pytest.approx(np.log(2 / 3) - 7.0)
    assert second.probability == 1 / 3
    assert [one.probability for one in draws.top_classes(5)] == [2 / 3, 1 / 3]


def test_mixtures(summed, exact):
    everything = exact.mixture(10_000)
    assert (len(everything.dags), everything.left_out, everything.effective_size) == (543, 0.0, None)
    few = exact.mixture(5)
    assert len(few.dags) == 5
    assert few.shares.sum() == pytest.approx(1)
    assert few.left_out == pytest.approx(1 - sum(one.probability for one in exact.top_dags(5)[0]))
    drawn = summed.mixture(10_000)
    assert drawn.effective_size == 4000
    assert len(set(drawn.dags)) == len(drawn.dags)
    assert drawn.shares.sum() == pytest.approx(1)
    assert summed.mixture(100).effective_size == 100


def test_averages_from_draws_have_errors(chained, summed, exact):
    """Draws give the averages of the exact posterior within their errors; predictions of sums have none."""
    generator = np.random.default_rng(8)
    table = qnml.Table.from_codes(list(generator.integers(0, 2, (4, 60))), names=list("abcd"))
    whole = qnml.posterior(table, "bdeu")
    drawn = replace(whole, found=summed), replace(whole, found=exact)
    truth, none = drawn[1].predict_log_prob(table, errors=True)
    values, errors = drawn[0].predict_log_prob(table, errors=True)
    assert not none.any()
    assert not errors.any()
    assert values == pytest.approx(truth, abs=1e-9)
    values, errors = replace(whole, found=chained).predict_log_prob(table, errors=True)
    assert np.all(np.abs(values - truth) <= 5 * errors)
    assert 0 < errors.max() < 0.05
    effect, sure = (one.effect("a", "d") for one in drawn)
    assert sure.standard_errors is None
    assert np.all(np.abs(effect.values - sure.values) <= 5 * effect.standard_errors + 1e-12)
    assert drawn[0].standard_errors.edges.max() == 0
    assert drawn[0].standard_errors.ancestors.max() > 0


class Method:
    """A method that would need so much."""

    def __init__(self, name, fits):
        self.answer = Plan(4, 60, name, 16.0, 32.0, 2e9, 1e9, 3.0, fits, "" if fits else f"{name} is too much.")

    def forecast(self, problem):
        return self.answer


@pytest.fixture
def methods(monkeypatch):
    def set_up(**fits):
        monkeypatch.setattr(
            posterior_methods, "_RUNNERS", {name: Method(name, fits[name]) for name in ("enumerate", "exact", "mcmc")}
        )

    return set_up


@pytest.mark.parametrize(
    ("n", "fits", "expected"),
    [
        (5, {"enumerate": True, "exact": True, "mcmc": True}, "enumerate"),
        (6, {"enumerate": True, "exact": True, "mcmc": True}, "exact"),
        (6, {"enumerate": True, "exact": False, "mcmc": False}, "enumerate"),
        (9, {"enumerate": False, "exact": True, "mcmc": True}, "exact"),
        (40, {"enumerate": False, "exact": False, "mcmc": True}, "mcmc"),
    ],
)
def test_auto_takes_the_first_that_fits(n, fits, expected, problem, methods):
    methods(**fits)
    assert posterior_methods.choose(widened(problem, n), "auto").method == expected


def test_a_time_limit_leads_to_chains(problem, methods):
    methods(enumerate=False, exact=True, mcmc=True)
    wide = widened(problem, 9)
    # Three seconds are forecast; sums may have half of the time.
    assert posterior_methods.choose(wide, "auto", 7.0).method == "exact"
    assert posterior_methods.choose(wide, "auto", 5.0).method == "mcmc"
    assert posterior_methods.choose(wide, "exact", 2.0).method == "exact"
    methods(enumerate=False, exact=True, mcmc=False)
    assert posterior_methods.choose(wide, "auto", 2.0).method == "exact"


def test_refusals_say_what_would_fit(problem, methods):
    methods(enumerate=False, exact=False, mcmc=True)
    with pytest.raises(TooLargeError, match=r"exact is too much\. method='mcmc' would fit \(about 3 s, 1\.9 GiB"):
        posterior_methods.choose(problem, "exact")
    methods(enumerate=False, exact=False, mcmc=False)
    with pytest.raises(TooLargeError, match=r"mcmc is too much\. Select fewer columns"):
        posterior_methods.choose(problem, "auto")
    with pytest.raises(TooLargeError, match=r"enumerate is too much\. With prior='uniform'"):
        posterior_methods.choose(replace(problem, prior="classes"), "auto")


@pytest.mark.parametrize(
    ("method", "prior"), [("mcmc", "order"), ("enumerate", "order"), ("exact", "classes"), ("mcmc", "classes")]
)
def test_methods_and_priors_that_do_not_go_together(method, prior, problem):
    with pytest.raises(InputError, match=f"method='{method}', prior='{prior}'"):
        posterior_methods.choose(replace(problem, prior=prior), method)
