"""Learning from rows in which variables were set, against every network scored by a plain twin."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from reference.exact import admitted, all_networks, scored_networks
from reference.interventions import are_indistinguishable, local_score_of_observed

import qnml
from qnml.errors import DataError, InputError
from qnml.graph import Dag, enumerate_class
from qnml.search import Knowledge

DECOMPOSABLE = sorted(name for name, entry in qnml.SCORES.items() if entry.is_decomposable)
NAMES = ("a", "b", "c", "d")
REGIMES = (frozenset(), frozenset({1}), frozenset({1, 3}), frozenset({3}))


class Case:
    """A small table with interventions, and the twin of its local scores."""

    def __init__(self, seed: int, *, rows: int = 60, always: int | None = None, has_weights: bool = False) -> None:
        generator = np.random.default_rng(seed)
        self.arities = (2, 3, 2, 2)
        codes = np.column_stack([generator.integers(0, arity, rows) for arity in self.arities])
        codes[:, 1] = np.where(generator.random(rows) < 0.7, codes[:, 0], codes[:, 1])
        codes[:, 3] = np.where(generator.random(rows) < 0.7, codes[:, 1] % 2, codes[:, 3])
        regimes = generator.integers(0, len(REGIMES), rows)
        extra = frozenset() if always is None else frozenset({always})
        self.was_set = [REGIMES[regime] | extra for regime in regimes]
        self.weights = generator.integers(1, 4, rows).tolist() if has_weights else None
        self.rows = [tuple(row) for row in codes.tolist()]
        masks = {name: [place in one for one in self.was_set] for place, name in enumerate(NAMES)}
        plain = qnml.Table.from_codes([*codes.T], NAMES, [*self.arities], self.weights)
        self.table = plain.with_interventions(masks)
        self.known: dict[tuple[str, int, frozenset[int]], float] = {}

    def local(self, score: str):
        def value(child: int, parents: frozenset[int]) -> float:
            key = (score, child, parents)
            if key not in self.known:
                given = (self.rows, self.was_set, self.arities, child, sorted(parents), score, self.weights)
                self.known[key] = float(local_score_of_observed(*given))
            return self.known[key]

        return value


@pytest.fixture(scope="module")
def case() -> Case:
    return Case(1, has_weights=True)


def network_of(dag: Dag) -> tuple[frozenset[int], ...]:
    return tuple(frozenset(NAMES.index(parent) for parent in dag.parents(name)) for name in NAMES)


@pytest.mark.parametrize("score", DECOMPOSABLE)
def test_local_scores(case, score):
    local = case.local(score)
    for child in range(4):
        for parents in itertools.chain.from_iterable(
            itertools.combinations([i for i in range(4) if i != child], k) for k in range(4)
        ):
            found = qnml.local_score(case.table, NAMES[child], [NAMES[i] for i in parents], score)
            assert found == pytest.approx(local(child, frozenset(parents)), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("method", ["exact", "order", "hill-climbing", "auto"])
@pytest.mark.parametrize("score", DECOMPOSABLE)
def test_the_best_network(case, score, method):
    best, _ = scored_networks(4, case.local(score))[0]
    found = qnml.learn(case.table, score, method, guard="off")
    assert found.certificate.bound >= best - 1e-7
    assert found.score == pytest.approx(qnml.score(case.table, found.dag, score), rel=1e-12)
    if found.certificate.optimal or method == "exact":
        assert found.score == pytest.approx(best, rel=1e-9)


def test_exact_search_walks_the_lattice_of_each_part():
    # Wide levels: no bound prunes loglik, so the plan takes the lattice.
    case = Case(5)
    assert qnml.plan(case.table, "loglik", "exact").method == "lattice"
    best, _ = scored_networks(4, case.local("loglik"))[0]
    assert qnml.learn(case.table, "loglik", "exact", guard="off").score == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_under_knowledge_and_limits(seed):
    case = Case(seed)
    knowledge = Knowledge(forbidden=[("a", "b")], required=[("c", "d")])

    def admits(network) -> bool:
        return admitted(network, required=[(2, 3)], forbidden=[(0, 1)]) and all(len(one) <= 2 for one in network)

    best, _ = scored_networks(4, case.local("qnml"), admits)[0]
    for method in ("exact", "order"):
        found = qnml.learn(case.table, method=method, knowledge=knowledge, max_parents=2, guard="off")
        assert found.score == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("score", ["qnml", "fnml", "bds"])
def test_a_variable_that_was_set_in_every_row_is_a_root(score):
    case = Case(7, always=0)
    assert case.table.interventions.mask("a").all()
    rooted = [one for one in scored_networks(4, case.local(score)) if not one[1][0]]
    for method in ("exact", "order"):
        found = qnml.learn(case.table, score, method, guard="off")
        assert found.score == pytest.approx(rooted[0][0], rel=1e-9)
        assert not found.dag.parents("a")
    assert qnml.local_score(case.table, "a", [], score) == 0.0
    assert qnml.posterior(case.table, score, guard="off").edges[:, 0].max() == 0.0


def test_equal_counts_in_all_rows_mean_no_interventions(case):
    plain = case.table.with_interventions(None)
    same = plain.with_interventions(dict.fromkeys(NAMES, np.zeros(plain.n_rows, dtype=bool)))
    assert same == plain
    assert same.interventions is None
    # If all variables were set in the same rows, these rows count for nothing.
    half = np.arange(plain.n_rows) % 2 == 0
    halved = plain.with_interventions(dict.fromkeys(NAMES, half))
    assert qnml.learn(halved, guard="off").score == pytest.approx(qnml.learn(plain.take(~half), guard="off").score)
    assert qnml.learn(halved, method="ges", guard="off").score <= qnml.learn(halved, guard="off").score + 1e-9


# Classes.


@pytest.mark.parametrize("score", ["qnml", "bdeu", "bic"])
def test_indistinguishable_networks_score_the_same(case, score):
    local = case.local(score)
    targets = [frozenset(NAMES.index(name) for name in one) for one in case.table.interventions.targets]
    for one in all_networks(4)[::7]:
        dag = Dag.from_masks(NAMES, [sum(1 << p for p in parents) for parents in one])
        whole = math.fsum(local(child, parents) for child, parents in enumerate(one))
        members = set(enumerate_class(dag.interventional_class(case.table.interventions.targets)))
        for other in enumerate_class(dag):
            network = network_of(other)
            assert (other in members) == are_indistinguishable(one, network, targets)
            if other in members:
                value = math.fsum(local(child, parents) for child, parents in enumerate(network))
                assert value == pytest.approx(whole, rel=1e-9)


def test_the_result_has_the_class_that_the_interventions_leave(case):
    found = qnml.learn(case.table, guard="off")
    assert found.mpdag == found.dag.interventional_class(case.table.interventions.targets)
    assert found.fit().mpdag == found.mpdag
    assert {*found.mpdag.undirected} <= {*found.cpdag.undirected}


# Sums and lists of networks.


@pytest.mark.parametrize("score", ["qnml", "fnml", "bds"])
@pytest.mark.parametrize("method", ["enumerate", "exact"])
def test_posteriors(case, score, method):
    scored = scored_networks(4, case.local(score))
    total = math.fsum(math.exp(value - scored[0][0]) for value, _ in scored)
    edges = np.zeros((4, 4))
    for value, network in scored:
        for child, parents in enumerate(network):
            edges[[*parents], child] += math.exp(value - scored[0][0]) / total
    found = qnml.posterior(case.table, score, method, guard="off")
    assert found.edges == pytest.approx(edges, abs=1e-9)
    assert found.log_total == pytest.approx(scored[0][0] + math.log(total), rel=1e-9)


@pytest.mark.parametrize("method", ["enumerate", "exact"])
@pytest.mark.parametrize("score", ["qnml", "fnml"])
def test_posterior_classes(case, score, method):
    scored = scored_networks(4, case.local(score))
    total = math.fsum(math.exp(value - scored[0][0]) for value, _ in scored)
    weights: dict[object, float] = {}
    for value, network in scored:
        dag = Dag.from_masks(NAMES, [sum(1 << p for p in parents) for parents in network])
        key = dag.interventional_class(case.table.interventions.targets)
        weights[key] = weights.get(key, 0.0) + math.exp(value - scored[0][0]) / total
    best = sorted(weights.items(), key=lambda pair: -pair[1])[:3]
    found = qnml.posterior(case.table, score, method, guard="off").top_classes(3)
    assert [one.probability for one in found] == pytest.approx([share for _, share in best], rel=1e-6)
    assert [one.graph for one in found] == [graph for graph, _ in best]


def test_markov_chains(case):
    exact = qnml.posterior(case.table, "bdeu", "exact")
    drawn = qnml.posterior(case.table, "bdeu", "mcmc", samples=4000, seed=1)
    assert drawn.edges == pytest.approx(exact.edges, abs=0.06)


@pytest.mark.parametrize("score", ["qnml", "bds"])
def test_the_best_networks_in_order(case, score):
    scored = scored_networks(4, case.local(score))
    found = qnml.k_best(case.table, 20, score, "dags", guard="off")
    assert [one.score for one in found] == pytest.approx([value for value, _ in scored[:20]], rel=1e-9)
    assert found[0].mpdag == found[0].dag.interventional_class(case.table.interventions.targets)


@pytest.mark.parametrize("shape", ["tree", "forest"])
def test_shapes(case, shape):
    def has_shape(network) -> bool:
        return all(len(one) <= 1 for one in network) and (shape == "forest" or sum(map(bool, network)) == 3)

    best = next(value for value, network in scored_networks(4, case.local("qnml")) if has_shape(network))
    assert qnml.learn(case.table, shape=shape, guard="off").score == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("method", ["exact", "order"])
def test_bootstrap_learns_from_resampled_rows_with_their_interventions(method):
    case = Case(3, rows=40)
    found = qnml.bootstrap(case.table, 6, method=method, seed=2)
    merged = case.table.merged()
    generator = np.random.default_rng(2)
    drawn = generator.multinomial(merged.total, merged.weights / merged.total, size=6).astype(np.uint64)
    for weights, dag in zip(drawn, found.dags, strict=True):
        table = merged.with_weights(weights)
        best = qnml.learn(table, guard="off", method="exact").score
        assert qnml.score(table, dag) == pytest.approx(best, rel=1e-9)


def test_local_scores_for_other_programs(case, tmp_path):
    qnml.write_local_scores(case.table, tmp_path / "scores.jkl")
    scores = qnml.read_local_scores(tmp_path / "scores.jkl")
    assert qnml.learn(scores).score == pytest.approx(qnml.learn(case.table, guard="off").score, rel=1e-9)


def test_more_variables_than_exact_search_takes():
    generator = np.random.default_rng(4)
    columns = [generator.integers(0, 3, 300)]
    for _ in range(39):
        columns.append(np.where(generator.random(300) < 0.6, columns[-1], generator.integers(0, 3, 300)))
    table = qnml.Table.from_codes(columns)
    target = np.arange(300) % 3 == 0
    found = qnml.learn(table.with_interventions({"X7": target}), method="order", effort="quick", seed=1)
    assert found.certificate.bound >= found.score
    assert found.score == pytest.approx(
        math.fsum(
            qnml.local_score(table.take(~target) if name == "X7" else table, name, found.dag.parents(name))
            for name in table.names
        ),
        rel=1e-9,
    )


# What interventions are for.


def test_interventions_direct_what_observations_cannot():
    net = qnml.datasets.load_network("asia")
    seen = net.sample(2000, seed=1)
    forced = net.do({"smoke": "yes"}).sample(500, seed=2)
    frames = [seen.to_frame(), forced.to_frame()]
    import polars

    frame = polars.concat([one.cast(polars.String) for one in frames])
    how = [False] * 2000 + [True] * 500
    learned = qnml.learn(qnml.read_table(frame, interventions={"smoke": how}))
    assert ("smoke", "lung") in learned.mpdag.directed
    assert ("smoke", "bronc") in learned.mpdag.directed
    assert ("smoke", "lung") not in qnml.learn(seen).mpdag.directed


# What does not work says so.


def test_what_is_refused(case):
    with pytest.raises(InputError, match=r"learn\(method='ges'\).*variables were set in some rows"):
        qnml.learn(case.table, method="ges")
    with pytest.raises(DataError, match="variables were set in some rows"):
        qnml.independence(case.table, "a", "b")
    with pytest.raises(DataError, match="defined for observed rows"):
        qnml.score(case.table.select(["a", "b"]), "[a][b]", "nml")
    holed = qnml.read_table({"a": [0, 1, None, 1], "b": [0, 1, 1, 0]}, missing="em")
    holed = holed.with_interventions({"a": [True, False, False, False]})
    with pytest.raises(DataError, match="Missing cells cannot be estimated then"):
        qnml.learn(holed)
    with pytest.raises(DataError, match="Missing cells cannot be estimated then"):
        qnml.fit(holed, Dag.empty(["a", "b"]))


# Parameters.


def test_parameters_are_counted_on_the_same_rows(case):
    dag = Dag.from_modelstring("[a][c][b|a][d|b:c]")
    net = qnml.fit(case.table, dag, "laplace")
    plain = case.table.with_interventions(None)
    for name in NAMES:
        rows = ~case.table.interventions.mask(name)
        alone = qnml.fit(plain.take(rows), dag, "laplace")
        assert net.table(name) == pytest.approx(np.asarray(alone.table(name)))
    first, second = case.table.take(slice(0, 30)), case.table.take(slice(30, None))
    updated = qnml.fit(first, dag, "laplace").update(second)
    for name in NAMES:
        assert updated.table(name) == pytest.approx(np.asarray(net.table(name)))
