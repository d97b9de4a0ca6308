"""Reading asks for memory before it takes it."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import numpy as np
import openpyxl
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

from qnml.data import read_bene, read_frame, read_table, write_bene
from qnml.data.reading_cost import check_cost
from qnml.errors import InputError, TooLargeError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def _text(rows: int) -> bytes:
    return b"a,b\n" + b"0,x\n1,y\n" * (rows // 2)


def _parquet(path: Path) -> None:
    pl.DataFrame({"a": np.zeros(3_000_000, dtype=np.int64)}).write_parquet(path, compression="zstd")


def _arrow(path: Path) -> None:
    pl.DataFrame({"a": np.zeros(3_000_000, dtype=np.int64)}).write_ipc(path, compression="zstd")


_WRITERS: dict[str, Callable[[Path], object]] = {
    "t.csv": lambda path: path.write_bytes(_text(1_000_000)),
    "t.csv.gz": lambda path: path.write_bytes(gzip.compress(_text(1_000_000))),
    "t.tsv.gz": lambda path: path.write_bytes(gzip.compress(bytes(30_000_000))),
    "t.parquet": _parquet,
    "t.arrow": _arrow,
}


@pytest.mark.parametrize("name", _WRITERS)
def test_files_beyond_the_limit_are_refused_with_the_figures(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)  # as if it were not installed
    path = tmp_path / name
    _WRITERS[name](path)
    for read in (read_table, read_frame):
        with pytest.raises(TooLargeError, match=r"19\.1 MiB.*Give a larger memory_limit"):
            read(path, memory_limit=20 * 10**6)


def test_duckdb_reads_what_is_beyond_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    _WRITERS["t.csv"](path)
    assert read_table(path, memory_limit=20 * 10**6).total == 1_000_000


def test_bene_files_beyond_the_limit_are_refused(tmp_path: Path) -> None:
    variables, rows = write_bene(read_table(np.zeros((10_000, 3), dtype=int)), tmp_path / "t")
    for path in (variables, rows):
        assert read_bene(path, memory_limit=10**8).n_rows == 10_000
        with pytest.raises(TooLargeError, match=r"976\.6 KiB may be used"):
            read_table(path, memory_limit=10**6)


@pytest.mark.parametrize("limit", [0, -1, float("nan"), "1 GB", True])
def test_limits_that_are_none_are_refused(limit: object) -> None:
    with pytest.raises(InputError, match="memory_limit"):
        read_table({"a": [1, 2]}, memory_limit=limit)  # type: ignore[arg-type]


def test_enough_is_enough(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(_text(1000))
    assert read_table(path, memory_limit=10**6).n_rows == 1000


def test_long_texts_that_many_rows_refer_to_are_not_written_out(tmp_path: Path) -> None:
    # A dictionary column sends the file to PyArrow, which would write the text of 100 KB out for each of 2,000 rows.
    path = tmp_path / "t.parquet"
    labels = pa.array(["x" * 10**5, "y"])
    table = pa.table(
        {
            "text": pa.DictionaryArray.from_arrays(pa.array([0, 1] * 1000, pa.int32()), labels),
            "level": pa.array(["u", "v"] * 1000).dictionary_encode(),
        }
    )
    kept = pa.schema([pa.field("text", pa.string()), pa.field("level", table["level"].type)])
    with pyarrow.parquet.ParquetWriter(path, kept) as writer:
        writer.write_table(table.cast(kept))
    assert path.stat().st_size < 10**6
    with pytest.raises(TooLargeError, match=r"190\.7 MiB unpacked"):
        read_table(path, memory_limit=10**8)


_PEAK = """
import os, sys
import numpy, polars
from qnml._memory import peak_memory
from qnml.data import read_table
from qnml.errors import DataError
with open(sys.argv[1] + ".small.csv", "w") as file:
    file.write("a,b\\n1,x\\n2,y\\n")
