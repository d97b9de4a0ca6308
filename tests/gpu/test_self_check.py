"""The check of a card before it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from qnml.errors import QnmlError
from qnml.gpu import check_runtime, checked_card, learning, self_check

if TYPE_CHECKING:
    from qnml.gpu.counting import SetValues


def test_the_emulated_card_passes(card) -> None:
    check_runtime(card, 9)


def test_a_card_is_checked_once(card, monkeypatch) -> None:
    checked = []
    monkeypatch.setattr(self_check, "open_card", lambda: card)
    monkeypatch.setattr(self_check, "check_runtime", checked.append)
    checked_card.cache_clear()
    assert checked_card() is checked_card() is card
    assert checked == [card]
    checked_card.cache_clear()


def test_wrong_candidates_are_noticed(card, monkeypatch) -> None:
    """Values are right in the sample and wrong elsewhere."""
    plain = learning.count_sets

    def wrong(runtime, lattice) -> SetValues | None:
        values = plain(runtime, lattice)
        assert values is not None
        values.cells[3::5] += 2**20
        return values

    monkeypatch.setattr(learning, "count_sets", wrong)
    monkeypatch.setattr(learning, "check_sample", lambda *_: None)
    with pytest.raises(QnmlError, match=r"does not compute what the CPU computes: with qnml, .*score"):
        check_runtime(card, 8)


def test_a_wrong_pass_of_the_transform_is_noticed(card, monkeypatch) -> None:
    plain = type(card).kernel

    def kernel(self, name, **macros):
        return plain(self, "spread_4" if name == "spread_5" else name, **macros)

    monkeypatch.setattr(type(card), "kernel", kernel)
    with pytest.raises(QnmlError, match="after a pass of 5 bits"):
        check_runtime(card, 8)
