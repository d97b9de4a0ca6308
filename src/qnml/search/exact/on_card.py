"""Exact search with the sets counted and compared on a GPU: which device, and the plan."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

from qnml._checks import check_choice
from qnml.errors import InputError, QnmlError, bad_argument
from qnml.search.plan import Plan

if TYPE_CHECKING:
    from qnml.gpu import Runtime
    from qnml.search.problem import SearchProblem

__all__ = ["DEVICES", "Device", "chosen_device", "plan_on_card", "refuse_device"]

DEVICES = ("cpu", "gpu", "auto")

# With fewer variables a CPU is done before a card has begun.
_LEAST_VARIABLES = 20


class Device:
    """Where an exact search counts.

    Parameters
    ----------
    card : the card, or None for the CPU.
    is_demanded : whether nothing but the card will do.
    """

    def __init__(self, card: Runtime | None = None, *, is_demanded: bool = False) -> None:
        self.card = card
        self.is_demanded = is_demanded

    def better(self, on_cpu: Plan, problem: SearchProblem, orders_seconds: float) -> tuple[Plan, Runtime | None]:
        """The plan on the card, if that is demanded or faster than the one on the CPU; and the card.

        Parameters
        ----------
        on_cpu : the plan on the CPU.
        problem : the problem.
        orders_seconds : forecast of the search over orders, which the CPU does.
        """
        if self.card is None or (not self.is_demanded and problem.n_variables < _LEAST_VARIABLES):
            return on_cpu, None
        plan = plan_on_card(problem, self.card, orders_seconds)
        if self.is_demanded or (plan.fits and (not on_cpu.fits or plan.seconds < on_cpu.seconds)):
            return plan, self.card
        return on_cpu, None


def chosen_device(call: str, device: str) -> Device:
    """The device for an argument of a public call; a card is opened and checked.

    Parameters
    ----------
    call
        The function that was called, for messages.
    device
        One of `DEVICES`.
    """
    check_choice(call, "device", device, DEVICES)
    if device == "cpu":
        return Device()
    from qnml.gpu import NoCardError, checked_card

    try:
        return Device(checked_card(), is_demanded=device == "gpu")
    except NoCardError as error:
        if device == "auto":
            return Device()
        raise InputError(f"{call}(device='gpu'): {error} Or say device='cpu'.") from None
    except QnmlError as error:
        if device == "gpu":
            raise
        warnings.warn(f"{call}(device='auto'): the CPU is used. {error}", RuntimeWarning, stacklevel=3)
        return Device()


def refuse_device(call: str, device: str, what: str) -> None:
    """Refuse ``device="gpu"`` for what no card helps with; ``"auto"`` is then the CPU.

    Parameters
    ----------
    call
        The function that was called, for messages.
    device
        One of `DEVICES`.
    what
        What else was asked for.
    """
    check_choice(call, "device", device, DEVICES)
    if device == "gpu":
        raise bad_argument(call, "device", device, f"'cpu' or 'auto' with {what}")


def plan_on_card(problem: SearchProblem, card: Runtime, orders_seconds: float) -> Plan:
    """What the search would do and need on a card.

    Parameters
    ----------
    problem
        What to solve.
    card
        The card.
    orders_seconds
        Forecast of the search over orders.
    """
    from qnml.gpu import forecast

    n = problem.n_variables
    needs = forecast(
        n,
        problem.n_rows,
        problem.columns.total,
        problem.config_classes,
        problem.n_products,
        card.blocks,
        float(card.free_memory()),
    )
    plan = Plan(
        n_variables=n,
        n_rows=problem.n_rows,
        method="lattice",
        sets=2.0**n,
        families=n * 2.0 ** (n - 1),
        memory_bytes=needs.memory_bytes,
        memory_limit=needs.free_bytes,
        seconds=needs.seconds + orders_seconds,
        fits=needs.fits,
        advice=needs.problem,
        work=f"{2.0**n:.3g} sets of variables to count on {card.name}, {n * 2.0 ** (n - 1):.3g} families to score",
    )
    if problem.is_direct:
        advice = "This score does not add up over cells, which a card takes: say device='cpu' and set max_parents."
        return replace(plan, fits=False, advice=advice)
    return plan
