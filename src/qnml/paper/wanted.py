"""Requirements of parts of the paper: how many repetitions of which experiment on which subject."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from qnml._api.arguments import MOST_SEED
from qnml._checks import checked_whole_number
from qnml.errors import DataFolderError, InputError, unknown_name
from qnml.paper.experiments import EXPERIMENTS, Also, Part
from qnml.paper.subjects import absent_datasets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["DEFAULT_SEED", "Settings", "Wanted", "find_wanted"]

# The numbers of repetitions are in file names, and nobody waits for more.
_MOST_REPETITIONS = 10**9 - 1

DEFAULT_SEED = 2018
"""The year of the paper."""


@dataclass(frozen=True)
class Settings:
    """The settings that determine the results.

    Parameters
    ----------
    seed
        Seed of all random numbers.
    repetitions
        Number of repetitions of every part; by default each part's own number.
    datasets, networks
        The subjects to run on; all by default.
    as_published
        Whether to run also what the authors' program did, where that differs.
    """

    seed: int = DEFAULT_SEED
    repetitions: int | None = None
    datasets: tuple[str, ...] | None = None
    networks: tuple[str, ...] | None = None
    as_published: bool = False


@dataclass(frozen=True)
class Wanted:
    """What has to be run.

    Parameters
    ----------
    parts
        Names of the parts that can be run, at least partly.
    missing
        Why others cannot be run, or not on all data sets: a sentence by part.
    repetitions
        Number of repetitions by experiment and subject.
    """

    parts: tuple[str, ...]
    missing: Mapping[str, str]
    repetitions: Mapping[tuple[str, str], int]


def find_wanted(parts: Sequence[Part], settings: Settings) -> Wanted:
    """Determine how many repetitions have to be run, and what is not available.

    Parameters
    ----------
    parts
        The requested parts.
    settings
        The settings that determine the results.
    """
    _check(settings)
    absent = absent_datasets()
    chosen: list[str] = []
    missing: dict[str, str] = {}
    repetitions: dict[tuple[str, str], int] = {}
    for part in parts:
        experiment = EXPERIMENTS[part.experiment]
        asked = {"dataset": settings.datasets, "network": settings.networks, "whole": None}[experiment.kind]
        named = [subject for subject in part.subjects if asked is None or subject in asked]
        there = [subject for subject in named if subject not in absent or experiment.kind != "dataset"]
        if not named:
            missing[part.name] = f"{part.name} is about {', '.join(part.subjects)} only, which was not asked for."
        elif len(there) < len(named):
            lacking = [subject for subject in named if subject not in there]
            most = len(lacking) > len(there) > 0
            listed = f"all data sets but {', '.join(there)}" if most else ", ".join(lacking)
            missing[part.name] = (
                f"{part.name} needs the data folder for {listed}. Set QNML_DATA to the folder that holds uci/authors, "
                "then --resume."
            )
        if there:
            chosen.append(part.name)
        for subject in there:
            key = (experiment.name, subject)
            number = (settings.repetitions or part.repetitions) if experiment.is_repeated else 1
            repetitions[key] = max(number, repetitions.get(key, 0))
        for also in part.also if there else ():
            if settings.as_published or not also.as_published:
                for subject in _further(also, settings, absent):
                    repetitions[also.experiment, subject] = settings.repetitions or also.repetitions
    if not chosen:
        lines = " ".join(missing.values())
        raise DataFolderError(f"paper: {lines}") if absent else InputError(f"paper: {lines}")
    return Wanted(tuple(chosen), missing, repetitions)


def _further(also: Also, settings: Settings, absent: Sequence[str]) -> list[str]:
    experiment = EXPERIMENTS[also.experiment]
    asked = {"dataset": settings.datasets, "network": settings.networks, "whole": None}[experiment.kind]
    return [one for one in experiment.subjects if one not in absent and (asked is None or one in asked)]


def _check(settings: Settings) -> None:
    if settings.repetitions is not None:
        checked_whole_number("paper", "reps", settings.repetitions, 1, _MOST_REPETITIONS)
    checked_whole_number("paper", "seed", settings.seed, 0, MOST_SEED)
    for argument, asked, experiment in (
        ("datasets", settings.datasets, "prediction"),
        ("networks", settings.networks, "structure"),
    ):
        for name in asked or ():
            known = EXPERIMENTS[experiment].subjects
            if name not in known:
                raise unknown_name("paper", argument, name, known, most=len(known))
