"""The origin of a report, and the titles of its parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml.paper.summary.types import PartSummary

__all__ = ["PART_TITLES", "About", "in_order", "part_title", "repeated"]

PART_TITLES: Mapping[str, str] = {
    "table1": "Table 1: regrets by three methods",
    "figure1": "Figure 1: parameters against sample size on breast cancer",
    "figure2": "Figure 2: distance to the generating structure",
    "figure3": "Figure 3: average rank in finding the structure",
    "table2": "Table 2: ranks in prediction",
    "table3": "Table 3: parameters of models learned from little data",
    "theory": "Theory: theorems, lemmas and consistency in numbers (Sections 3.1 to 3.4, Appendices A and B)",
    "appendix-c": "Appendix C: where qNML equals NML",
    "appendix-d": "Appendix D: BDq and its hyperparameter",
    "appendix-e": "Appendix E: prediction and parsimony, data set by data set",
}
"""Headings of the parts, in the order in which they are shown."""


@dataclass(frozen=True)
class About:
    """The origin of the results.

    Parameters
    ----------
    version
        Version of qnml that ran the experiments.
    date
        Date of the last result, such as ``"2026-11-16"``.
    seed
        The seed of the run.
    command
        The command that was given, if known.
    remarks
        Further sentences, such as the running time and the machine.
    """

    version: str
    date: str
    seed: int
    command: str = ""
    remarks: tuple[str, ...] = ()


def part_title(part: str) -> str:
    """The heading of a part.

    Parameters
    ----------
    part
        Its name, such as ``"table2"``.
    """
    return PART_TITLES.get(part, part)


def in_order(summaries: Sequence[PartSummary]) -> list[PartSummary]:
    """Summaries in the order of the paper.

    Parameters
    ----------
    summaries
        At most one per part.
    """
    places = {part: place for place, part in enumerate(PART_TITLES)}
    return sorted(summaries, key=lambda summary: (places.get(summary.part, len(places)), summary.part))


def repeated(repetitions: Mapping[str, int]) -> str:
    """The number of repetitions, in words; empty for exact results.

    Parameters
    ----------
    repetitions
        Repetitions by subject.

    Examples
    --------
    >>> repeated({"iris": 100, "wine": 100})
    '100 repetitions'
    >>> repeated({"iris": 100, "wine": 20})
    '20 to 100 repetitions'
    """
    numbers = sorted({number for number in repetitions.values() if number > 0})
    if not numbers:
        return ""
    if len(numbers) > 1:
        return f"{numbers[0]} to {numbers[-1]} repetitions"
    return f"{numbers[0]} repetition{'' if numbers[0] == 1 else 's'}"
