"""The choice between the CPU and a card. What a card answers is tested in tests/gpu."""

from __future__ import annotations

import pytest

from qnml.search.exact.on_card import Device


class Plan:
    def __init__(self, fits: bool, seconds: float) -> None:
        self.fits, self.seconds = fits, seconds


class Problem:
    def __init__(self, n_variables: int) -> None:
        self.n_variables = n_variables


@pytest.mark.parametrize(
    ("n", "cpu", "gpu", "takes"),
    [
        (12, Plan(True, 5.0), Plan(True, 1.0), False),  # small: not worth opening
        (25, Plan(True, 5.0), Plan(True, 1.0), True),
        (25, Plan(True, 1.0), Plan(True, 5.0), False),
        (25, Plan(False, 1.0), Plan(True, 5.0), True),
        (25, Plan(True, 5.0), Plan(False, 1.0), False),
    ],
)
def test_auto_takes_what_fits_and_is_faster(n, cpu, gpu, takes, monkeypatch) -> None:
    monkeypatch.setattr("qnml.search.exact.on_card.plan_on_card", lambda *_: gpu)
    plan, card = Device("card").better(cpu, Problem(n), 0.0)
    assert (plan, card) == ((gpu, "card") if takes else (cpu, None))
    assert Device("card", is_demanded=True).better(cpu, Problem(n), 0.0) == (gpu, "card")
    assert Device().better(cpu, Problem(n), 0.0) == (cpu, None)
