"""The chains draw every DAG by its weight: compared with enumeration, and with exact sums on eight variables."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from reference.dag_sums import (
    arc_shares,
    linear_extensions,
    mask_tuple,
    network_shares,
    path_shares,
    summed_arc_shares,
)
from reference.exact import admitted
from reference.structure_problems import make_problem, small_table
from scipy.stats import chi2

import qnml
from qnml.search.chains.partition_mcmc import run
from qnml.search.chains.settings import ChainSettings
from qnml.search.posterior.method import RunOptions

DRAWS = 8_000
ALL = (0.5, 0.25, 0.25, 0.25, 1.0, 5.0, 2.0)


def fit(dags, shares):
    """The p-value of a chi-square test of the draws; rare DAGs are pooled."""
    expected = {mask_tuple(network): share * len(dags) for network, share in shares.items()}
    seen = Counter(dags)
    assert set(seen) <= set(expected), "a DAG was drawn that has no weight"
    often = {dag: count for dag, count in expected.items() if count >= 5}
    cells = [(seen[dag], count) for dag, count in often.items()]
    rest = len(dags) - sum(often.values())
    if rest >= 5:
        cells.append((sum(count for dag, count in seen.items() if dag not in often), rest))
    return float(chi2.sf(sum((a - b) ** 2 / b for a, b in cells), len(cells) - 1))


def drawn(shares, seed):
    """Independent draws."""
    networks = [mask_tuple(network) for network in shares]
    places = np.random.default_rng(seed).choice(len(networks), DRAWS, p=list(shares.values()))
    return [networks[place] for place in places]


@pytest.fixture(scope="module")
def table():
    return small_table(4, 20, seed=5)


@pytest.fixture(scope="module")
def shares(table, local_of):
    return network_shares(4, local_of(table, "bdeu"))


@pytest.mark.parametrize(
    "moves",
    [
        pytest.param((4, 0, 0, 0, 0, 0, 0), id="relocate"),
        pytest.param((0, 6, 0, 6, 0, 0, 0), id="swap adjacent, split and merge"),
        pytest.param((0, 0, 6, 6, 0, 0, 0), id="swap any, split and merge"),
        pytest.param((0, 0, 0, 100, 0, 0, 0), id="split and merge"),
        pytest.param((0, 0, 0, 0, 8, 0, 0), id="draw family"),
        pytest.param((0, 0, 0, 0, 1, 8, 0), id="reverse arc"),
        pytest.param(ALL, id="all"),
    ],
)
def test_every_move_keeps_the_weights_of_dags(table, shares, moves):
    """One kind of move at a time: the others cannot compensate for a wrong ratio."""
    settings = ChainSettings(sweeps_per_draw=2, moves=moves)
    result = run(make_problem(table, seed=1), RunOptions(DRAWS), settings)
    assert fit(result.draws.dags, shares) > 1e-3


@pytest.mark.parametrize("candidates", [0, 1, 2])
@pytest.mark.parametrize(
    "moves",
    [
        pytest.param((0, 0, 0, 0, 0, 0, 12), id="draw parent"),
        pytest.param((0, 0, 0, 0, 12, 0, 0), id="draw family"),
        pytest.param((0, 0, 0, 0, 1, 12, 1), id="reverse arc"),
        pytest.param((4, 1, 1, 4, 0, 0, 4), id="partitions"),
        pytest.param(ALL, id="all"),
    ],
)
def test_parents_that_are_no_candidates_are_drawn_as_often(table, shares, moves, candidates):
    """Every DAG is drawn by its weight, however few candidates are summed over."""
    settings = ChainSettings(sweeps_per_draw=2, moves=moves, candidates=candidates)
    result = run(make_problem(table, seed=11), RunOptions(DRAWS), settings)
    assert {len(mine) for mine in result.draws.candidates} == {candidates}
    assert fit(result.draws.dags, shares) > 1e-3
    outside = sum(
        (masks[child] >> one & 1)
        for masks in result.draws.dags
        for child in range(4)
        for one in result.draws.others[child]
    )
    assert result.diagnostics["arcs_outside_candidates"] == pytest.approx(outside / len(result.draws.dags))


def test_the_comparison_tells_a_prior_over_orders_from_one_over_dags(table, shares, local_of):
    """The negative control: order MCMC draws each DAG in proportion to its number of compatible orders."""
    by_order = network_shares(4, local_of(table, "bdeu"), favour=linear_extensions)
    assert fit(drawn(shares, seed=2), shares) > 1e-3
    assert fit(drawn(by_order, seed=2), by_order) > 1e-3
    assert fit(drawn(by_order, seed=2), shares) < 1e-12


KNOWN = {
    "forbidden arcs": qnml.Knowledge(forbidden=[("a", "b"), ("c", "d")]),
    "a required arc": qnml.Knowledge(required=[("c", "a")]),
    "a required chain": qnml.Knowledge(required=[("d", "c"), ("c", "b")], forbidden=[("a", "d")]),
    "two required parents": qnml.Knowledge(required=[("d", "b"), ("c", "b")]),
    "tiers": qnml.Knowledge(tiers=[["b", "d"], ["a", "c"]]),
    "limits": qnml.Knowledge(max_parents={"a": 1, "b": 2}, leaves=["d"]),
}


def _demands(knowledge):
    """The same in the notation of `reference.exact`."""
    place = "abcd".index
    limits = dict(knowledge.max_parents or ())
    return {
        "required": [(place(a), place(b)) for a, b in knowledge.required],
        "forbidden": [(place(a), place(b)) for a, b in knowledge.forbidden],
        "tiers": [[place(name) for name in tier] for tier in knowledge.tiers],
        "max_parents": {place(name): limit for name, limit in limits.items()},
        "leaves": [place(name) for name in knowledge.leaves],
    }


@pytest.mark.parametrize("candidates", [None, 1])
@pytest.mark.parametrize("knowledge", KNOWN.values(), ids=KNOWN)
def test_knowledge_is_obeyed_and_nothing_else_changes(table, shares, knowledge, candidates):
    kept = {network: share for network, share in shares.items() if admitted(network, **_demands(knowledge))}
    total = sum(kept.values())
    settings = ChainSettings(candidates=candidates)
    result = run(make_problem(table, knowledge=knowledge, seed=3), RunOptions(DRAWS), settings)
    assert fit(result.draws.dags, {network: share / total for network, share in kept.items()}) > 1e-3


@pytest.mark.parametrize("candidates", [None, 1])
def test_the_sparse_prior(table, local_of, candidates):
    local = local_of(table, "bdeu")
    shares = network_shares(4, lambda child, parents: local(child, parents) - math.log(math.comb(3, len(parents))))
    settings = ChainSettings(candidates=candidates)
    assert fit(run(make_problem(table, prior="sparse", seed=4), RunOptions(DRAWS), settings).draws.dags, shares) > 1e-3


@pytest.mark.parametrize("candidates", [None, 1])
def test_over_full_families_can_be_left_out(table, local_of, candidates):
    half = table.total / 2
    shares = network_shares(4, local_of(table, "qnml", cap=True))
    settings = ChainSettings(candidates=candidates)
    result = run(make_problem(table, "qnml", most_cells=half, seed=5), RunOptions(DRAWS), settings)
    assert fit(result.draws.dags, shares) > 1e-3


def test_arcs_and_paths_of_five_variables(local_of):
    """Within their standard errors, which are neither too small nor too large."""
    table = small_table(5, 30, seed=6)
    shares = network_shares(5, local_of(table, "qnml"))
    result = run(make_problem(table, "qnml", seed=6), RunOptions(8000))
    arcs = np.array(arc_shares(shares, 5))
    for estimate, expected in (
        (result.edges, arcs),
        (result.adjacencies, arcs + arcs.T),
        (result.ancestors, np.array(path_shares(shares, 5))),
    ):
        off = ~np.eye(5, dtype=bool)
        scaled = (estimate.values - expected)[off] / estimate.standard_errors[off]
        assert np.abs(scaled).max() < 4.5
        assert 0.3 < np.sqrt(np.mean(scaled**2)) < 1.7
        assert not estimate.values[~off].any()
    assert not any(result.draws.others)
    assert result.concerns() == []


def test_arcs_of_eight_variables_against_sums_over_all_dags(local_of):
    table = qnml.datasets.sample("asia", 150, seed=1)
    local = local_of(table, "bdeu")
    masks = [[frozenset(j for j in range(8) if mask >> j & 1) for mask in range(256)]] * 8
    scores = [
        [-math.inf if child in parents else local(child, parents) for parents in of_child]
        for child, of_child in enumerate(masks)
    ]
    result = run(make_problem(table, seed=7), RunOptions(4000))
    off = ~np.eye(8, dtype=bool)
    scaled = (result.edges.values - np.array(summed_arc_shares(8, scores)))[off] / result.edges.standard_errors[off]
    assert np.abs(scaled).max() < 4.5
    assert np.sqrt(np.mean(scaled**2)) < 1.5
    # As for independent draws: total variation over pairs, and the effective number of draws.
    assert result.diagnostics["least_effective_size"] > 1000


def test_the_slow_sums_agree_with_enumeration(table, shares, local_of):
    local = local_of(table, "bdeu")
    scores = [
        [
            -math.inf if mask >> child & 1 else local(child, frozenset(j for j in range(4) if mask >> j & 1))
            for mask in range(16)
        ]
        for child in range(4)
    ]
    assert np.allclose(summed_arc_shares(4, scores), arc_shares(shares, 4), atol=1e-12)


def test_log_weights_are_scores(table):
    result = run(make_problem(table, "fnml", seed=8), RunOptions(1000))
    for dag, log_weight in itertools.islice(
        zip(result.draws.dags, result.draws.log_weights.reshape(-1), strict=True), 20
    ):
        assert log_weight == pytest.approx(qnml.score(table, qnml.Dag.from_masks(table.names, dag), "fnml"), rel=1e-9)
