"""Small runs of the paper's experiments: one network of five variables, a few repetitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
import pytest

from qnml.paper.experiments import EXPERIMENTS
from qnml.paper.run import run
from qnml.paper.wanted import Settings

if TYPE_CHECKING:
    from pathlib import Path

SMALL = Settings(seed=5, repetitions=3, networks=("cancer",))


class Drawn:
    """A stand-in for an experiment: numbers that depend only on the seed and the repetition."""

    name = "structure"
    kind = "network"
    is_repeated = True
    subjects = ("asia", "cancer")

    def __init__(self) -> None:
        self.calls: list[tuple[str, int, int]] = []

    def run_chunk(self, subject: str, first: int, last: int, seed: int) -> pl.DataFrame:
        """Two rows a repetition."""
        self.calls.append((subject, first, last))
        rows = [(subject, repetition, f"{seed}-{repetition}-{i}") for repetition in range(first, last) for i in (0, 1)]
        return pl.DataFrame(rows, schema=["network", "repetition", "value"], orient="row")

    def learnings(self, subject: str, repetitions: int) -> int:
        """Two a repetition."""
        return 2 * repetitions


@pytest.fixture
def drawn(monkeypatch) -> Drawn:
    """The experiment ``structure``, replaced by one that takes no time and records its calls."""
    fake = Drawn()
    monkeypatch.setitem(EXPERIMENTS, "structure", fake)
    return fake


@pytest.fixture(scope="session")
def serial(tmp_path_factory) -> Path:
    """The folder of a small run in this process, one repetition at a time."""
    folder = tmp_path_factory.mktemp("serial")
    run(["figure2"], SMALL, folder, workers=1, chunk_seconds=0)
    return folder


@pytest.fixture
def assert_same_bits(serial):
    """Compare the results in a folder with those of the serial run, byte by byte."""

    def compare(folder: Path) -> None:
        for name in ("structure.parquet", "structure.csv"):
            assert (folder / "raw" / name).read_bytes() == (serial / "raw" / name).read_bytes(), name

    return compare
