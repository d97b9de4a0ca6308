"""``qnml show``: where the page can be opened.

show
    address (with a secret; for this computer only).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.reports.parts import line

if TYPE_CHECKING:
    from rich.console import RenderableType

    from qnml.reports.fact_parts import Facts

__all__ = ["show_facts", "show_page"]


def show_facts(address: str) -> Facts:
    """The address of the page.

    Parameters
    ----------
    address
        With its secret.
    """
    return {"address": address}


def show_page(facts: Facts) -> list[RenderableType]:
    """The address on a line of its own, to be clicked or copied.

    Parameters
    ----------
    facts
        The facts of `show_facts`.
    """
    return [line(facts["address"]), line("Only this computer can open it. Ctrl-C ends it.")]
