"""The candidate source: stopping, wrong values, and `qnml.learn` on a card."""

from __future__ import annotations

import numpy as np
import pytest

import qnml
from gpu.problems import dependent_columns, on_card, problem_of
from qnml import _core
from qnml.errors import TooLargeError
from qnml.gpu.learning import find_candidates

LEVELS = [2, 3, 2, 4, 2, 2, 3, 2, 2]


@pytest.fixture
def on_this_card(card, monkeypatch):
    monkeypatch.setattr("qnml.gpu.checked_card", lambda: card)
    return card


@pytest.fixture
def on_the_emulated(emulated, monkeypatch):
    monkeypatch.setattr("qnml.gpu.checked_card", lambda: emulated)
    return emulated


def test_a_stopped_search_returns_its_first_answer(card) -> None:
    problem = problem_of(dependent_columns(LEVELS, 100, seed=1), LEVELS)
    options = _core.ExactOptions(_core.TieRule.simplest, True, [], np.inf, np.inf)

    def stop_while(stage):
        control = _core.Control()

        def source(lattice) -> bool:
            if stage == "counting":
                control.stop()
            else:
                plain = lattice.counted
                stopping = type("Stopping", (), {"__getattr__": lambda _, name: getattr(lattice, name)})()
                stopping.counted = lambda visits: (plain(visits), control.stop())
                return find_candidates(card, stopping)
            return find_candidates(card, lattice)

        return _core.learn_exact_from(problem, options, control, source)

    for stage in ("counting", "candidates"):
        found = stop_while(stage)
        assert found.has_network
        assert not found.optimal


def test_errors_of_a_card_reach_the_caller(card) -> None:
    def failing(runtime, lattice) -> bool:
        raise MemoryError("no more")

    with pytest.raises(MemoryError, match="no more"):
        on_card(problem_of(dependent_columns(LEVELS, 100, seed=1), LEVELS), card, failing)


def table_of(levels, rows, seed) -> qnml.Table:
    return qnml.Table.from_codes(dependent_columns(levels, rows, seed), levels=levels)


@pytest.mark.parametrize("score", ["qnml", "bdeu", "fnml"])
@pytest.mark.parametrize("ties", ["canonical", "larger", "random"])
def test_learn_gives_the_same(on_this_card, score, ties) -> None:
    table = table_of(LEVELS, 150, 2)
    options = {"guard": "off", "ties": ties, "seed": 3 if ties == "random" else None}
    expected = qnml.learn(table, score, **options)
    found = qnml.learn(table, score, device="gpu", **options)
    assert found.dag == expected.dag
    assert found.score == expected.score
    mine, theirs = found.certificate, expected.certificate
    for name in ("optimal", "bound", "gap", "ties", "tie_rule", "method", "stop_reason", "candidates", "states"):
        assert getattr(mine, name) == getattr(theirs, name), name
    assert set(mine.seconds) == set(theirs.seconds)
    assert mine.visits > 0


def test_learn_from_a_start_and_with_knowledge(on_this_card) -> None:
    table = table_of(LEVELS, 150, 3)
    names = table.names
    known = qnml.Knowledge(required=[(names[0], names[4])], forbidden=[(names[1], names[2])])
    first = qnml.learn(table, guard="off", knowledge=known, max_parents=1)
    options = {"guard": "cap", "knowledge": known, "start": first.dag, "method": "exact"}
    expected, found = qnml.learn(table, **options), qnml.learn(table, device="gpu", **options)
    assert (found.dag, found.score) == (expected.dag, expected.score)
    assert found.certificate.ties == expected.certificate.ties


@pytest.mark.parametrize("score", ["qnml", "fnml"])
def test_rows_in_which_variables_were_set(on_this_card, score) -> None:
    """Each part of a split table has a lattice of its own."""
    table = table_of(LEVELS, 200, 7)
    names = table.names
    place = np.arange(200)
    split = table.with_interventions({names[1]: place % 3 == 0, names[4]: place % 3 == 0, names[6]: place > 150})
    expected = qnml.learn(split, score, guard="off", method="exact")
    found = qnml.learn(split, score, guard="off", device="gpu")
    assert (found.dag, found.score) == (expected.dag, expected.score)
    assert found.certificate.candidates == expected.certificate.candidates
    assert found.certificate.states == expected.certificate.states
    assert found.certificate.ties == expected.certificate.ties


def test_learn_where_cells_are_missing(on_this_card) -> None:
    columns = [[str(value) for value in column] for column in dependent_columns([2, 3, 2, 2], 80, 4)]
    columns[1][::7] = [""] * len(columns[1][::7])
    table = qnml.read_table({f"v{k}": column for k, column in enumerate(columns)}, missing="em")
    expected = qnml.learn(table, guard="off", seed=1)
    found = qnml.learn(table, guard="off", seed=1, device="gpu")
    assert (found.dag, found.score) == (expected.dag, expected.score)


def test_a_time_limit_is_obeyed(on_this_card) -> None:
    result = qnml.learn(table_of([2] * 13, 300, 5), guard="off", device="gpu", time_limit=1e-6)
    assert not result.certificate.optimal
    assert result.certificate.stop_reason == "time limit"


def test_plan_on_a_card(on_the_emulated) -> None:
    plan = qnml.plan(table_of(LEVELS, 150, 2), device="gpu")
    assert plan.fits
    assert plan.method == "lattice"
    assert on_the_emulated.name in plan.sentence()
    assert plan.memory_limit == on_the_emulated.free_memory()


def test_too_little_memory_is_told_before_any_work(on_the_emulated, monkeypatch) -> None:
    monkeypatch.setattr(type(on_the_emulated), "free_memory", lambda self: 2**20)
    on_the_emulated.launches.clear()
    with pytest.raises(TooLargeError, match=r"of the card's memory, and 1\.0 MiB are free"):
        qnml.learn(table_of(LEVELS, 150, 2), device="gpu")
    assert on_the_emulated.launches == []
    # 'auto' takes the CPU then.
    assert qnml.learn(table_of(LEVELS, 150, 2), guard="off", device="auto").certificate.optimal


def test_a_score_that_is_counted_family_by_family_is_refused(on_this_card) -> None:
    with pytest.raises(TooLargeError, match="does not add up over cells"):
        qnml.learn(table_of(LEVELS, 150, 2), "bds", device="gpu")


def test_memory_is_given_back(on_the_emulated) -> None:
    on_the_emulated.launches.clear()
    qnml.learn(table_of(LEVELS, 150, 6), guard="off", device="gpu")
    assert on_the_emulated.launches[-1] == "release"


def test_a_second_search_does_not_compile_again(on_the_emulated) -> None:
    table = table_of(LEVELS, 150, 6)
    qnml.learn(table, guard="off", device="gpu")
    libraries = dict(on_the_emulated._libraries)
    qnml.learn(table, "bic", guard="off", device="gpu")
    assert on_the_emulated._libraries == libraries


def test_running_out_of_memory_on_the_card_is_worded(on_the_emulated, monkeypatch) -> None:
    def empty(self, size, dtype):
        raise MemoryError

    monkeypatch.setattr(type(on_the_emulated), "empty", empty)
    with pytest.raises(TooLargeError, match="memory ran out"):
        qnml.learn(table_of(LEVELS, 150, 2), guard="off", device="gpu")
