"""``qnml learn --plan``: the forecast of a search.

learn, with ``--plan``
    data (as in learn); plan {method, sets, families, memory_bytes, memory_limit, seconds, fits,
    advice, sentence}.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from qnml.reports.fact_parts import data_facts
from qnml.reports.parts import data_lines, line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from qnml.data import Table
    from qnml.reports.fact_parts import Facts
    from qnml.search import Plan

__all__ = ["plan_facts", "plan_page"]


def plan_facts(plan: Plan, table: Table, source: str) -> Facts:
    """The memory, time and work that a search would need.

    Parameters
    ----------
    plan
        The result of `qnml.plan`.
    table
        The data.
    source
        Where the data came from.
    """
    figures = asdict(plan)
    # The facts of the data have the size of the table, and the sentence has the work.
    del figures["n_variables"], figures["n_rows"], figures["work"]
    return {"data": data_facts(table, source), "plan": {**figures, "sentence": plan.sentence()}}


def plan_page(facts: Facts) -> list[RenderableType]:
    """The data and the plan in words."""
    return [*data_lines(facts["data"]), line(facts["plan"]["sentence"])]
