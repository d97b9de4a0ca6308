"""Exact searches of other tests repeated on a card: ``QNML_TEST_CARD=gpu`` or ``emulated``."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Any
from unittest import mock

import qnml
from gpu.emulated import emulated_card
from qnml.gpu import open_card
from qnml.gpu.counting import MOST_OBSERVATIONS

if TYPE_CHECKING:
    from qnml.gpu import Runtime

__all__ = ["card_of_tests", "compare_on_card", "compared"]

# What a certificate proves, and the work that is the same for all devices.
_PROOF = ("optimal", "score", "bound", "gap", "ties", "tie_rule", "n_proven", "stop_reason")
_WORK = ("candidates", "states")

_MOST_EMULATED = 16  # variables: more take long

compared: list[str] = []
"""The score of each search that was repeated."""


def wanted() -> str:
    return os.environ.get("QNML_TEST_CARD", "")


@cache
def card_of_tests() -> Runtime | None:
    """The card that the environment asks for."""
    if wanted() == "gpu":
        return open_card()
    if wanted() == "emulated":
        return emulated_card()
    assert wanted() == "", "QNML_TEST_CARD is 'gpu' or 'emulated'"
    return None


def compare_on_card(result: Any, table: qnml.Table, score: str, **options: Any) -> None:
    """Repeat an exact search on the card and compare: same network, same certificate, to the last bit."""
    certificate = result.certificate
    if certificate.method not in ("lattice", "families") or "time_limit" in options:
        return
    if wanted() == "emulated" and len(table.names) > _MOST_EMULATED:
        return
    if not qnml.SCORES[score].has_cell_sums or table.total > MOST_OBSERVATIONS:  # a card refuses these
        return
    with mock.patch("qnml.gpu.checked_card", card_of_tests):
        found = qnml.learn(table, score, **{**options, "method": "exact", "device": "gpu"})
    compared.append(score)
    assert found.certificate.method == "lattice"
    assert found.dag == result.dag
    assert (found.score, found.log_prior) == (result.score, result.log_prior)
    for name in _PROOF + (_WORK if certificate.method == "lattice" else ()):
        assert getattr(found.certificate, name) == getattr(certificate, name), name
