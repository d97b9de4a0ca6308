"""What is proven about larger networks: lists of families lose nothing, bounds hold, and proofs are right.

Held against every family of small tables counted one by one, every network tried, and the exact search.
"""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest
from reference.exact import best_network

import qnml
from qnml import Table, _core
from qnml._api.problem import prepare
from qnml._api.search_choice import choose_search
from qnml.scores import SCORES
from qnml.search import Knowledge
from qnml.search.local.local_search import LocalRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DECOMPOSABLE = [name for name, score in SCORES.items() if score.is_decomposable]


def noisy_copies(n: int, n_rows: int, seed: int, most_levels: int = 4) -> Table:
    """Columns of which most repeat one or two earlier ones, with noise; one may have a single level."""
    generator = np.random.default_rng(seed)
    levels = [int(r) for r in generator.integers(1 if seed % 3 == 0 else 2, most_levels + 1, n)]
    columns: list[np.ndarray] = []
    for place, r in enumerate(levels):
        column = generator.integers(0, r, n_rows)
        for other in generator.choice(place, min(place, 2), replace=False):
            column = np.where(generator.random(n_rows) < 0.5, columns[other] % r, column)
        columns.append(column)
    return Table.from_codes(columns, names=[f"v{place:02}" for place in range(n)], levels=levels)


def request_of(
    table: Table,
    score: str,
    *,
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    guard: str = "off",
) -> LocalRequest:
    problem = prepare("learn", table, score, knowledge, max_parents, guard, None, 1, {})
    request = choose_search(problem.search, "order", "quick", 0.0)
    assert isinstance(request, LocalRequest)
    return request


def admitted(
    local: Callable[[int, frozenset[int]], float], request: LocalRequest
) -> Callable[[int, frozenset[int]], float]:
    """The local scores with minus infinity for what the request does not admit, and with its required families."""
    compiled = request.problem.compiled

    def of(child: int, parents: frozenset[int]) -> float:
        mask = sum(1 << parent for parent in parents)
        is_allowed = not mask & ~compiled.allowed[child] and not compiled.required[child] & ~mask
        return local(child, parents) if is_allowed and len(parents) <= compiled.max_parents[child] else -math.inf

    return of


def parent_sets(n: int, child: int) -> Iterator[frozenset[int]]:
    others = [variable for variable in range(n) if variable != child]
    for size in range(n):
        yield from map(frozenset, combinations(others, size))


SETTINGS = [
    {},
    {"max_parents": 2},
    {"guard": "cap"},
    {"knowledge": Knowledge(required=[("v01", "v00")], forbidden=[("v02", "v03"), ("v04", "v03")])},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=["free", "max_parents", "cap", "knowledge"])
@pytest.mark.parametrize("score", DECOMPOSABLE)
def test_every_family_that_no_subset_beats_is_listed_or_bounded(score, settings, local_of) -> None:
    for seed, n_rows in enumerate((4, 25, 90)):
        table = noisy_copies(6, n_rows, seed)
        request = request_of(table, score, **settings)
        local = admitted(local_of(table, score, cap=settings.get("guard") == "cap"), request)
        for child in range(6):
            for work in (0, 20 * n_rows, 10**9):
                listed = _core.list_families(request.problem.columns, request.task(), child, work)
                families = {frozenset(parents): value for parents, value, is_open in listed if not is_open}
                still_open = [(frozenset(parents), bound) for parents, bound, is_open in listed if is_open]
                assert not still_open or work < 10**9
                for parents, value in families.items():
                    assert value == pytest.approx(local(child, parents), rel=1e-9, abs=1e-6)
                for parents in parent_sets(6, child):
                    value = local(child, parents)
                    at_most = max(
                        [v for p, v in families.items() if p <= parents] + [b for p, b in still_open if p <= parents],
                        default=-math.inf,
                    )
                    assert at_most >= value - 1e-7


@pytest.mark.parametrize("settings", SETTINGS, ids=["free", "max_parents", "cap", "knowledge"])
@pytest.mark.parametrize("score", DECOMPOSABLE)
def test_from_the_required_arcs_alone_to_the_optimum_or_a_bound(score, settings, local_of) -> None:
    for seed, n_rows in enumerate((5, 40, 200)):
        table = noisy_copies(6, n_rows, 10 + seed)
        request = request_of(table, score, **settings)
        local = admitted(local_of(table, score, cap=settings.get("guard") == "cap"), request)
        best, _ = best_network(6, local)
        start = [[parent for parent in range(6) if mask >> parent & 1] for mask in request.problem.compiled.required]
        close = 1e-7 + 1e-9 * abs(best)
        for work, cases in ((0, 0), (60 * n_rows, 2), (2000 * n_rows, 0), (10**11, 10**5)):
            proof = _core.prove(request.problem.columns, request.task(), start, work, cases, _core.Control(), 1)
            assert proof.bound >= best - close
            assert proof.score <= best + close
            assert proof.score == pytest.approx(
                math.fsum(local(child, frozenset(parents)) for child, parents in enumerate(proof.parents)), abs=1e-6
            )
            if proof.optimal or work == 10**11:
                assert proof.optimal
                assert proof.n_proven == 6
                assert proof.score >= best - close


