"""The contents of a folder of results, read without running anything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from qnml.errors import InputError
from qnml.paper.experiments import EXPERIMENTS, PARTS, Part
from qnml.paper.store import Store
from qnml.paper.summary import summarize
from qnml.paper.summary.types import PartSummary

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import polars as pl

__all__ = ["Results", "read_results"]


@dataclass(frozen=True)
class Results:
    """The contents of a folder of results.

    Parameters
    ----------
    frames
        Raw results by experiment.
    parts
        The parts requested in any run, in the order of the paper, each with the reason if something is missing.
    seed, version
        Seed and version of qnml of the results.
    date
        Date of the last run, such as ``"2018-04-09"``; empty if it was killed.
    learnings, seconds
        Networks learned in all runs, and the time taken; without runs that were killed.
    """

    frames: Mapping[str, pl.DataFrame]
    parts: Mapping[str, str | None]
    seed: int
    version: str
    date: str
    learnings: int
    seconds: float

    def summaries(self) -> tuple[PartSummary, ...]:
        """Summaries of the parts, with the printed values."""
        return tuple(self._summary(part, missing) for part, missing in self.parts.items())

    def _summary(self, part: str, missing: str | None) -> PartSummary:
        if not self._has(PARTS[part]):
            return PartSummary(part, (), (), (), missing or "it was stopped before its first results.")
        summary = summarize(part, self.frames)
        return summary if missing is None else replace(summary, missing=missing)

    def _has(self, part: Part) -> bool:
        """Whether there are results for any subject of the part."""
        frame = self.frames.get(part.experiment)
        if frame is None:
            return False
        kind = EXPERIMENTS[part.experiment].kind
        # The subjects of an experiment are in a column named after their kind.
        return kind == "whole" or frame[kind].is_in(part.subjects).any()


def read_results(out: str | Path) -> Results:
    """Read a folder of results.

    Parameters
    ----------
    out
        Folder of earlier runs.
    """
    store = Store(out)
    found = {name: store.frame(name, one.subjects) for name, one in EXPERIMENTS.items()}
    frames = {name: frame for name, frame in found.items() if frame is not None}
    settings = store.settings()
    if not frames or settings is None:
        raise InputError(f"paper(out={str(out)!r}): has no results. Run 'qnml paper all --out {out}' first.")
    runs = store.runs()
    asked: dict[str, str | None] = {}
    for run in runs:
        asked.update(run["parts"])
    if not asked:
        # The first run was killed: show the results so far.
        asked = {name: None for name, part in PARTS.items() if part.experiment in frames}
    return Results(
        frames=frames,
        parts={name: asked[name] for name in PARTS if name in asked},
        seed=settings["seed"],
        version=settings["versions"]["qnml"],
        date=runs[-1]["date"][:10] if runs else "",
        learnings=sum(run["learnings"] for run in runs),
        seconds=sum(run["seconds"] for run in runs),
    )
