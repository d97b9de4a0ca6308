"""``qnml report``: what the page that was written holds.

report
    path; title; story [sentences]; variables; arcs; bytes; probabilities (how they were computed, null if left out);
    answers ("exact", "exact for one observation at a time", or why
    there are none); left_out [parts, with the reason].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml._api.report_contents import Answers, Left
from qnml.reports.parts import line
from qnml.reports.web.story import story

if TYPE_CHECKING:
    from rich.console import RenderableType

    from qnml._api.report_contents import SingleAnswers
    from qnml.reports.fact_parts import Facts
    from qnml.reports.web.page import ReportPage

__all__ = ["report_facts", "report_page"]


def report_facts(page: ReportPage, path: str) -> Facts:
    """What is on the page, and where it was written.

    Parameters
    ----------
    page
        The page.
    path
        Its file.
    """
    contents = page.contents
    found, answers = contents.probabilities, contents.answers
    parts = {
        "Probabilities of arcs": found,
        "Best networks": contents.ranked,
        "What the network misses": contents.residuals,
        "What if": answers,
    }
    return {
        "path": path,
        "title": contents.title,
        "story": story(contents),
        "variables": len(contents.network.names),
        "arcs": contents.network.dag.n_arcs,
        "bytes": len(page.html.encode()),
        "probabilities": None if isinstance(found, Left) else found.sentence,
        "answers": _ways(answers),
        "left_out": [f"{name}: {part.reason}" for name, part in parts.items() if isinstance(part, Left)],
    }


def _ways(answers: Answers | SingleAnswers | Left) -> str:
    if isinstance(answers, Left):
        return answers.reason
    return "exact" if isinstance(answers, Answers) else "exact for one observation at a time"


def report_page(facts: Facts) -> list[RenderableType]:
    """The story, what was left out, and the file.

    Parameters
    ----------
    facts
        The facts of `report_facts`.
    """
    return [
        *map(line, facts["story"]),
        *(line(f"Left out: {text}") for text in facts["left_out"]),
        line(f"Written: {facts['path']} ({facts['bytes'] / 1000:.0f} kB). Open it in a browser."),
    ]
