"""Cutting work into chunks: every repetition once, and chunks of about the requested duration."""

from hypothesis import given
from hypothesis import strategies as st

from qnml.paper.work import Task, WorkList, gaps

RANGES = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 10)).map(lambda p: range(p[0], p[0] + p[1])))


@given(st.integers(0, 25), RANGES)
def test_gaps_are_what_is_wanted_and_not_there(repetitions, covered):
    found = [number for gap in gaps(repetitions, covered) for number in gap]
    assert found == sorted(set(range(repetitions)) - {number for known in covered for number in known})


@given(st.lists(st.tuples(st.integers(1, 40), st.floats(0.001, 5.0)), min_size=1, max_size=4), st.floats(0.0, 20.0))
def test_every_repetition_is_given_out_once(subjects, chunk_seconds):
    work = WorkList([Task("e", str(i), gaps(n, [range(2, 5)])) for i, (n, _) in enumerate(subjects)], 1, chunk_seconds)
    wanted = {(str(i), k) for i, (n, _) in enumerate(subjects) for k in range(n) if not 2 <= k < 5}
    given_out = []
    while (chunk := work.take()) is not None:
        given_out += [(chunk.subject, k) for k in range(chunk.first, chunk.last)]
        work.record(chunk, subjects[int(chunk.subject)][1] * (chunk.last - chunk.first))
    assert len(given_out) == len(set(given_out))
    assert set(given_out) == wanted
    assert work.seconds_left() == 0.0


def test_chunks_grow_to_the_time_asked_for():
    work = WorkList([Task("e", "quick", [range(100)]), Task("e", "long", [range(100)])], 1, 2.0)
    cost = {"quick": 0.1, "long": 10.0}
    lengths = {"quick": [], "long": []}
    while (chunk := work.take()) is not None:
        lengths[chunk.subject].append(chunk.last - chunk.first)
        work.record(chunk, cost[chunk.subject] * (chunk.last - chunk.first))
    assert lengths["long"] == [1] * 100
    assert lengths["quick"] == [1, 20, 20, 20, 20, 19]


def test_subjects_are_met_first_and_long_ones_are_not_left_for_last():
    work = WorkList([Task("e", "quick", [range(3)]), Task("e", "long", [range(3)])], 1, 0.0)
    first, second = work.take(), work.take()
    assert (first.subject, second.subject) == ("quick", "long")
    assert work.seconds_left() is None
    work.record(first, 0.5)
    work.record(second, 4.0)
    assert work.seconds_left() == 2 * 0.5 + 2 * 4.0
    assert work.take().subject == "long"