@pytest.mark.parametrize("method", ["order", "hill-climbing"])
@pytest.mark.parametrize("score", ["bic", "bdeu", "qnml", "fnml", "k2", "bdq"])
def test_a_proof_agrees_with_the_exact_search(method, score, checked_learn) -> None:
    n_proven = 0
    for seed in range(4):
        table = noisy_copies(8 + 2 * seed, 150, seed)
        best = checked_learn(table, score, method="exact", max_parents=None if score == "bic" else 3)
        found = checked_learn(table, score, method=method, max_parents=None if score == "bic" else 3)
        certificate = found.certificate
        assert certificate.bound >= best.score - 1e-9 * abs(best.score)
        if certificate.optimal:
            assert found.score == pytest.approx(best.score, rel=1e-9)
            assert certificate.n_proven == len(table.names)
            assert certificate.sentence().startswith("Proven optimal: found by ")
        n_proven += certificate.optimal
    assert n_proven >= 2


def test_blocks_that_have_nothing_in_common_are_proven_one_by_one(checked_learn) -> None:
    """Every pair of rows of one block occurs with every pair of the other: no family across blocks gains anything."""
    one, other = noisy_copies(6, 24, 1, most_levels=2), noisy_copies(6, 24, 2, most_levels=3)
    columns = [np.repeat(column, 24) for column in one.columns] + [np.tile(column, 24) for column in other.columns]
    levels = [*one.arities, *other.arities]
    table = Table.from_codes(columns, names=[f"v{place:02}" for place in range(12)], levels=levels)
    result = checked_learn(table, "bic", method="order", effort="thorough")
    assert result.certificate.optimal
    blocks = ({f"v{place:02}" for place in range(6)}, {f"v{place:02}" for place in range(6, 12)})
    assert all(any({parent, child} <= block for block in blocks) for parent, child in result.dag.arcs)
    apart = [checked_learn(table.select(sorted(block)), "bic", method="exact").score for block in blocks]
    assert result.score == pytest.approx(math.fsum(apart), rel=1e-9)


def test_the_proof_does_not_depend_on_threads() -> None:
    request = request_of(noisy_copies(14, 120, 5), "bdeu")
    for work in (10**6, 10**8):
        proofs = [
            _core.prove(request.problem.columns, request.task(), [[]] * 14, work, 50, _core.Control(), threads)
            for threads in (1, 3)
        ]
        one, other = ((p.optimal, p.parents, p.score, p.bound, p.n_proven) for p in proofs)
        assert one == other


def test_weights_are_repetitions_in_a_proof() -> None:
    table = noisy_copies(10, 120, 5)
    times = np.random.default_rng(0).integers(0, 3, table.n_rows)
    weighted = Table.from_codes(list(table.columns), names=table.names, levels=table.arities, weights=times)
    repeated = Table.from_codes(
        [np.repeat(column, times) for column in table.columns], names=table.names, levels=table.arities
    )
    proofs = []
    for data in (weighted, repeated):
        request = request_of(data, "bic")
        proofs.append(_core.prove(request.problem.columns, request.task(), [[]] * 10, 10**9, 10**4, _core.Control(), 1))
    assert all(proof.optimal for proof in proofs)
    assert proofs[0].score == pytest.approx(proofs[1].score, rel=1e-12)


def test_no_time_is_no_proof_but_a_bound() -> None:
    table = noisy_copies(10, 80, 4)
    request = request_of(table, "bic")
    control = _core.Control()
    control.set_deadline(0.0)
    proof = _core.prove(request.problem.columns, request.task(), [[]] * 10, 10**9, 50, control, 1)
    assert not proof.optimal
    assert proof.bound == math.inf
    result = qnml.learn(table, "bic", "order", time_limit=0)
    assert not result.certificate.optimal
    best = qnml.learn(table, "bic", "exact")
    assert math.isfinite(result.certificate.bound)
    assert result.certificate.bound >= best.score


def test_a_gap_is_put_into_words(checked_learn) -> None:
    table = noisy_copies(40, 300, 7)
    quick = checked_learn(table, "bic", method="order", effort="quick").certificate
    usual = checked_learn(table, "bic", method="order").certificate
    assert "proving" not in quick.seconds
    assert "proving" in usual.seconds
    assert usual.bound < quick.bound
    assert "a weak bound" in quick.sentence()
    assert f"{quick.gap:.2f} nats above this one" in quick.sentence()


def test_a_proof_after_a_search_between_classes_obeys_the_guard(checked_learn) -> None:
    """Between classes families beyond the cap are looked at; the proof that follows must not return one."""
    columns = [[1, 2, 2, 0, 0, 2], [0, 1, 3, 1, 1, 3], [1, 1, 0, 0, 1, 1]]
    table = Table.from_codes(columns, levels=[3, 4, 2], weights=[3, 2, 3, 1, 1, 3])
    result = checked_learn(table, "aic", method="ges", guard="cap")
    cells = [
        math.prod(table.arities[table.names.index(member)] for member in (*result.dag.parents(name), name))
        for name in table.names
        if result.dag.parents(name)
    ]
    assert max(cells, default=0) <= table.total / 2
    assert result.score == pytest.approx(checked_learn(table, "aic", method="exact", guard="cap").score)
