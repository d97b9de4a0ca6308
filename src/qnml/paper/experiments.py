"""Which experiments there are, and which parts of the paper are made of them.

An experiment is a module of this room with two functions::

    run_chunk(subject, first, last, seed) -> polars.DataFrame
    learnings(subject, repetitions) -> int

The first runs the repetitions ``range(first, last)`` (the last is not among them) and returns one tidy frame: a column
``repetition`` where there are repetitions, the rows of one repetition together and in an order of their own, and
nothing in them that depends on any other repetition, on the clock or on the number of threads. That is what makes the
results the same however they are cut into chunks. The second says how many networks that many repetitions learn.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, cast

from qnml.errors import unknown_name
from qnml.paper.subjects import DATASETS, NETWORKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

__all__ = ["EXPERIMENTS", "PARTS", "Experiment", "Part", "find_parts"]


class _Module(Protocol):
    def run_chunk(self, subject: str, first: int, last: int, seed: int) -> pl.DataFrame: ...

    def learnings(self, subject: str, repetitions: int) -> int: ...


@dataclass(frozen=True)
class Experiment:
    """Raw results of one kind.

    Parameters
    ----------
    name
        Of the experiment and of its folder on disk.
    module
        The module of this room that runs it.
    kind
        What its subjects are; ``"whole"`` for an experiment without repetitions, whose one subject is ``"all"``.
    subjects
        In the order of the paper.
    """

    name: str
    module: str
    kind: Literal["network", "dataset", "whole"]
    subjects: tuple[str, ...]

    @property
    def is_repeated(self) -> bool:
        """Whether chance has a part in it."""
        return self.kind != "whole"

    def run_chunk(self, subject: str, first: int, last: int, seed: int) -> pl.DataFrame:
        """Run the repetitions from ``first`` up to, not including, ``last``."""
        return self._module.run_chunk(subject, first, last, seed)

    def learnings(self, subject: str, repetitions: int) -> int:
        """How many networks are learned in that many repetitions."""
        return self._module.learnings(subject, repetitions)

    @property
    def _module(self) -> _Module:
        # Imported when asked for: a worker that draws from networks need not load what reads data sets.
        return cast("_Module", importlib.import_module(f"qnml.paper.{self.module}"))


@dataclass(frozen=True)
class Part:
    """A table, a figure or an appendix of the paper.

    Parameters
    ----------
    name
        As the command line has it.
    experiment
        The one whose raw results it shows.
    repetitions
        How many are run unless something else is asked for.
    subjects
        Those it shows, where these are not all of the experiment.
    """

    name: str
    experiment: str
    repetitions: int
    subjects: tuple[str, ...]


EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        Experiment("structure", "structure", "network", NETWORKS),
        Experiment("prediction", "prediction", "dataset", DATASETS),
        Experiment("parsimony", "parsimony", "dataset", DATASETS),
        Experiment("regret", "regrets", "whole", ("all",)),
        Experiment("tournaments", "tournaments", "whole", ("all",)),
        Experiment("quotient", "quotient", "whole", ("all",)),
    )
}
"""Experiments by name."""

PARTS = {
    part.name: part
    for part in (
        Part("table1", "regret", 1, ("all",)),
        Part("figure1", "prediction", 100, ("breast_cancer",)),
        Part("figure2", "structure", 100, NETWORKS),
        Part("figure3", "structure", 100, NETWORKS),
        Part("table2", "prediction", 20, DATASETS),
        Part("table3", "parsimony", 100, DATASETS),
        Part("appendix-c", "tournaments", 1, ("all",)),
        Part("appendix-d", "quotient", 1, ("all",)),
        Part("appendix-e", "prediction", 20, DATASETS),
    )
}
"""Parts of the paper by name, in its order."""


def find_parts(call: str, asked: Sequence[str]) -> tuple[Part, ...]:
    """Look parts up, in the order of the paper.

    Parameters
    ----------
    call
        The call to name in the error.
    asked
        Names of parts; ``"all"`` for every one.
    """
    for name in asked:
        if name != "all" and name not in PARTS:
            raise unknown_name(call, "part", name, [*PARTS, "all"])
    return tuple(part for part in PARTS.values() if "all" in asked or part.name in asked)
