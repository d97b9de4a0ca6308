"""Verdicts on each part in a few words, for the overview and for the findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from qnml.paper.report.about import repeated
from qnml.paper.report.numbers import agreement

if TYPE_CHECKING:
    from qnml.paper.summary.types import Finding, PartSummary

__all__ = ["Overview", "overview_of", "verdict"]


@dataclass(frozen=True)
class Overview:
    """One line of the overview.

    Parameters
    ----------
    repetitions
        The number of repetitions, in words.
    agreements
        For each table with printed values, the number of cells that agree with them, and the number of cells that can
        be compared.
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
        *((table.title, table.repetitions) for table in summary.tables),
        *((figure.title, figure.repetitions) for figure in summary.figures),
    ):
        repetitions.update({f"{title}/{subject}": number for subject, number in numbers.items()})
    claims = [finding.holds for finding in summary.findings]
    return Overview(
        repetitions=repeated(repetitions),
        agreements=tuple(counts for counts in map(agreement, summary.tables) if counts[1]),
        holding=claims.count(True),
        failing=claims.count(False),
        open=claims.count(None),
    )


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
