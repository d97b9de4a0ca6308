"""The tables: the samples in the data folder, and fresh samples drawn from its networks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import qnml
from qnml.datasets import data_folder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["FRESH", "SAMPLED", "SHARED", "WIDE", "Case", "Problem", "load"]

SAMPLED = ("child", "insurance", "alarm", "hailfinder", "win95pts")
WIDE = ("andes", "pigs", "link")
FRESH = SAMPLED + WIDE
SHARED = "shared"  # a sample with recorded results of other programs


@dataclass(frozen=True)
class Case:
    """One table of rows drawn from a named network: the sample of the data folder, or that of a seed."""

    network: str
    rows: int
    sample: str


@dataclass(frozen=True)
class Problem:
    """A table with its observed levels, and the network its rows were drawn from."""

    table: qnml.Table
    truth: qnml.Dag

    def write(self, file: Path, names: Sequence[str]) -> None:
        """Write a CSV file with columns in this order; labels are words, since some programs treat numbers as real."""
        columns = [[f"v{code}" for code in self.table.codes(name)] for name in names]
        lines = [",".join(names), *(",".join(row) for row in zip(*columns, strict=True))]
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")


@lru_cache(maxsize=16)
def load(case: Case) -> Problem:
    """Return the table of a case; recently used tables are cached."""
    network = qnml.datasets.load_network(case.network)
    if case.sample == SHARED:
        folder = data_folder()
        assert folder is not None
        file = folder / "samples" / f"{case.network}_N{case.rows}.csv.gz"
        return Problem(qnml.read_table(file, levels="observed"), network.dag)
    drawn = network.sample(case.rows, seed=int(case.sample))
    return Problem(drawn.with_observed_levels(), network.dag)
