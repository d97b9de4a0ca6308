"""Check of the sizes a Parquet file declares, before a reader trusts them.

Polars allocates what a page header asks for, and a process that asks for 2^61 bytes is terminated without an
exception. So the footer and the header of every page are read here first. Sizes must lie within the file and agree
with one another, and the memory needed to decompress the file is known in advance.
"""

from __future__ import annotations

from typing import Any

from qnml.data.layout import Layout, require
from qnml.data.thrift import ThriftReader

__all__ = ["parquet_layout"]

_MAGIC = b"PAR1"
_TAIL = 8  # the length of the footer, then the magic number again
_UNCOMPRESSED = 0
_DATA_PAGE, _INDEX_PAGE, _DICTIONARY_PAGE, _DATA_PAGE_2 = range(4)
_MOST_IN_PAGE = 2**31 - 1


def parquet_layout(data: bytes) -> Layout:
    """Check the footer and all page headers of a Parquet file, and return how much it holds.

    Raises
    ------
    ValueError
        If a declared size is beyond the file, negative or inconsistent.
    """
    require(len(data) > len(_MAGIC) + _TAIL and data.startswith(_MAGIC) and data.endswith(_MAGIC), "no magic number")
    end = len(data) - _TAIL
    footer = end - int.from_bytes(data[end : end + 4], "little")
    require(footer >= len(_MAGIC), "the footer is longer than the file")
    meta = ThriftReader(data, footer, end).struct()
    rows, groups = _number(meta, 3), _structs(meta, 4)
    require(sum(_number(group, 3) for group in groups) == rows, "the row groups do not add up to the rows")
    unpacked = columns = 0
    for group in groups:
        chunks = _structs(group, 1)
        columns = max(columns, len(chunks))
        unpacked += sum(_checked_chunk(data, chunk, footer) for chunk in chunks)
    return Layout(rows, columns, unpacked)


def _checked_chunk(data: bytes, chunk: dict[int, Any], footer: int) -> int:
    """Walk the pages of one column of a row group, and return their decompressed size in bytes."""
    require(1 not in chunk, "a column lies in another file")
    meta = _struct(chunk, 3)
    values, codec = _number(meta, 5), _number(meta, 4)
    if not values:  # without pages the offset may be 0
        return 0
    packed, start = _number(meta, 7), _number(meta, 9)
    # Writers without a dictionary omit its offset or write 0.
    if 0 < _number(meta, 11, 0) < start:
        start = meta[11]
    stop = start + packed
    require(start >= len(_MAGIC) and stop <= footer, "a column lies beyond the file")
    _number(meta, 6)
    unpacked, place = 0, start
    while place < stop and values > 0:
        pages = ThriftReader(data, place, stop)
        header = pages.struct()
        size, full = _number(header, 3), _number(header, 2)
        place = pages.place + size
        require(place <= stop, "a page is longer than its column")
        require(codec != _UNCOMPRESSED or size == full, "an uncompressed page has two sizes")
        values -= _checked_page(header, size, full)
        unpacked += full
    require(values == 0, "the pages do not add up to the values of the column")
    return unpacked


def _checked_page(header: dict[int, Any], size: int, full: int) -> int:
    """Return how many values of the column a page holds."""
    kind = _number(header, 1)
    if kind == _DICTIONARY_PAGE:
        # Every dictionary value takes at least one byte.
        require(_number(_struct(header, 7), 1) <= full, "a dictionary has more values than bytes")
        return 0
    if kind == _DATA_PAGE:
        return _number(_struct(header, 5), 1, most=_MOST_IN_PAGE)
    if kind == _DATA_PAGE_2:
        page = _struct(header, 8)
        count = _number(page, 1, most=_MOST_IN_PAGE)
        require(_number(page, 2) <= count, "a page has more missing values than values")
        require(_number(page, 3) <= count, "a page has more rows than values")
        require(_number(page, 5) + _number(page, 6) <= min(size, full), "the levels are longer than their page")
        return count
    require(kind == _INDEX_PAGE, f"there is no page of type {kind}")
    return 0


def _number(fields: dict[int, Any], field: int, default: int | None = None, most: int = 2**62) -> int:
    value = fields.get(field, default)
    require(isinstance(value, int) and 0 <= value <= most, "a size is missing, negative or absurd")
    assert isinstance(value, int)
    return value


def _struct(fields: dict[int, Any], field: int) -> dict[int, Any]:
    value = fields.get(field)
    require(isinstance(value, dict), "a column or page is not described")
    assert isinstance(value, dict)
    return value


def _structs(fields: dict[int, Any], field: int) -> list[dict[int, Any]]:
    value = fields.get(field)
    require(isinstance(value, list) and all(isinstance(one, dict) for one in value), "a list is missing")
    assert isinstance(value, list)
    return value
