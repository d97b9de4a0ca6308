"""Paths of data files: the format implied by the suffix, and the reader that opens it.

The readers need Polars, which is imported when the first file is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qnml._checks import checked_path
from qnml._packages import needed
from qnml.errors import bad_argument

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

__all__ = ["FILE_KINDS", "file_kind", "is_bene", "read_path"]

FILE_KINDS = (
    ".csv", ".csv.gz", ".tsv", ".tsv.gz", ".parquet", ".feather", ".arrow", ".ipc",
    ".vd", ".vd.gz", ".idt", ".idt.gz",
)  # fmt: skip


def file_kind(path: Path) -> str:
    """Return which of the known suffixes a path has."""
    name = path.name.lower()
    for kind in FILE_KINDS:
        if name.endswith(kind):
            return kind
    raise bad_argument("read_table", "source", str(path), f"a file ending in {', '.join(FILE_KINDS)}")


def is_bene(path: Path) -> bool:
    """Return whether a path is one of bene's two files."""
    return file_kind(path).removesuffix(".gz") in (".vd", ".idt")


def read_path(call: str, argument: str, path: str | PathLike[str], memory_limit: float | None = None) -> Any:
    """Read a data file.

    Parameters
    ----------
    call, argument : the calling function and its argument that holds the path, for errors.
    path : the file.
    memory_limit : as for `read_table`.

    Returns
    -------
    Table or data frame
        A table for bene's files, otherwise the result of `read_frame`.
    """
    checked = checked_path(call, argument, path)
    bene = is_bene(checked)
    needed("polars", call, "reads files", "Or pass an array, a mapping or a pandas frame.")
    if bene:
        from qnml.data.bene import read_bene

        return read_bene(checked, memory_limit=memory_limit)
    from qnml.data.files import read_frame

    return read_frame(checked, memory_limit=memory_limit)
