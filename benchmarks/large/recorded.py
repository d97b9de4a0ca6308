"""Results of other programs on the samples in the data folder, as recorded in its ``peers.csv``."""

from __future__ import annotations

import csv
from dataclasses import dataclass

from qnml.datasets import data_folder

__all__ = ["Recorded", "read"]

_COLUMNS = {"bic": "bic", "bdeu": "bdeu1", "qnml": "qnml"}
_PROGRAMS = {"bnlearn-R": "bnlearn", "pybnesian": "PyBNesian", "pyagrum": "pyAgrum", "tetrad": "Tetrad"}


@dataclass(frozen=True)
class Recorded:
    """One search of another program on one of the samples. Scores use observed levels, like ours."""

    network: str
    rows: int
    program: str
    search: str
    score: str
    seconds: float
    distance: int | None
    values: dict[str, float]

    @property
    def name(self) -> str:
        """A short name."""
        return f"{self.program} {self.search}" + ("" if self.score == "none" else f" {self.score}")


def read() -> list[Recorded]:
    """Return all recorded results; none without the data folder."""
    folder = data_folder()
    if folder is None:
        return []
    with (folder / "samples" / "peers.csv").open(encoding="utf-8") as lines:
        return [
            Recorded(
                network=row["network"],
                rows=int(row["N"]),
                program=_PROGRAMS.get(row["peer"], row["peer"]),
                search=row["algorithm"],
                score=row["score_used"],
                seconds=float(row["seconds"]),
                distance=int(row["shd_cpdag"]) if row["shd_cpdag"] else None,
                values={score: float(row[column]) for score, column in _COLUMNS.items() if row[column]},
            )
            for row in csv.DictReader(lines)
        ]
