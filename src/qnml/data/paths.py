"""Paths of data files: the format implied by the suffix, and the reader that opens it.

The readers need Polars, which is imported when the first file is read.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qnml._checks import checked_path
from qnml._packages import needed
from qnml.data.file_objects import is_file_object
from qnml.data.file_options import FileOptions, FileType
from qnml.errors import bad_argument

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["EXCEL_KINDS", "FILE_KINDS", "TEXT_KINDS", "file_kind", "is_bene", "is_readable", "read_path"]

_SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".txt": None, ".dat": None, ".data": None}

TEXT_KINDS: Mapping[str, str | None] = {
    f"{kind}{packed}": separator for kind, separator in _SEPARATORS.items() for packed in ("", ".gz")
}
"""The suffixes of text files, with the separator that each promises."""

EXCEL_KINDS = (".xlsx", ".xlsm")

FILE_KINDS = (
    *TEXT_KINDS, ".parquet", ".feather", ".arrow", ".ipc", *EXCEL_KINDS, ".vd", ".vd.gz", ".idt", ".idt.gz",
)  # fmt: skip

_OTHER_SHEETS = (".xls", ".xlsb", ".ods")
_BENE = FileType("a file of the program bene")


def file_kind(path: Path) -> str:
    """Return which of the known suffixes a path has."""
    name = path.name.lower()
    for kind in FILE_KINDS:
        if name.endswith(kind):
            return kind
    plain = [kind for kind in FILE_KINDS if not kind.endswith(".gz")]
    packed = ", ".join(kind for kind in plain if f"{kind}.gz" in FILE_KINDS)
    allowed = f"a file ending in {packed} (each also with .gz), {', '.join(k for k in plain if k not in packed)}"
    advice = "Save the sheet as .xlsx or .csv." if name.endswith(_OTHER_SHEETS) else ""
    raise bad_argument("read_table", "source", str(path), allowed, advice)


def is_bene(path: Path) -> bool:
    """Return whether a path is one of bene's two files."""
    return file_kind(path).removesuffix(".gz") in (".vd", ".idt")


def is_readable(source: object) -> bool:
    """Return whether a source is a path or an open file, which `read_path` reads."""
    return isinstance(source, (str, PathLike)) or is_file_object(source)


def read_path(
    call: str,
    argument: str,
    path: Any,
    memory_limit: float | None = None,
    options: FileOptions | None = None,
    *,
    name_unnamed: bool = False,
    notes: list[str] | None = None,
) -> Any:
    """Read a data file.

    Parameters
    ----------
    call, argument : the calling function and its argument that holds the path, for errors.
    path : the file, or an open file.
    memory_limit : as for `read_table`.
    options : how to read it.
    name_unnamed : as for `qnml.data.files.open_file`.
    notes : a list that the notes are added to, for the record.

    Returns
    -------
    Table or data frame
        A table for bene's files, otherwise the frame of `qnml.data.files.open_file`; its notes become warnings.
    """
    checked = path if is_file_object(path) else checked_path(call, argument, path)
    bene = isinstance(checked, Path) and is_bene(checked)
    needed("polars", call, "reads files", "Or pass an array, a mapping or a pandas frame.")
    options = options or FileOptions()
    if bene:
        from qnml.data.bene import read_bene

        options.check_fit(f"'{checked}'", _BENE)
        return read_bene(checked, memory_limit=memory_limit)
    from qnml.data.files import read_with_warnings

    opened = read_with_warnings(checked, options, memory_limit, name_unnamed=name_unnamed)
    if notes is not None:
        notes.extend(opened.notes)
    return opened.frame