read_table(sys.argv[1] + ".small.csv")
with open("/proc/self/statm") as file:
    before = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # the peak begins anew
try:
    read_table(sys.argv[1], missing="category")
except DataError:
    pass
print(peak_memory() - before)
"""


def _cells(letters: list[str], rows: int, columns: int) -> bytes:
    generator = np.random.default_rng(1)
    cells = np.array(letters, dtype=object)[generator.integers(0, len(letters), (rows, columns))]
    header = ",".join(f"v{place}" for place in range(columns))
    return "\n".join([header, *(",".join(row) for row in cells)]).encode()


@pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="the sanitizer's allocator keeps memory that is given back")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peaks of memory are measured by /proc")
@pytest.mark.parametrize(
    ("letters", "rows", "columns", "slow"),
    [
        (["0", "1"], 100_000, 20, False),
        (["0"], 1_000_000, 1, False),
        ([" a", "b ", "NA", ""], 100_000, 20, False),
        (["a label of some length", "another one of some length"], 40_000, 20, False),
        (["a", "b", "c"], 20, 20_000, False),
        (["a", 'a quote " inside'], 40_000, 20, True),
    ],
)
def test_the_estimate_bounds_the_peak(tmp_path: Path, letters: list[str], rows: int, columns: int, slow: bool) -> None:
    path = tmp_path / "t.csv"
    data = _cells(letters, rows, columns)
    path.write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-c", _PEAK, str(path)], capture_output=True, text=True, check=True, timeout=300
    )
    peak = int(done.stdout)
    cells = (rows + 1) * columns
    # The memory that allocators keep for their threads does not depend on the file.
    check_cost(path, cells, columns, len(data), np.inf, slow=slow)
    with pytest.raises(TooLargeError):
        check_cost(path, cells, columns, len(data), peak - 32 * 2**20, slow=slow)
    assert peak > 0.2 * _least_limit(path, cells, columns, len(data), slow)


def _excel(path: Path, part: str = "", old: bytes = b"", new: bytes = b"") -> None:
    """A workbook of 100,000 cells, or a small one with something repeated in one of its parts."""
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    for row in range(2 if part else 10_000):
        sheet.append([f"text {row} {place}" if place % 2 else row + place / 7 for place in range(10)])
    plain = io.BytesIO()
    book.save(plain)
    with zipfile.ZipFile(plain) as before, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as after:
        for name in before.namelist():
            content = before.read(name)
            assert name != part or old in content
            after.writestr(name, content.replace(old, new, 1) if name == part else content)


_SHEET, _STYLES = "xl/worksheets/sheet1.xml", "xl/styles.xml"


@pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="the sanitizer's allocator keeps memory that is given back")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peaks of memory are measured by /proc")
@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        ("", b"", b""),
        (_SHEET, b"</sheetData>", b"<row><c><v>1</v></c></row>" * 200_000 + b"</sheetData>"),
        (_SHEET, b"<sheetData>", b'<sheetData odd="' + b"x" * 20_000_000 + b'">'),
        (_STYLES, b"</cellXfs>", b'<xf numFmtId="14"/>' * 100_000 + b"</cellXfs>"),
    ],
)
def test_the_estimate_for_excel_bounds_the_peak(tmp_path: Path, part: str, old: bytes, new: bytes) -> None:
    path = tmp_path / "t.xlsx"
    _excel(path, part, old, new)
    done = subprocess.run(
        [sys.executable, "-c", _PEAK, str(path)], capture_output=True, text=True, check=True, timeout=300
    )
    peak = int(done.stdout)
    with pytest.raises(TooLargeError, match="may be used"):
        read_table(path, memory_limit=peak)


def _least_limit(path: Path, cells: int, columns: int, size: int, slow: bool) -> float:
    low, high = 0.0, 1e12
    while high - low > 1e5:
        middle = (low + high) / 2
        try:
            check_cost(path, cells, columns, size, middle, slow=slow)
            high = middle
        except TooLargeError:
            low = middle
    return high
