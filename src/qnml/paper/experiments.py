"""The experiments, and the parts of the paper based on them.

An experiment is a module of this package with two functions::

    run_chunk(subject, first, last, seed) -> polars.DataFrame
    learnings(subject, repetitions) -> int

The first runs the repetitions ``range(first, last)`` (without the last) and returns one tidy frame: with a column
``repetition`` if there are repetitions, and with the rows of one repetition together, in a fixed order. No row depends
on other repetitions, on the clock or on the number of threads. So the results are the same however they are divided
into chunks. The second returns how many networks a number of repetitions learns.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, cast

from qnml.errors import unknown_name
from qnml.paper.subjects import BEYOND_2000, DATASETS, NETWORKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

__all__ = ["EXPERIMENTS", "PARTS", "Also", "Experiment", "Part", "find_parts"]


class _Module(Protocol):
    def run_chunk(self, subject: str, first: int, last: int, seed: int) -> pl.DataFrame: ...

    def learnings(self, subject: str, repetitions: int) -> int: ...


@dataclass(frozen=True)
class Experiment:
    """One kind of raw results.

    Parameters
    ----------
    name
        Name of the experiment and of its folder.
    module
        The module of this package that runs it.
    kind
        The kind of its subjects; ``"whole"`` for an experiment without repetitions, whose only subject is ``"all"``.
    subjects
        The subjects, in the order of the paper.
    """

    name: str
    module: str
    kind: Literal["network", "dataset", "whole"]
    subjects: tuple[str, ...]

    @property
    def is_repeated(self) -> bool:
        """Whether the experiment is random."""
        return self.kind != "whole"

    def run_chunk(self, subject: str, first: int, last: int, seed: int) -> pl.DataFrame:
        """Run the repetitions from ``first`` up to, not including, ``last``."""
        return self._module.run_chunk(subject, first, last, seed)

    def learnings(self, subject: str, repetitions: int) -> int:
        """How many networks a number of repetitions learns."""
        return self._module.learnings(subject, repetitions)

    @property
    def _module(self) -> _Module:
        # Imported on first use: a worker that samples from networks need not load the modules that read data sets.
        return cast("_Module", importlib.import_module(f"qnml.paper.{self.module}"))


@dataclass(frozen=True)
class Also:
    """A further experiment of a part.

    Parameters
    ----------
    experiment
        Its name.
    repetitions
        Default number of repetitions.
    as_published
        Whether it runs on request only: it shows what the authors' program did.
    """

    experiment: str
    repetitions: int
    as_published: bool = False


@dataclass(frozen=True)
class Part:
    """A table, a figure or an appendix of the paper.

    Parameters
    ----------
    name
        Its name on the command line.
    experiment
        The experiment whose raw results it shows.
    repetitions
        Default number of repetitions.
    subjects
        The subjects it shows, if not all of the experiment.
    also
        Further experiments that it shows, on all of their subjects.
    """

    name: str
    experiment: str
    repetitions: int
    subjects: tuple[str, ...]
    also: tuple[Also, ...] = ()


EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        Experiment("structure", "structure", "network", NETWORKS),
        Experiment("prediction", "prediction", "dataset", DATASETS),
        Experiment("parsimony", "parsimony", "dataset", DATASETS),
        Experiment("regret", "regrets", "whole", ("all",)),
        Experiment("tournaments", "tournaments", "whole", ("all",)),
        Experiment("quotient", "quotient", "whole", ("all",)),
        Experiment("theory", "theory", "whole", ("all",)),
        Experiment("consistency", "consistency", "network", NETWORKS),
        Experiment("slip", "slip", "dataset", BEYOND_2000),
        Experiment("structure-as-published", "structure_published", "network", NETWORKS),
        Experiment("parsimony-as-published", "parsimony_published", "dataset", DATASETS),
    )
}
"""Experiments by name."""

PARTS = {
    part.name: part
    for part in (
        Part("table1", "regret", 1, ("all",)),
        Part("figure1", "prediction", 1000, ("breast_cancer",)),
        Part("figure2", "structure", 1000, NETWORKS, (Also("structure-as-published", 100, as_published=True),)),
        Part("figure3", "structure", 1000, NETWORKS),
        Part("table2", "prediction", 1000, DATASETS),
        Part("table3", "parsimony", 1000, DATASETS, (Also("parsimony-as-published", 100, as_published=True),)),
        Part("theory", "theory", 1, ("all",), (Also("consistency", 100),)),
        Part("appendix-c", "tournaments", 1, ("all",)),
        Part("appendix-d", "quotient", 1, ("all",)),
        Part("appendix-e", "prediction", 1000, DATASETS, (Also("slip", 20, as_published=True),)),
    )
}
"""Parts of the paper by name, in its order."""


def find_parts(call: str, asked: Sequence[str]) -> tuple[Part, ...]:
    """Find parts by name, in the order of the paper.

    Parameters
    ----------
    call
        The calling function, named in errors.
    asked
        Names of parts; ``"all"`` for all of them.
    """
    for name in asked:
        if name != "all" and name not in PARTS:
            raise unknown_name(call, "part", name, [*PARTS, "all"])
    return tuple(part for part in PARTS.values() if "all" in asked or part.name in asked)
