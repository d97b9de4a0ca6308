"""Verdicts on each part in a few words, for the overview and for the findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from qnml.paper.report.about import repeated
from qnml.paper.report.numbers import agreement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.paper.summary.types import Finding, PartSummary

__all__ = ["Overview", "overview_of", "total_sentence", "verdict"]


@dataclass(frozen=True)
class Overview:
    """One line of the overview.

    Parameters
    ----------
    repetitions
        The number of repetitions, in words.
    agreements
        The number of cells that agree with printed values, and the number of cells that can be compared; empty if
        nothing can. Tables of alternatives, such as another rule for ties, are not counted.
    holding, failing, open
        Number of claims that hold, that do not hold, and that the results cannot decide.
    """

    repetitions: str
    agreements: tuple[tuple[int, int], ...]
    holding: int
    failing: int
    open: int

    @property
    def cells(self) -> str:
        """The number of cells that agree, in words; empty if nothing is printed."""
        return "; ".join(f"{agreeing} of {compared}" for agreeing, compared in self.agreements)

    @property
    def claims(self) -> str:
        """The number of claims that hold, in words; empty if none was checked."""
        total = self.holding + self.failing + self.open
        if not total:
            return ""
        undecided = f", {self.open} undecided" if self.open else ""
        return f"{self.holding} of {total}{undecided}"


def overview_of(summary: PartSummary) -> Overview:
    """Count the cells that agree and the claims that hold in one part.

    Parameters
    ----------
    summary
        The part.
    """
    repetitions: dict[str, int] = {}
    for title, numbers in (
        *((table.title, table.repetitions) for table in summary.tables if not table.is_alternative),
        *((figure.title, figure.repetitions) for figure in summary.figures),
    ):
        repetitions.update({f"{title}/{subject}": number for subject, number in numbers.items()})
    claims = [finding.holds for finding in summary.findings]
    shown = (*map(agreement, (table for table in summary.tables if not table.is_alternative)), summary.compared)
    agreeing, compared = (sum(counts[place] for counts in shown) for place in (0, 1))
    return Overview(
        repetitions=repeated(repetitions),
        agreements=((agreeing, compared),) if compared else (),
        holding=claims.count(True),
        failing=claims.count(False),
        open=claims.count(None),
    )


def total_sentence(summaries: Sequence[PartSummary]) -> str:
    """How many cells and claims of all parts agree with the paper, in one sentence.

    Parameters
    ----------
    summaries
        The parts.
    """
    found = [overview_of(summary) for summary in summaries]
    cells = [counts for one in found for counts in one.agreements]
    agreeing = sum(counts[0] for counts in cells) + sum(one.holding for one in found)
    compared = sum(counts[1] for counts in cells) + sum(one.holding + one.failing + one.open for one in found)
    return f"{agreeing:,} of {compared:,} cells and claims agree with the paper."


def verdict(finding: Finding) -> str:
    """Whether a claim holds, in words.

    Parameters
    ----------
    finding
        The claim.
    """
    if finding.holds is None:
        return "Undecided"
    return "Holds" if finding.holds else "Does not hold"
