"""Raw results on disk: one Parquet file a chunk, so that a killed run loses only what was under way.

::

    OUT/settings.json                                  the seed and the versions that made the results
    OUT/runs.json                                      what each run did, when, and how long it took
    OUT/raw/<experiment>/<subject>/<first>-<last>-<check>.parquet   the repetitions range(first, last)
    OUT/raw/<experiment>.parquet, .csv                 all of an experiment in one tidy table

Every file is written beside its place and then moved there, so a file that has its name is whole. The check in the name
of a chunk is made of its bytes, the seed and where it belongs: a file that was damaged, edited or brought here from
elsewhere is known before it is opened, and its repetitions are run again.
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
        Made when the first result is kept.

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
        """Where raw results are."""
        return self.folder / "raw"

    def settings(self) -> dict[str, Any] | None:
        """What the results here were made with; None for a folder without results."""
        return read_settings(self.folder / "settings.json")

    def prepare(self, seed: int, experiments: Sequence[str], *, resume: bool) -> None:
        """Make sure that results with this seed may be added here.

        Parameters
        ----------
        seed
            Of the run that is about to start.
        experiments
            Those it will add to.
        resume
            Whether results of these experiments that are here already are to be completed.
        """
        known = self.settings()
        # Now, and not when the run is noted: that may be hours later.
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
                f"Add --seed {known['seed']} --resume to go on with them, or give another folder."
            )
        if version != installed_version():
            raise InputError(
                f"{here}: has results of qnml {version}; this is {installed_version()}. Give another folder."
            )
        started = [name for name in experiments if any((self.raw / name).glob("*/*.parquet"))]
        if started and not resume:
            raise InputError(
                f"{here}: has results of {', '.join(started)} already. "
                "Add --resume to keep them and go on from there, or give another folder."
            )

    def covered(self, experiment: str, subject: str) -> list[range]:
        """Repetitions that are here. Files that cannot be trusted are removed: their repetitions are run again."""
        found = []
        seed = self._seed()
        for path, repetitions in self._chunk_files(experiment, subject):
            if _readable(path, experiment, subject, seed) is None:
                self._remove(path)
            else:
                found.append(repetitions)
        return found

    def save(self, chunk: Chunk, frame: pl.DataFrame) -> None:
        """Keep the results of a chunk."""
        content = _parquet(frame)
        repetitions = f"{chunk.first}-{chunk.last}"
        check = _check(content, chunk.experiment, chunk.subject, repetitions, chunk.seed)
        self._save(self.raw / chunk.experiment / chunk.subject / f"{repetitions}-{check}.parquet", content)

    def frame(self, experiment: str, subjects: Sequence[str]) -> pl.DataFrame | None:
        """Everything that is here of an experiment: subject by subject, ordered by repetition; None for nothing.

        Parameters
        ----------
        experiment
            Its name.
        subjects
            Those to look for, in the order wanted.
        """
        pieces = [piece for subject in subjects for piece in self._pieces(experiment, subject)]
        # In one piece: how it was cut must not show in the files made from it, either.
        return pl.concat(pieces, rechunk=True) if pieces else None

    def write_tidy(self, experiment: str, frame: pl.DataFrame) -> list[Path]:
        """Write an experiment as one Parquet and one CSV file."""
        parquet, csv = (self.raw / f"{experiment}{ending}" for ending in (".parquet", ".csv"))
        self._save(parquet, _parquet(frame))
        self._save(csv, frame.write_csv().encode())
        return [parquet, csv]

    def runs(self) -> list[dict[str, Any]]:
        """What each run did, the oldest first."""
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
                # Two runs at once may have done the same repetitions; they are the same, and count once.
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
    """The content of a chunk's file, or None where it is not what was written there."""
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
