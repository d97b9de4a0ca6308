"""``qnml regret``: the multinomial regret.

regret
    methods [names]; values [{n, r, and one number for each method}].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qnml.reports.parts import grid, line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType

    from qnml.reports.fact_parts import Facts

__all__ = ["regret_facts", "regret_page"]


def regret_facts(n: Sequence[float], r: Sequence[float], regrets: Mapping[str, Any]) -> Facts:
    """Regrets for all pairs of an n and an r.

    Parameters
    ----------
    n
        Numbers of observations.
    r
        Numbers of values.
    regrets
        For each method an array with a row for each n and a column for each r.
    """
    return {
        "methods": list(regrets),
        "values": [
            {"n": int(rows), "r": _whole(values)} | {name: float(array[i][j]) for name, array in regrets.items()}
            for i, rows in enumerate(n)
            for j, values in enumerate(r)
        ],
    }


def regret_page(facts: Facts) -> list[RenderableType]:
    """One row for each pair, one column for each method."""
    methods = facts["methods"]
    heads = [("n", "right"), ("r", "right"), *((method, "right") for method in methods)]
    rows = [(row["n"], row["r"], *(f"{row[method]:z.6f}" for method in methods)) for row in facts["values"]]
    return [line("Regret in nats"), grid(heads, rows)]


def _whole(number: float) -> float | int:
    """Return 10.0 as 10, if a double holds every digit."""
    return int(number) if float(number).is_integer() and number < 2**53 else float(number)
