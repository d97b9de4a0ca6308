r"""The file pair of the bene program: ``name.vd`` (variables) and ``name.idt`` (level numbers).

``.vd`` has one tab-separated line per variable: its name, then its level labels. ``.idt`` has one tab-separated
line per row: the level number of each variable, counted from 0. There is no header, and missing values are not
supported. Either file may be gzip-compressed, with ``.gz`` added to its name.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import polars as pl

from qnml._checks import checked_path
from qnml._memory import resolve_memory_limit
from qnml._reading import read_file
from qnml._writing import written_file
from qnml.data.delimited import checked_text, split_cells
from qnml.data.forks import refuse_lost_threads
from qnml.data.interventions import refuse_interventions
from qnml.data.labels import Label, distinct_labels
from qnml.data.missing import refuse_incomplete
from qnml.data.table import Table
from qnml.data.text_encoding import as_utf8
from qnml.errors import DataError, FileFormatError, InputError

__all__ = ["read_bene", "write_bene"]


def read_bene(path: str | Path, *, memory_limit: float | None = None) -> Table:
    """Read a pair of ``.vd`` and ``.idt`` files, given the path of either.

    Parameters
    ----------
    path
        Either file.
    memory_limit
        As for `read_table`.
    """
    refuse_lost_threads("read_table")
    limit = resolve_memory_limit("read_table", memory_limit)
    variables, rows = _pair(checked_path("read_bene", "path", path))
    names, levels = _read_variables(variables, limit)
    cells = split_cells(rows, _plain_lines(rows, limit), "\t", limit)
    if cells.width != len(names):
        problem = f"the number of cells is {cells.width}, but {variables.name} lists {len(names)} variables"
        raise FileFormatError(rows, problem, line=1)
    columns = []
    for place, (name, labels, texts) in enumerate(zip(names, levels, cells.iter_columns(), strict=True)):
        numbers = texts.str.strip_chars().cast(pl.Int64, strict=False)
        wrong = numbers.is_null() | ~numbers.is_between(0, len(labels) - 1)
        if wrong.any():
            row = int(wrong.arg_true()[0])
            problem = f"{texts[row]!r} is not a level number of {name!r}, which has levels 0 to {len(labels) - 1}"
            raise FileFormatError(rows, problem, line=row + 1, column=place + 1)
        columns.append(numbers.to_numpy())
    return Table.from_codes(columns, names, levels)


def write_bene(table: Table, stem: str | Path) -> tuple[Path, Path]:
    """Write a table as ``stem.vd`` and ``stem.idt`` and return the two paths.

    Each row is repeated according to its weight, since the format has no weights.
    """
    refuse_incomplete("write_bene", table)
    refuse_interventions("write_bene", table, "The format has no place for that.")
    texts = [str(part) for name, labels in zip(table.names, table.levels, strict=True) for part in (name, *labels)]
    for place, text in enumerate(texts):
        # Readers strip a byte-order mark at the beginning of the file, so it would be lost from the first name.
        is_cut = place == 0 and text.startswith("\ufeff")
        if not text or text != text.strip() or is_cut or any(mark in text for mark in "\t\r\n"):
            raise DataError(
                f"write_bene(table): the name or label {text!r} cannot be written: the format has no quoting, splits "
                "at tabs and line ends, and may begin with a byte-order mark. Rename it."
            )
    variables, rows = Path(f"{stem}.vd"), Path(f"{stem}.idt")
    lines = ("\t".join([name, *map(str, labels)]) for name, labels in zip(table.names, table.levels, strict=True))
    codes = np.column_stack(table.columns)
    if table.weights is not None:
        codes = np.repeat(codes, table.weights.astype(np.int64), axis=0)
    call = "write_bene"
    with written_file(call, "stem", variables) as variables_file, written_file(call, "stem", rows) as rows_file:
        variables_file.write("".join(line + "\n" for line in lines).encode())
        pl.DataFrame(codes).write_csv(rows_file, separator="\t", include_header=False)
        # Both are written before either is moved into place: a new file must never be paired with an old one.
        variables_file.flush()
        rows_file.flush()
    return variables, rows


def _pair(path: Path) -> tuple[Path, Path]:
    name = path.name[:-3] if path.name.lower().endswith(".gz") else path.name
    stem, ending = name.rsplit(".", 1)
    partner_ending = {"vd": "idt", "idt": "vd", "VD": "IDT", "IDT": "VD"}.get(ending, "")
    candidates = [path.with_name(f"{stem}.{partner_ending}{packed}") for packed in ("", ".gz")]
    if not os.path.exists(path):
        raise InputError(f"read_table(source={str(path)!r}): there is no such file. Check the path.")
    partner = next((candidate for candidate in candidates if os.path.exists(candidate)), None)
    if partner is None:
        raise InputError(
            f"read_table(source={str(path)!r}): the other file of the pair, {candidates[0].name} or "
            f"{candidates[1].name}, is not beside it."
        )
    return (path, partner) if ending.lower() == "vd" else (partner, path)


def _text(path: Path, limit: float) -> bytes:
    data, _ = as_utf8(path, read_file("read_table", "source", path, limit), "utf-8", limit)
    return checked_text(path, data)


def _plain_lines(path: Path, limit: float) -> bytes:
    """Return the text of the rows, rejecting anything that would make row and line numbers differ."""
    data = _text(path, limit).replace(b"\r\n", b"\n")
    for mark, problem in (
        (b'"', "a quote; level numbers are written plain"),
        (b"\n\n", "a blank line follows"),
    ):
        place = data.find(mark)
        if place >= 0:
            raise FileFormatError(path, problem, line=data.count(b"\n", 0, place) + 1)
    return data


def _read_variables(path: Path, limit: float) -> tuple[list[str], list[tuple[Label, ...]]]:
    names: list[str] = []
    seen: set[str] = set()
    levels: list[tuple[Label, ...]] = []
    text = _text(path, limit).decode("utf-8")
    for line, content in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        name, *labels = [part.strip() for part in content.split("\t")]
        if not name or not labels or "" in labels:
            problem = "expected a variable name and its level labels, separated by single tabs"
            raise FileFormatError(path, problem, line=line)
        if name in seen:
            raise FileFormatError(path, f"the variable {name!r} is listed twice", line=line)
        try:
            levels.append(distinct_labels("read_table", name, labels))
        except DataError as error:
            raise FileFormatError(path, str(error).removeprefix("read_table: "), line=line) from None
        seen.add(name)
        names.append(name)
    return names, levels
