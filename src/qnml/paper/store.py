"""Raw results on disk: one Parquet file per chunk, so that a killed run loses only the chunks in progress.

::

    OUT/settings.json                                  the seed and the versions that made the results
    OUT/runs.json                                      what each run did, when, and how long it took
    OUT/raw/<experiment>/<subject>/<first>-<last>-<check>.parquet   the repetitions range(first, last)
    OUT/raw/<experiment>.parquet, .csv                 all of an experiment in one tidy table

Every file is written under a temporary name and then renamed, so a file with its final name is complete. The check in
the name of a chunk is computed from its bytes, the seed and its place: a file that was damaged, edited or copied from
elsewhere is recognized before it is opened, and its repetitions are run again.
"""

from __future__ import annotations

import hashlib
import io
import json
import platform
import re
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from qnml._writing import write_file
from qnml.errors import InputError, QnmlError
from qnml.paper.documents import FORMAT, read_runs, read_settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from qnml.paper.work import Chunk

__all__ = ["Store", "installed_version"]

_CHUNK_NAME = re.compile(r"(\d{1,9})-(\d{1,9})-([0-9a-f]{16})\.parquet")


def installed_version() -> str:
    """The version of qnml in this process."""
    return metadata.version("qnml")


class Store:
    """The folder of a run.

    Parameters
    ----------
    folder
        The folder, created when the first result is saved.

    Attributes
    ----------
    removed
        Files that could not be read and were removed.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.removed = 0

    @property
    def raw(self) -> Path:
        """The folder of raw results."""
        return self.folder / "raw"

    def settings(self) -> dict[str, Any] | None:
        """The settings of the results in this folder; None for a folder without results."""
        return read_settings(self.folder / "settings.json")

    def prepare(self, seed: int, experiments: Sequence[str], *, resume: bool) -> None:
        """Check that results with this seed may be added here.

        Parameters
        ----------
        seed
            Seed of the run that is about to start.
        experiments
            The experiments to which it will add results.
        resume
            Whether to complete results of these experiments that are here already.
        """
        known = self.settings()
        # Check now rather than when the run is recorded, which may be hours later.
        self.runs()
        here = f"paper(out={str(self.folder)!r})"
        if known is None:
            if any(self.raw.glob("*/*/*.parquet")):
                raise InputError(f"{here}: has results but no settings.json that says their seed. Give another folder.")
            self._save_json("settings.json", {"format": FORMAT, "seed": seed, "versions": _versions()})
            return
        version = known["versions"]["qnml"]
        if known["seed"] != seed:
            raise InputError(
                f"{here}: has results of seed {known['seed']}, not of {seed}. "
                f"Add --seed {known['seed']} --resume to continue with them, or give another folder."
            )
        if version != installed_version():
            raise InputError(
                f"{here}: has results of qnml {version}; this is {installed_version()}. Give another folder."
            )
        started = [name for name in experiments if any((self.raw / name).glob("*/*.parquet"))]
        if started and not resume:
            raise InputError(
                f"{here}: has results of {', '.join(started)} already. "
                "Add --resume to keep them and continue, or give another folder."
            )

    def covered(self, experiment: str, subject: str) -> list[range]:
        """Repetitions with results. Files that cannot be trusted are removed, so that their repetitions run again."""
        found = []
        seed = self._seed()
        for path, repetitions in self._chunk_files(experiment, subject):
            if _readable(path, experiment, subject, seed) is None:
                self._remove(path)
            else:
                found.append(repetitions)
        return found

    def save(self, chunk: Chunk, frame: pl.DataFrame) -> None:
        """Save the results of a chunk."""
        content = _parquet(frame)
        repetitions = f"{chunk.first}-{chunk.last}"
        check = _check(content, chunk.experiment, chunk.subject, repetitions, chunk.seed)
        self._save(self.raw / chunk.experiment / chunk.subject / f"{repetitions}-{check}.parquet", content)

    def frame(self, experiment: str, subjects: Sequence[str]) -> pl.DataFrame | None:
        """All results of an experiment, subject by subject and ordered by repetition; None if there are none.

        Parameters
        ----------
        experiment
            Its name.
        subjects
            The subjects to look for, in the order of the result.
        """
        pieces = [piece for subject in subjects for piece in self._pieces(experiment, subject)]
        # In one piece: files made from it must not depend on how it was divided into chunks.
        return pl.concat(pieces, rechunk=True) if pieces else None

    def write_tidy(self, experiment: str, frame: pl.DataFrame) -> list[Path]:
        """Write an experiment as one Parquet and one CSV file."""
        parquet, csv = (self.raw / f"{experiment}{ending}" for ending in (".parquet", ".csv"))
        self._save(parquet, _parquet(frame))
        self._save(csv, frame.write_csv().encode())
        return [parquet, csv]

    def runs(self) -> list[dict[str, Any]]:
        """The list of runs, oldest first."""
        return read_runs(self.folder / "runs.json")

    def note_run(self, facts: dict[str, Any]) -> None:
        """Add a run to the list of runs."""
        self._save_json("runs.json", [*self.runs(), facts])

    def _pieces(self, experiment: str, subject: str) -> Iterator[pl.DataFrame]:
        done = 0
        seed = self._seed()
        for path, repetitions in self._chunk_files(experiment, subject):
            frame = _readable(path, experiment, subject, seed)
            if frame is None:
                continue
            if "repetition" in frame.columns:
                # Two simultaneous runs may have computed the same repetitions; they are equal, and count once.
                frame = frame.filter(pl.col("repetition") >= done).sort("repetition", maintain_order=True)
            elif done:
                continue
            done = max(done, repetitions.stop)
            yield frame

    def _chunk_files(self, experiment: str, subject: str) -> list[tuple[Path, range]]:
        found = []
        for path in (self.raw / experiment / subject).glob("*.parquet"):
            name = _CHUNK_NAME.fullmatch(path.name)
            if name:
                found.append((path, range(int(name[1]), int(name[2]))))
        return sorted(found, key=lambda one: (one[1].start, one[1].stop))

    def _seed(self) -> int | None:
        settings = self.settings()
        return None if settings is None else settings["seed"]

    def _remove(self, path: Path) -> None:
        try:
            path.unlink()
        except OSError as error:
            raise QnmlError(
                f"paper(out={str(self.folder)!r}): {path.name} is damaged and cannot be removed: "
                f"{error.strerror or error}. Remove it, then add --resume."
            ) from error
        self.removed += 1

    def _save_json(self, name: str, content: Any) -> None:
        self._save(self.folder / name, (json.dumps(content, indent=2) + "\n").encode())

    def _save(self, path: Path, content: bytes) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file("paper", "out", path, content)
        except (OSError, ValueError) as error:
            reason = getattr(error.__cause__ or error, "strerror", None) or error
            raise QnmlError(
                f"paper(out={str(self.folder)!r}): {path.name} cannot be written: {reason}. "
                "What was finished before is kept; make room there, then add --resume."
            ) from error


def _readable(path: Path, experiment: str, subject: str, seed: int | None) -> pl.DataFrame | None:
    """The content of a chunk's file, or None if it is not what was written there."""
    repetitions, _, check = path.stem.rpartition("-")
    try:
        content = path.read_bytes()
        if check != _check(content, experiment, subject, repetitions, seed):
            return None
        return pl.read_parquet(io.BytesIO(content))
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException):
        return None


def _check(content: bytes, experiment: str, subject: str, repetitions: str, seed: int | None) -> str:
    place = f"{experiment}/{subject}/{repetitions}/{seed}\n".encode()
    return hashlib.sha256(place + content).hexdigest()[:16]


def _parquet(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


def _versions() -> dict[str, str]:
    return {
        "qnml": installed_version(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "polars": pl.__version__,
    }
