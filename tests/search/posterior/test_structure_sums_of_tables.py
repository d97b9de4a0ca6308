"""From a table to sums over structures: the scores of all families, knowledge, limits of time and memory, Ctrl-C."""

from __future__ import annotations

import math
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.dependent_tables import dependent_tables
from reference.exact import subsets
from reference.knowledge import demands, renamed
from reference.structure_problems import make_problem
from reference.structure_sums import enumerate_posterior, place_of

import qnml
from qnml import Table, _core
from qnml.search import Knowledge
from qnml.search.posterior.structure_sums import family_scores, sum_structures

DECOMPOSABLE = sorted(name for name, entry in qnml.SCORES.items() if entry.is_decomposable)


def problem_for(table: Table, score: str = "qnml", prior: str = "uniform", cap: bool = False, **options):
    most_cells = table.total / 2 if cap else math.inf
    return make_problem(table, score, prior, most_cells=most_cells, memory_limit=2.0**33, n_jobs=2, **options)


def scores_of(table: Table, local) -> np.ndarray:
    n = len(table.names)
    scores = np.empty((n, 2 ** (n - 1)))
    for child in range(n):
        for parents in subsets(frozenset(range(n)) - {child}):
            scores[child, place_of(child, parents)] = local(child, parents)
    return scores


def in_core(problem) -> np.ndarray:
    return family_scores(problem, _core.Control())


@pytest.mark.parametrize("score", DECOMPOSABLE)
@settings(max_examples=6)
@given(data=st.data(), plain=dependent_tables())
def test_scores_of_all_families(score, data, plain, local_of) -> None:
    table = Table.from_codes([*plain.columns], levels=[*plain.arities], weights=plain.weights)
    n = len(table.names)
    cap = data.draw(st.booleans())
    wanted = Knowledge(**renamed(data.draw(demands(n)), table.names))
    compiled = wanted.compile(table.names)
    expected = scores_of(table, local_of(table, score, cap=cap))
    free = scores_of(table, local_of(table, score))
    for child in range(n):
        for parents in subsets(frozenset(range(n)) - {child}):
            place = place_of(child, parents)
            mask = sum(1 << parent for parent in parents)
            if mask == compiled.required[child]:
                expected[child, place] = free[child, place]  # required parents are admitted whatever the cap
            if not compiled.admits_family(child, mask):
                expected[child, place] = -np.inf
    np.testing.assert_allclose(
        in_core(problem_for(table, score, cap=cap, knowledge=wanted)), expected, rtol=1e-9, atol=1e-9
    )


def test_fourteen_variables_keep_their_columns(local_of) -> None:
    """The traversal numbers columns by entropy; scores of single families show whether they are renumbered."""
    generator = np.random.default_rng(14)
    columns = [np.minimum(generator.geometric(0.2 + 0.05 * i, 300), 3 + i % 3) - 1 for i in range(14)]
    table = Table.from_codes(columns, levels=[3 + i % 3 for i in range(14)])
    scores = in_core(problem_for(table))
    for child, parents in [(0, {13}), (13, {0, 5}), (6, {1, 2, 12}), (7, set()), (3, {0, 1, 2, 4})]:
        names = [table.names[parent] for parent in sorted(parents)]
        expected = qnml.local_score(table, table.names[child], names)
        assert scores[child, place_of(child, frozenset(parents))] == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("prior", ["uniform", "sparse", "order"])
@pytest.mark.parametrize("score", ["qnml", "bdeu", "fnml", "bds"])
def test_posterior_of_a_table_with_knowledge(score, prior, local_of) -> None:
    generator = np.random.default_rng(2)
    first = generator.integers(0, 3, 60)
    second = np.where(generator.random(60) < 0.6, first, generator.integers(0, 3, 60))
    third = (first + second + generator.integers(0, 2, 60)) % 2
    table = Table.from_codes([first, second, third, generator.integers(0, 2, 60)])
    a, b, c, d = table.names
    known = Knowledge(required=[(a, c)], forbidden=[(b, a)], roots=[d])
    scores = scores_of(table, local_of(table, score))
    compiled = known.compile(table.names)
    for child in range(4):
        for parents in subsets(frozenset(range(4)) - {child}):
            if not compiled.admits_family(child, sum(1 << parent for parent in parents)):
                scores[child, place_of(child, parents)] = -np.inf
    found, reason = sum_structures(problem_for(table, score, prior, knowledge=known))
    slow = enumerate_posterior(scores, prior)
    assert reason is None
    assert found.log_total == pytest.approx(slow.log_total, rel=1e-10)
    np.testing.assert_allclose(found.edges, slow.edges, atol=1e-10)
    np.testing.assert_allclose(found.parent_set_probabilities, slow.parent_sets, atol=1e-10)
    assert found.edges[0, 2] == pytest.approx(1.0, abs=1e-13)
    assert found.edges[1, 0] == 0.0
    assert not found.parent_set_probabilities[3, 1:].any()


# Limits.


@pytest.fixture(scope="module")
def table() -> Table:
    return Table.from_codes(np.random.default_rng(0).integers(0, 2, (200, 15)))


@pytest.mark.parametrize("seconds", [0.0, 0.003, 0.03])
@pytest.mark.parametrize("prior", ["uniform", "order"])
def test_after_a_time_limit_there_is_nothing_or_everything(prior, seconds, table) -> None:
    found, stopped = sum_structures(problem_for(table, prior=prior), time_limit=seconds)
    assert (found is None) == (stopped is not None)
    if stopped is not None:
        assert stopped.reason == "time limit"
        assert 0 <= stopped.share <= 1
    if seconds == 0.0:
        assert found is None


def test_progress_is_reported(table) -> None:
    seen: list[tuple[str, float]] = []
    found, _ = sum_structures(problem_for(table), watch=lambda stage, share: seen.append((stage, share)))
    assert found is not None
    assert {stage for stage, _ in seen} <= {"starting", "counting", "sums", "completions", "probabilities"}
    assert all(0 <= share <= 1 + 1e-9 for _, share in seen)


# In a separate process: a signal that comes too late must not end the test run.
INTERRUPTED = """
import os, signal, threading
import numpy as np
from reference.structure_problems import make_problem
from qnml import Table
from qnml.search.posterior.structure_sums import sum_structures

table = Table.from_codes(np.random.default_rng(0).integers(0, 2, (100, 20)))
problem = make_problem(table, "qnml", memory_limit=2.0**40)
threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
found, stopped = sum_structures(problem)
print(found, stopped.reason)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals to a process are another matter on Windows")
def test_an_interrupt_ends_the_sums() -> None:
    path = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=50, env=path)
    assert done.stdout.strip() == "None interrupted", done.stderr
