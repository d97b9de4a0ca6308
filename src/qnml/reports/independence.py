"""``qnml independence``: whether variables depend on each other given others.

independence
    data (as in learn); x, y, given [names]; bits (what the dependence saves; positive: dependent); is_dependent;
    mutual_information (nats for each row); sentence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.reports.fact_parts import data_facts
from qnml.reports.parts import data_lines, line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from qnml._api.independence import Independence
    from qnml.data import Table
    from qnml.reports.fact_parts import Facts

__all__ = ["independence_facts", "independence_page"]


def independence_facts(found: Independence, table: Table, source: str) -> Facts:
    """The verdict and what it rests on.

    Parameters
    ----------
    found
        The result of `qnml.independence`.
    table
        The data.
    source
        Where the data came from.
    """
    return {
        "data": data_facts(table, source),
        "x": list(found.x),
        "y": list(found.y),
        "given": list(found.given),
        "bits": found.bits,
        "is_dependent": found.is_dependent,
        "mutual_information": found.mutual_information,
        "sentence": found.sentence(),
    }


def independence_page(facts: Facts) -> list[RenderableType]:
    """The data and the verdict in words.

    Parameters
    ----------
    facts
        The facts of `independence_facts`.
    """
    about = f"Mutual information, estimated from the frequencies: {facts['mutual_information']:z.6f} nats for each row."
    return [*data_lines(facts["data"]), line(facts["sentence"]), line(about)]
