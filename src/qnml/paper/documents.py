"""The schema of the two JSON files in a folder of results, and reading them.

Users can read and edit these files, so they are validated completely before any experiment runs.
"""

from __future__ import annotations

import json
import os
from datetime import datetime
from typing import TYPE_CHECKING, Any

from qnml._api.arguments import MOST_SEED
from qnml._reading import read_file
from qnml._schema import DictOf, ListOf, MisfitError, Number, OneOf, OrNull, Record, Text, Whole
from qnml.errors import FileFormatError
from qnml.paper.experiments import PARTS

if TYPE_CHECKING:
    from pathlib import Path

    from qnml._schema import Kind

__all__ = ["FORMAT", "read_runs", "read_settings"]

FORMAT = 2
"""Version of the layout of the whole folder."""

# A few hundred bytes per run, and no need for more than a hundred thousand runs.
_MOST_BYTES = 2**26
_ADVICE = "Give another folder, or remove this one."


class _Moment:
    """A date, with or without the time of day."""

    words = "a date such as 2018-04-09T12:30:00+00:00"

    def take(self, value: object, place: str = "") -> str:
        text = Text(self.words).take(value, place)
        try:
            datetime.fromisoformat(text)
        except ValueError:
            raise MisfitError(place, value, self.words) from None
        return text


_VERSIONS: dict[str, Kind] = {name: Text() for name in ("qnml", "python", "numpy", "polars")}
_SETTINGS = Record({"format": OneOf((FORMAT,)), "seed": Whole(0, MOST_SEED), "versions": Record(_VERSIONS)})
_RUNS = ListOf(
    Record(
        {
            "date": _Moment(),
            "parts": DictOf(OrNull(Text()), tuple(PARTS)),
            "learnings": Whole(0, 2**53),
            "seconds": Number(0.0, 1e12),
            "workers": Whole(0, 2**31),
        }
    )
)


def read_settings(path: Path) -> dict[str, Any] | None:
    """The settings of the results in a folder; None if there is no such file.

    Parameters
    ----------
    path
        The file.
    """
    found: dict[str, Any] | None = _read(path, _SETTINGS)
    return found


def read_runs(path: Path) -> list[dict[str, Any]]:
    """The list of runs, oldest first; empty if there is no such file.

    Parameters
    ----------
    path
        The file.
    """
    return _read(path, _RUNS) or []


def _read(path: Path, kind: Kind) -> Any:
    if not os.path.exists(path):
        return None
    content = read_file("paper", "out", path, _MOST_BYTES)
    try:
        return kind.take(json.loads(content.decode("utf-8")))
    except (ValueError, RecursionError) as error:
        problem = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise FileFormatError(path, f"is not JSON ({problem}). {_ADVICE}") from None
    except MisfitError as misfit:
        raise FileFormatError(path, f"{misfit}. {_ADVICE}") from None
