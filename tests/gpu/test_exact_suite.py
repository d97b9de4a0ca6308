"""The tests of exact search, with every search repeated on a card and compared to the last bit."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import qnml
from gpu import on_card
from gpu.on_card import compare_on_card, compared

SUITE = ("against_brute_force", "ties", "invariance", "limits")


def test_a_search_is_compared(card, monkeypatch) -> None:
    monkeypatch.setattr(on_card, "card_of_tests", lambda: card)
    table = qnml.Table.from_codes(np.random.default_rng(1).integers(0, 3, (50, 5)))
    result = qnml.learn(table, guard="off")
    before = len(compared)
    compare_on_card(result, table, "qnml", guard="off")
    assert len(compared) == before + 1
    with pytest.raises(AssertionError):
        compare_on_card(result, table, "bic", guard="off")


@pytest.mark.slow
@pytest.mark.parametrize("part", SUITE)
def test_the_suite_of_exact_search_on_the_emulated_card(make_card, kernels, part) -> None:
    root = Path(__file__).parents[2]
    file = root / "tests" / "search" / "exact" / f"test_exact_{part}.py"
    wanted = os.environ.get("QNML_TEST_CARD") or "emulated"
    environment = {**os.environ, "QNML_TEST_CARD": wanted, "QNML_TEST_KERNELS": str(kernels)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(file)]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
