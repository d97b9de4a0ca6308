"""The declared content of Parquet and Arrow files: read correctly or refused; no reader ends the process."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.data.ipc_layout import ipc_layout
from qnml.data.parquet_layout import parquet_layout
from qnml.data.thrift import ThriftReader

_TABLE = pa.table(
    {
        "s": ["aa", "b", None, "ccc"] * 50,
        "i": [1, 2, 3, 1] * 50,
        "f": [1.0, None, 2.5, 1.0] * 50,
        "b": [True, False, None, True] * 50,
        "d": pa.array(["x", "y", None, "x"] * 50).dictionary_encode(),
    }
)


def _written(write: Any, **options: Any) -> bytes:
    file = io.BytesIO()
    write(file, **options)
    return file.getvalue()


def _arrow_parquet(**options: Any) -> bytes:
    return _written(lambda file, **given: pyarrow.parquet.write_table(_TABLE, file, **given), **options)


_PARQUET = {
    **{
        f"{codec}, pages {version}, dictionaries {dictionary}": _arrow_parquet(
            compression=codec, data_page_version=version, use_dictionary=dictionary
        )
        for codec in ("none", "snappy", "gzip", "zstd")
        for version in ("1.0", "2.0")
        for dictionary in (False, True)
    },
    "row groups and small pages": _arrow_parquet(row_group_size=30, data_page_size=16, write_batch_size=8),
    "indices, bloom filters and checksums": _arrow_parquet(write_page_index=True, write_page_checksum=True),
    "of Polars": _written(pl.from_arrow(_TABLE).write_parquet),  # type: ignore[union-attr]
}
_ARROW = {
    **{
        f"feather, {codec}": _written(
            lambda file, **given: pyarrow.feather.write_feather(_TABLE, file, **given), compression=codec, chunksize=70
        )
        for codec in ("uncompressed", "lz4", "zstd")
    },
    **{
        f"of Polars, {codec}": _written(pl.from_arrow(_TABLE).write_ipc, compression=codec)  # type: ignore[union-attr]
        for codec in ("uncompressed", "lz4", "zstd")
    },
}


@pytest.mark.parametrize("kind", _PARQUET)
def test_parquet_files_are_understood(kind: str) -> None:
    data = _PARQUET[kind]
    layout = parquet_layout(data)
    meta = pyarrow.parquet.read_metadata(io.BytesIO(data))
    assert (layout.rows, layout.columns) == (200, 5)
    # The sum in the footer includes the headers of the pages.
    total = sum(meta.row_group(group).total_byte_size for group in range(meta.num_row_groups))
    assert 0 < layout.unpacked <= total


@pytest.mark.parametrize("kind", _ARROW)
def test_arrow_files_are_understood(kind: str) -> None:
    layout = ipc_layout(_ARROW[kind])
    assert (layout.rows, layout.columns) == (200, 5)
    assert layout.unpacked >= 200 * 8


def test_files_without_rows_or_columns_are_understood() -> None:
    empty = _TABLE.slice(0, 0)
    assert parquet_layout(_written(lambda file: pyarrow.parquet.write_table(empty, file))).rows == 0
    assert ipc_layout(_written(lambda file: pyarrow.feather.write_feather(empty, file))).rows == 0
    assert ipc_layout(_written(pl.DataFrame().write_ipc)).columns == 0
    assert parquet_layout(_written(pl.DataFrame().write_parquet)).columns == 0


def test_what_a_file_unpacks_to_is_told() -> None:
    table = pa.table({"zeros": np.zeros(1_000_000, dtype=np.int64)})
    packed = _written(lambda file: pyarrow.parquet.write_table(table, file, compression="zstd", use_dictionary=False))
    assert len(packed) < 100_000
    assert parquet_layout(packed).unpacked >= 8_000_000
    packed = _written(lambda file: pyarrow.feather.write_feather(table, file, compression="zstd"))
    assert len(packed) < 100_000
    assert ipc_layout(packed).unpacked >= 8_000_000


@given(st.binary(max_size=60))
def test_bytes_without_sense_are_refused(data: bytes) -> None:
    for layout, magic in ((parquet_layout, b"PAR1"), (ipc_layout, b"ARROW1")):
        with pytest.raises(ValueError, match=r".+"):
            layout(data)
        for size in (len(data), 2**31 - 1):
            tail = size.to_bytes(4, "little") + magic
            with pytest.raises(ValueError, match=r".+"):
                layout(magic.ljust(8, b"\0") + data + tail)


def test_structures_nested_without_end_are_refused() -> None:
    with pytest.raises(ValueError, match="nested"):
        ThriftReader(b"\x1c" * 5000, 0, 5000).struct()
    with pytest.raises(ValueError, match="nested"):
        ThriftReader(b"\x19" * 5000, 0, 5000).struct()


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=20), st.binary(max_size=20))
def test_what_the_compact_protocol_writes_is_read(numbers: list[int], text: bytes) -> None:
    def varint(value: int) -> bytes:
        out = bytearray()
        while value > 127:
            out.append(value & 127 | 128)
            value >>= 7
        return bytes([*out, value])

    size = len(numbers)
    head = bytes([size << 4 | 6]) if size < 15 else b"\xf6" + varint(size)
    entries = b"".join(varint(number << 1 if number >= 0 else ~(number << 1)) for number in numbers)
    # Field 1: a list of 64-bit integers; field 3: bytes; field 4: true; field 104, its number written out: false.
    data = b"\x19" + head + entries + b"\x28" + varint(len(text)) + text + b"\x11" + b"\x02\xd0\x01" + b"\0"
    assert ThriftReader(data, 0, len(data)).struct() == {1: numbers, 3: text, 4: True, 104: False}


_EVERY_BYTE = """
import io, sys, pathlib, warnings
from qnml.data.arrow_files import read_arrow
from qnml.errors import QnmlError
warnings.simplefilter("ignore")
data, parquet = pathlib.Path(sys.argv[1]).read_bytes(), sys.argv[1].endswith("parquet")
for place in range(len(data)):
    for byte in (0x01, 0x7F, 0x80, 0xFF):
        try:
            read_arrow(pathlib.Path("t"), data[:place] + bytes([byte]) + data[place + 1 :], 1e9, parquet=parquet)
        except QnmlError:
            pass
print("alive")
"""


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_no_wrong_byte_ends_the_process(tmp_path: Any, ending: str) -> None:
    # In a separate process: Polars alone ends it in a dozen of these cases, requesting up to 2^61 bytes.
    path = tmp_path / f"t.{ending}"
    if ending == "parquet":
        table = _TABLE.select(["s", "i"]).slice(0, 40)
        pyarrow.parquet.write_table(table, path, compression="none", data_page_version="2.0", store_schema=False)
    else:
        pl.DataFrame({"s": ["aa", None] * 20, "i": [1, 2] * 20}).write_ipc(path, compression="zstd")
    quiet = {**os.environ, "POLARS_MAX_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", _EVERY_BYTE, str(path)], capture_output=True, text=True, timeout=300, env=quiet
    )
    assert (done.returncode, done.stdout) == (0, "alive\n"), done.stderr[-2000:]
