"""The posterior by enumeration, compared with a plain sum over single networks, and its invariances."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from reference.exact import admitted
from reference.posterior import class_of, descendants, edge, posterior, share_of
from reference.scores import local_score

import qnml
from qnml import Knowledge, Table

TOLERANCE = 1e-10
ARITIES = (2, 3, 2, 2)
PARAMETER = {"bdeu": {"ess": 3.0}, "bdq": {"alpha": 0.2}, "ebic": {"gamma": 0.3}}


def columns(n: int, n_rows: int = 30, seed: int = 3) -> list[np.ndarray]:
    """Columns with weak dependences, so that no structure has all the weight."""
    generator = np.random.default_rng(seed)
    made = [generator.integers(0, ARITIES[0], n_rows)]
    for place in range(1, n):
        follows = generator.random(n_rows) < 0.45
        made.append(np.where(follows, made[-1], generator.integers(0, ARITIES[place], n_rows)) % ARITIES[place])
    return made


@pytest.fixture(scope="module")
def table() -> Table:
    # Names that are not in the order of the columns.
    return Table.from_codes(columns(4), names=["d", "b", "a", "c"], levels=list(ARITIES))


@pytest.fixture(scope="module")
def local(table):
    """Local scores with 50 digits, by score; each is computed once."""
    rows = [tuple(int(code) for code in row) for row in zip(*table.columns, strict=True)]
    known: dict[tuple, float] = {}

    def of(score: str):
        parameter = next(iter(PARAMETER.get(score, {}).values()), None)

        def value(child: int, parents: frozenset[int]) -> float:
            key = (score, child, parents)
            if key not in known:
                known[key] = float(local_score(rows, ARITIES, child, sorted(parents), score, parameter))
            return known[key]

        return value

    return of


def check(found: qnml.Posterior, shares: dict, log_total: float) -> None:
    """Every figure of a posterior, compared with the probabilities of single networks."""
    n = len(found.names)
    assert found.method == "enumerate"
    assert found.standard_errors is None
    assert found.log_total == pytest.approx(log_total, abs=1e-8)
    for i, j in itertools.permutations(range(n), 2):
        assert found.edges[i, j] == pytest.approx(share_of(shares, edge(i, j)), abs=TOLERANCE)
        assert found.edge_probabilities[found.names[i], found.names[j]] == found.edges[i, j]
        joined = share_of(shares, lambda network, i=i, j=j: i in network[j] or j in network[i])
        assert found.adjacencies[i, j] == pytest.approx(joined, abs=TOLERANCE)
        path = share_of(shares, lambda network, i=i, j=j: j in descendants(network, i))
        assert found.ancestors[i, j] == pytest.approx(path, abs=TOLERANCE)
    assert not np.diag(found.edges).any()
    assert not np.diag(found.ancestors).any()
    for child, name in enumerate(found.names):
        sets = found.parent_sets(name)
        assert math.fsum(share for _, share in sets) == pytest.approx(1.0, abs=TOLERANCE)
        assert [share for _, share in sets] == sorted((share for _, share in sets), reverse=True)
        for parents, share in sets:
            wanted = frozenset(found.names.index(parent) for parent in parents)
            one = share_of(shares, lambda network, child=child, wanted=wanted: network[child] == wanted)
            assert share == pytest.approx(one, abs=TOLERANCE)


def network_of(dag: qnml.Dag, names: tuple[str, ...]) -> tuple[frozenset[int], ...]:
    return tuple(frozenset(names.index(parent) for parent in dag.parents(name)) for name in names)


@pytest.mark.parametrize("prior", ["uniform", "sparse", "classes"])
@pytest.mark.parametrize("score", ["qnml", "fnml", "bdeu", "bdq", "bds", "ebic"])
def test_against_one_network_at_a_time(score, prior, table, local):
    found = qnml.posterior(table, score, prior=prior, guard="off", **PARAMETER.get(score, {}))
    check(found, *posterior(4, local(score), prior))


@pytest.mark.parametrize("prior", ["uniform", "classes"])
def test_best_structures(prior, table, local):
    shares, log_total = posterior(4, local("qnml"), prior)
    found = qnml.posterior(table, prior=prior, guard="off")
    assert found.rankings_are_proven
    dags = found.top_dags(600)
    assert len({dag for dag, _, _ in dags}) == len(dags) == 543
    assert [share for _, _, share in dags] == pytest.approx(sorted(shares.values(), reverse=True), abs=TOLERANCE)
    for dag, log_weight, share in dags:
        assert share == pytest.approx(shares[network_of(dag, table.names)], abs=TOLERANCE)
        assert math.exp(log_weight - log_total) == pytest.approx(share, rel=1e-7)
    by_class: dict = {}
    for network, share in shares.items():
        by_class[class_of(network)] = by_class.get(class_of(network), 0.0) + share
    classes = found.top_classes(200)
    assert len({cpdag for cpdag, _, _ in classes}) == len(classes) == 185
    assert [share for _, _, share in classes] == pytest.approx(sorted(by_class.values(), reverse=True), abs=TOLERANCE)
    for cpdag, log_weight, share in classes:
        member = network_of(cpdag.consistent_extension(), table.names)
        assert share == pytest.approx(by_class[class_of(member)], abs=TOLERANCE)
        assert log_weight == pytest.approx(log_total + math.log(share), abs=1e-7)
    assert found.top_dags(7) == dags[:7]
    assert found.top_classes(7) == classes[:7]


@pytest.mark.parametrize("prior", ["uniform", "sparse", "classes"])
def test_knowledge_is_obeyed(prior, table, local):
    known = Knowledge(required=[("a", "c")], forbidden=[("b", "c")], max_parents={"d": 1}, roots=["a"])
    names = table.names
    place = names.index

    def admits(network) -> bool:
        return admitted(
            network,
            required=[(place("a"), place("c"))],
            forbidden=[(place("b"), place("c"))],
            max_parents={place("d"): 1},
            roots=[place("a")],
        )

    found = qnml.posterior(table, prior=prior, knowledge=known, guard="off")
    check(found, *posterior(4, local("qnml"), prior, admits))
    assert found.edge_probabilities["a", "c"] == pytest.approx(1.0, abs=1e-14)
    assert found.edge_probabilities["b", "c"] == 0.0
    assert all(known.admits(dag) for dag in found.sample_dags(50, seed=1))


def test_cap_admits_only_families_that_the_rows_can_fill(table, local):
    plain = local("qnml")

    def capped(child, parents):
        cells = math.prod(ARITIES[member] for member in {child, *parents})
        return -math.inf if parents and 2 * cells > table.total else plain(child, parents)

    found = qnml.posterior(table, guard="cap")
    assert found.diagnostics["dags"] < 543
    check(found, *posterior(4, capped))


def test_limits_on_parents_come_together(table, local):
    found = qnml.posterior(table, max_parents=1, guard="off")
    check(found, *posterior(4, local("qnml"), admits=lambda network: all(len(parents) <= 1 for parents in network)))


@pytest.mark.parametrize("n", [1, 2])
def test_few_variables(n):
    made = Table.from_codes(columns(n), names=["b", "a"][:n], levels=list(ARITIES[:n]))
    found = qnml.posterior(made, "bdeu", ess=1)
    if n == 1:
        assert found.edges.tolist() == [[0.0]]
        assert found.top_dags(5)[0].probability == 1.0
        assert len(found.to_frame()) == 0
        return
    # Two arcs of equal weight, and none: three weights by hand.
    apart = qnml.score(made, qnml.Dag.empty(made.names), "bdeu", ess=1)
    joined = qnml.score(made, qnml.Dag.from_arcs(made.names, [("a", "b")]), "bdeu", ess=1)
    expected = 2 / (2 + math.exp(apart - joined))
    assert found.adjacencies[0, 1] == pytest.approx(expected, abs=TOLERANCE)
    assert found.edges[0, 1] == pytest.approx(expected / 2, abs=TOLERANCE)


def test_the_order_of_columns_does_not_matter(table):
    first = qnml.posterior(table, guard="off")
    for order in itertools.permutations(table.names):
        other = qnml.posterior(table.select(order), guard="off")
        assert other.names == order
        assert dict(other.edge_probabilities) == dict(first.edge_probabilities)
        assert other.sample_dags(20, seed=5) == first.sample_dags(20, seed=5)
        assert other.top_classes(5) == first.top_classes(5)
        places = [table.names.index(name) for name in order]
        assert np.array_equal(other.ancestors, first.ancestors[np.ix_(places, places)])


def test_six_variables_agree_with_five_when_the_sixth_says_nothing():
    """A column of one level changes no score; if it may have no arcs, it changes nothing at all."""
    five = [*columns(4), np.random.default_rng(5).integers(0, 2, 30)]
    small = Table.from_codes(five, names=list("abcde"))
    large = Table.from_codes([*five, np.zeros(30, dtype=int)], names=list("abcdef"), levels=[*small.arities, 1])
    alone = Knowledge(roots=["f"], leaves=["f"])
    found = qnml.posterior(large, "qnml", "enumerate", knowledge=alone, guard="off")
    expected = qnml.posterior(small, guard="off")
    assert found.diagnostics == expected.diagnostics
    assert np.allclose(found.edges[:5, :5], expected.edges, atol=TOLERANCE)
    assert found.log_total == pytest.approx(expected.log_total, abs=1e-8)


def test_draws_follow_the_probabilities(table):
    """Pearson's statistic over the DAGs with enough expected draws; wrong probabilities fail clearly."""
    found = qnml.posterior(table, guard="off")
    count = 20_000
    drawn: dict = {}
    for dag in found.sample_dags(count, seed=11):
        drawn[dag] = drawn.get(dag, 0) + 1
    ranked = [(dag, share) for dag, _, share in found.top_dags(543) if share * count >= 10]
    assert len(ranked) > 30

    def statistic(shares: list[float]) -> float:
        seen = [drawn.get(dag, 0) for dag, _ in ranked]
        rest = count - sum(seen), count * (1 - math.fsum(shares))
        return sum((a - count * b) ** 2 / (count * b) for a, b in zip(seen, shares, strict=True)) + (
            (rest[0] - rest[1]) ** 2 / rest[1]
        )

    freedom = len(ranked)
    limit = freedom + 5 * math.sqrt(2 * freedom)
    assert statistic([share for _, share in ranked]) < limit
    # Negative control: shares that are a fifth off.
    wrong = [share * (1.2 if place % 2 else 0.8) for place, (_, share) in enumerate(ranked)]
    assert statistic(wrong) > 2 * limit
