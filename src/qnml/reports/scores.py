"""``qnml scores``: the known scores.

scores
    scores [{name, title, reference, equivalent, decomposable, set_function, regular, parameter}], where parameter is
    null or {name, default, meaning, named [words]}.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.reports.parts import grid, line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import RenderableType

    from qnml.reports.fact_parts import Facts
    from qnml.scores import Score

__all__ = ["scores_facts", "scores_page"]


def scores_facts(scores: Iterable[Score]) -> Facts:
    """The scores with their properties and parameters."""
    return {"scores": [_score(score) for score in scores]}


def _score(score: Score) -> Facts:
    parameter = score.parameter
    return {
        "name": score.name,
        "title": score.title,
        "reference": score.reference,
        "equivalent": score.is_equivalent,
        "decomposable": score.is_decomposable,
        "set_function": score.is_set_function,
        "regular": score.is_regular,
        "parameter": parameter
        and {
            "name": parameter.name,
            "default": parameter.default,
            "meaning": parameter.meaning,
            "named": list(parameter.named or ()),
        },
    }


def scores_page(facts: Facts) -> list[RenderableType]:
    """One row for each score."""
    heads = [(head, "left") for head in ("score", "description", "equivalent", "regular", "parameter")]
    rows = []
    for score in facts["scores"]:
        parameter = score["parameter"]
        shown = f"{parameter['name']}={parameter['default']:g}" if parameter else ""
        rows.append((score["name"], score["title"], _yes(score["equivalent"]), _yes(score["regular"]), shown))
    return [
        grid(heads, rows),
        line("Equivalent: equivalent networks have equal scores."),
        line("Regular: a parent that does not improve the fit never improves the score."),
    ]


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"
