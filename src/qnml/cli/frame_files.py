"""Tables that a command leaves as files: CSV or Parquet, by the ending of the name."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from qnml._writing import written_file
from qnml.errors import InputError, bad_argument

if TYPE_CHECKING:
    import polars as pl

__all__ = ["FRAME_KINDS", "check_frame_file", "write_frame"]

FRAME_KINDS = (".csv", ".parquet")
"""Endings of the files `write_frame` writes."""


def check_frame_file(command: str, path: str) -> None:
    """Refuse what could not be written, before the work."""
    if not path.lower().endswith(FRAME_KINDS):
        raise bad_argument(command, "output", path, f"a file name ending in one of {', '.join(FRAME_KINDS)}")
    if not Path(path).parent.is_dir():
        raise InputError(f"{command}: {path} cannot be written: there is no folder {Path(path).parent}.")


def write_frame(command: str, frame: pl.DataFrame, path: str) -> None:
    """Write a frame; an existing file is replaced."""
    with written_file(command, "output", path) as file:
        if path.lower().endswith(".csv"):
            frame.write_csv(file)
        else:
            # Not into the file itself: the engine would tell a full disk as a fault of the content.
            content = io.BytesIO()
            frame.write_parquet(content)
            file.write(content.getbuffer())
