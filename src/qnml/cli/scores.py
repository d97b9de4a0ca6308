"""``qnml scores``: the known scores."""

import qnml
from qnml.cli.options import AsJson
from qnml.cli.show import show
from qnml.reports import scores_facts, scores_page

__all__ = ["scores"]


def scores(as_json: AsJson = False) -> None:
    """List the scores, their parameters and their properties.

    \b
    Example:
      qnml scores
    """
    show("scores", scores_facts(qnml.SCORES.values()), scores_page, as_json=as_json)
