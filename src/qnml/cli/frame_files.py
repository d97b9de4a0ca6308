"""Tables that a command writes to files: CSV or Parquet, depending on the suffix."""

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
"""Suffixes of the files that `write_frame` writes."""


def check_frame_file(command: str, path: str) -> None:
    """Reject a file that could not be written, before the work starts."""
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
            # Not directly to the file: the engine would report a full disk as an error in the content.
            content = io.BytesIO()
            frame.write_parquet(content)
            file.write(content.getbuffer())
