"""Values that are counted on the CPU as well."""

from __future__ import annotations

import pytest

from gpu.problems import dependent_columns, on_card, problem_of
from qnml.errors import QnmlError
from qnml.gpu import learning, streaming
from qnml.gpu.counting import SliceCounter
from qnml.gpu.streaming import Stream, stream_candidates

LEVELS = [2, 3, 2, 4, 2, 2, 3, 2, 2]


@pytest.mark.parametrize("score", ["qnml", "fnml"])
def test_a_wrong_value_never_answers(card, monkeypatch, score) -> None:
    """One wrong bit in the last value."""
    plain = learning.count_sets

    def wrong(runtime, lattice):
        values = plain(runtime, lattice)
        (values.configs[-1] if values.configs else values.cells)[-1] ^= 1
        return values

    monkeypatch.setattr(learning, "count_sets", wrong)
    with pytest.raises(QnmlError, match=r"otherwise than the CPU.*device='cpu'"):
        on_card(problem_of(dependent_columns(LEVELS, 100, seed=1), LEVELS, score), card)


def test_nor_does_one_in_a_slice(card, monkeypatch) -> None:
    plain = SliceCounter.count

    def wrong(self, high, advance) -> bool:
        done = plain(self, high, advance)
        if high == 3:
            self.values.cells[0] += 1
        return done

    monkeypatch.setattr(streaming.SliceCounter, "count", wrong)
    problem = problem_of(dependent_columns(LEVELS, 100, seed=1), LEVELS)
    with pytest.raises(QnmlError, match="otherwise than the CPU"):
        on_card(problem, card, lambda runtime, lattice: stream_candidates(runtime, lattice, Stream(2, 4)))
