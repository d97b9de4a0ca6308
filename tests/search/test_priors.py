"""The prior over structures in every search, beside brute force and beside its definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.dependent_tables import dependent_tables
from reference.exact import best_network, optimal_networks, scored_networks, subsets

import qnml
from qnml.errors import InputError
from qnml.scores import SCORES
from qnml.search.priors import MODULAR_PRIORS, prior_term, resolved_prior

DECOMPOSABLE = [name for name, score in SCORES.items() if score.is_decomposable]
EQUIVALENT = [name for name in DECOMPOSABLE if SCORES[name].is_equivalent]
LOCAL = ("order", "hill-climbing")


def log_ways(n: int, k: int) -> float:
    """The log of the number of sets of k among n things, by another formula than that of the package."""
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def log_prior_of(dag: qnml.Dag, prior: str) -> float:
    n = len(dag.names)
    return 0.0 if prior == "uniform" else -math.fsum(log_ways(n - 1, len(dag.parents(name))) for name in dag.names)


def with_prior(local, n: int, prior: str, limit: int | None = None):
    """Local scores with the prior added; minus infinity beyond the limit on parents."""

    def value(child: int, parents: frozenset[int]) -> float:
        if limit is not None and len(parents) > limit:
            return -math.inf
        return local(child, parents) - (0 if prior == "uniform" else log_ways(n - 1, len(parents)))

    return value


def as_table(plain) -> qnml.Table:
    names = [f"v{place}" for place in range(len(plain.arities))]
    return qnml.Table.from_codes(
        [np.array(column) for column in plain.columns], names=names, levels=[*plain.arities], weights=plain.weights
    )


def checked(result, table: qnml.Table, score: str, prior: str) -> None:
    """What every result says holds when it is computed afresh."""
    assert result.prior == prior
    assert result.score == pytest.approx(qnml.score(table, result.dag, score), rel=1e-9, abs=1e-9)
    assert result.log_prior == pytest.approx(log_prior_of(result.dag, prior), rel=1e-12, abs=1e-12)
    assert result.objective == result.score + result.log_prior
    certificate = result.certificate
    assert certificate.score == result.objective
    assert certificate.bound >= result.objective
    explanation = result.explanation
    assert explanation.prior == prior
    assert explanation.log_prior == pytest.approx(result.log_prior, abs=1e-9)
    assert explanation.objective == pytest.approx(result.objective, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("prior", MODULAR_PRIORS)
@pytest.mark.parametrize("score", DECOMPOSABLE)
@settings(max_examples=8)
@given(plain=dependent_tables(max_columns=5, max_rows=40))
def test_every_search_finds_the_best_objective(local_of, score, prior, plain) -> None:
    """Exact searches of both kinds reach the optimum; the bounds of the others are never below it."""
    table = as_table(plain)
    n = len(table.names)
    best, _ = best_network(n, with_prior(local_of(table, score), n, prior))
    room = 1e-9 * max(1.0, abs(best)) + 1e-9
    for method in ("exact", *LOCAL, *(["ges"] if score in EQUIVALENT else [])):
        result = qnml.learn(table, score, method, prior=prior, guard="off", n_jobs=1)
        checked(result, table, score, prior)
        assert result.certificate.bound >= best - room
        assert result.objective <= best + room
        if result.certificate.optimal:
            assert result.objective == pytest.approx(best, abs=room)
        if method == "exact":
            assert result.certificate.optimal


@pytest.mark.parametrize("score", ["qnml", "bic", "fnml", "bdeu", "bds", "k2"])
@settings(max_examples=15)
@given(plain=dependent_tables(min_columns=3, max_columns=5, max_rows=40), limit=st.integers(1, 4), cap=st.booleans())
def test_limits_and_the_prior_together(local_of, score, plain, limit, cap) -> None:
    """A limit on the parents makes the bounds tighter; they still hold."""
    table = as_table(plain)
    n = len(table.names)
    best, _ = best_network(n, with_prior(local_of(table, score, cap=cap), n, "sparse", limit))
    options = {"prior": "sparse", "max_parents": limit, "guard": "cap" if cap else "off", "n_jobs": 1}
    room = 1e-9 * max(1.0, abs(best)) + 1e-9
    for method in ("exact", *LOCAL):
        result = qnml.learn(table, score, method, **options)
        checked(result, table, score, "sparse")
        assert best - room <= result.certificate.bound
        assert result.objective <= best + room
        if method == "exact":
            assert result.objective == pytest.approx(best, abs=room)


@pytest.mark.parametrize("score", DECOMPOSABLE)
def test_of_all_networks_of_five_variables_none_is_better(local_of, score) -> None:
    """Beside a list of all 29,281 networks, not only a recursion over sets."""
    generator = np.random.default_rng(5)
    columns = [generator.integers(0, r, 30) for r in (2, 3, 2, 2, 2)]
    columns[3] = (columns[0] + columns[1]) % 2
    columns[4] = np.where(generator.random(30) < 0.9, columns[3], columns[4])
    table = qnml.Table.from_codes(columns, levels=[2, 3, 2, 2, 2])
    best, networks = optimal_networks(5, with_prior(local_of(table, score), 5, "sparse"))
    result = qnml.learn(table, score, prior="sparse", guard="off")
    assert result.objective == pytest.approx(best, rel=1e-9)
    found = tuple(frozenset(table.index(parent) for parent in result.dag.parents(name)) for name in table.names)
    assert found in networks


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32), n=st.integers(2, 9))
def test_equivalent_networks_have_the_same_prior(seed, n) -> None:
    """Every covered arc is reversed in turn, until none is left that leads to a new member."""
    generator = np.random.default_rng(seed)
    names = [f"v{place}" for place in range(n)]
    order = generator.permutation(n)
    arcs = [(names[order[i]], names[order[j]]) for j in range(n) for i in range(j) if generator.random() < 0.4]
    dag = qnml.Dag.from_arcs(names, arcs)
    for member in list(qnml.graph.enumerate_class(dag, 30)):
        assert log_prior_of(member, "sparse") == pytest.approx(log_prior_of(dag, "sparse"), rel=1e-12, abs=1e-12)
        sizes = sorted(len(member.parents(name)) for name in names)
        assert sizes == sorted(len(dag.parents(name)) for name in names)


def test_equivalent_networks_have_the_same_objective_in_the_whole_units_of_a_search() -> None:
    """To the last bit: all members of a class are listed with the same log weight."""
    table = qnml.datasets.sample("asia", 200, seed=3).select(["asia", "tub", "either", "lung", "smoke"])
    best = qnml.k_best(table, 200, what="dags", prior="sparse", guard="off")
    weights: dict[object, set[float]] = {}
    for one in best:
        weights.setdefault(one.cpdag, set()).add(one.log_weight)
    assert len(weights) < len(best)
    assert all(len(values) == 1 for values in weights.values())


@pytest.mark.parametrize("score", ["qnml", "fnml", "bdeu", "bic"])
def test_k_best_ranks_by_the_objective(local_of, score) -> None:
    table = qnml.datasets.sample("cancer", 60, seed=2)
    n = len(table.names)
    local = with_prior(local_of(table, score), n, "sparse")
    truth = scored_networks(n, local)[:40]
    best = qnml.k_best(table, 40, score, what="dags", prior="sparse", guard="off")
    assert best.prior == "sparse"
    assert [one.objective for one in best] == pytest.approx([value for value, _ in truth], rel=1e-9)
    for one in best:
        assert one.score == pytest.approx(qnml.score(table, one.dag, score), rel=1e-9)
        assert one.log_prior == pytest.approx(log_prior_of(one.dag, "sparse"), rel=1e-12)
        assert one.log_weight == pytest.approx(one.objective - best[0].objective, abs=1e-7)


@pytest.mark.parametrize("method", ["enumerate", "exact"])
def test_the_posterior_and_the_search_agree(method) -> None:
    for seed in range(5):
        table = qnml.datasets.sample("cancer", 80, seed=seed)
        beliefs = qnml.posterior(table, "qnml", method, prior="sparse", guard="off")
        learned = qnml.learn(table, prior="sparse", guard="off")
        assert beliefs.prior == "sparse"
        assert beliefs.top_dags(1)[0].graph.to_cpdag() == learned.cpdag
        uniform = qnml.learn(table, prior="uniform", guard="off")
        assert uniform.score >= learned.score - 1e-9 * abs(learned.score)
        assert learned.objective >= uniform.score + log_prior_of(uniform.dag, "sparse") - 1e-9 * abs(learned.score)


@pytest.mark.parametrize("method", ["exact", "order"])
@pytest.mark.parametrize("score", ["qnml", "bdeu", "fnml"])
def test_bootstrap_replicates_are_what_learn_finds_under_the_prior(method, score) -> None:
    """The shared walk of the lattice, and one search for each replicate, find the same networks."""
    table = qnml.datasets.sample("asia", 120, seed=4)
    found = qnml.bootstrap(table, 6, score, method, seed=7, prior="sparse", n_jobs=1)
    assert found.prior == "sparse"
    merged = table.select(sorted(table.names)).merged()
    weights = np.ones(merged.n_rows) if merged.weights is None else merged.weights
    generator = np.random.default_rng(7)
    for drawn, dag in zip(generator.multinomial(table.total, weights / table.total, size=6), found.dags, strict=True):
        rows = qnml.Table.from_codes(
            [*merged.columns], names=merged.names, levels=[*map(list, merged.levels)], weights=drawn.astype(np.uint64)
        )
        again = qnml.learn(rows, score, method, effort="quick", prior="sparse", guard="off")
        ours = qnml.score(rows, dag, score) + log_prior_of(dag, "sparse")
        assert ours == pytest.approx(again.objective, rel=1e-9)


def test_a_constant_is_a_parent_where_that_lowers_the_price(local_of) -> None:
    """Beyond half of the variables a further parent is cheaper, even one that says nothing."""
    generator = np.random.default_rng(2)
    bits = generator.integers(0, 2, (3, 4000))
    noisy = np.where(generator.random(4000) < 0.05, 1 - bits.sum(axis=0) % 2, bits.sum(axis=0) % 2)
    table = qnml.Table.from_codes([*bits, noisy, np.zeros(4000, dtype=int)], levels=[2, 2, 2, 2, 1])
    best, _ = best_network(5, with_prior(local_of(table), 5, "sparse"))
    result = qnml.learn(table, prior="sparse", guard="off")
    assert result.objective == pytest.approx(best, rel=1e-12)
    assert {len(result.dag.parents(name)) for name in result.dag.names} == {0, 4}
    assert max(len(qnml.learn(table, guard="off").dag.parents(name)) for name in table.names) == 3


def test_auto_is_sparse_for_nml_scores_beyond_30_variables() -> None:
    for name, score in SCORES.items():
        for n in (1, 30, 31, 1000):
            expected = "sparse" if name in ("qnml", "fnml") and n > 30 else "uniform"
            if score.is_decomposable:
                assert resolved_prior("auto", score, n) == expected
            assert resolved_prior("sparse", score, n) == "sparse"
            assert resolved_prior("uniform", score, n) == "uniform"


def test_results_say_which_prior_auto_was() -> None:
    table = qnml.datasets.sample("alarm", 300, seed=1)
    given = {"effort": "quick", "guard": "off", "time_limit": 60}
    wide = qnml.learn(table, **given)
    assert (wide.prior, wide.log_prior < 0) == ("sparse", True)
    checked(wide, table, "qnml", "sparse")
    assert wide.certificate_sentence().startswith("With the sparse prior: ")
    assert qnml.learn(table, "bic", **given).prior == "uniform"
    narrow = table.select(table.names[:30])
    assert qnml.learn(narrow, method="order", **given).prior == "uniform"
    plain = qnml.learn(table, prior="uniform", **given)
    assert plain.log_prior == 0.0
    assert plain.objective == plain.score
    assert plain.dag.n_arcs > wide.dag.n_arcs


def test_a_family_shows_what_it_pays() -> None:
    table = qnml.datasets.sample("asia", 500, seed=1)
    net = qnml.datasets.load_network("asia")
    explained = qnml.explain(table, net, prior="sparse")
    for family in explained.families:
        assert family.log_prior == pytest.approx(-log_ways(7, len(family.parents)), abs=1e-12)
    uniform = {(arc.parent, arc.child): arc.removal_cost_bits for arc in qnml.explain(table, net).arcs}
    for arc in explained.arcs:
        k = len(net.dag.parents(arc.child))
        paid = (log_ways(7, k) - log_ways(7, k - 1)) / math.log(2)
        assert arc.removal_cost_bits == pytest.approx(uniform[arc.parent, arc.child] - paid, abs=1e-9)


def test_a_prior_that_no_search_knows_is_refused() -> None:
    table = qnml.datasets.sample("cancer", 50, seed=1)
    for call in (qnml.learn, qnml.plan, qnml.k_best, qnml.bootstrap):
        with pytest.raises(InputError, match=rf"{call.__name__}.*prior.*'classes'"):
            call(table, prior="classes")
    with pytest.raises(InputError, match=r"posterior.*prior"):
        qnml.posterior(table, prior="few arcs")


def test_the_terms_of_all_families_of_a_variable_sum_to_one_for_each_number_of_parents() -> None:
    for n in (1, 2, 6):
        others = frozenset(range(n - 1))
        shares = [math.exp(prior_term("sparse", n, len(parents))) for parents in subsets(others)]
        assert math.fsum(shares) == pytest.approx(n, rel=1e-12)
    assert prior_term("uniform", 7, 3) == 0.0


def many_small_tables(count: int, seed: int):
    generator = np.random.default_rng(seed)
    for _ in range(count):
        n = int(generator.integers(2, 6))
        rows = int(generator.integers(1, 60))
        levels = generator.integers(1, 4, n)
        columns = [generator.integers(0, r, rows) for r in levels]
        for place in range(1, n):
            if generator.random() < 0.7:
                copied = columns[int(generator.integers(place))] % levels[place]
                columns[place] = np.where(generator.random(rows) < 0.8, copied, columns[place])
        score = DECOMPOSABLE[int(generator.integers(len(DECOMPOSABLE)))]
        limit = int(generator.integers(1, n)) if generator.random() < 0.3 else None
        yield qnml.Table.from_codes(columns, levels=levels.tolist()), score, limit


def bounds_hold(local_of, count: int, seed: int) -> None:
    """No bound of a search is below the optimum, and what it calls optimal is."""
    for number, (table, score, limit) in enumerate(many_small_tables(count, seed)):
        n = len(table.names)
        prior = MODULAR_PRIORS[number % 2]
        best, _ = best_network(n, with_prior(local_of(table, score), n, prior, limit))
        room = 1e-9 * max(1.0, abs(best)) + 1e-9
        method = ("order", "hill-climbing", "exact")[number % 3]
        result = qnml.learn(table, score, method, prior=prior, max_parents=limit, guard="off", n_jobs=1)
        assert result.certificate.bound >= best - room, (number, score, prior)
        assert result.objective <= best + room, (number, score, prior)
        if result.certificate.optimal:
            assert result.objective >= best - room, (number, score, prior)


def test_no_bound_is_below_the_optimum(local_of) -> None:
    bounds_hold(local_of, 400, seed=1)


@pytest.mark.slow
def test_no_bound_is_below_the_optimum_of_ten_thousand_tables(local_of) -> None:
    bounds_hold(local_of, 10_000, seed=2)
