"""Check of the sizes an Arrow file (feather, version 2) declares, before a reader trusts them.

A compressed buffer begins with its decompressed size, and Polars allocates that much; a process that asks for
10^16 bytes is terminated without an exception. So the footer and the header of every batch are read here first.
They are flatbuffers: tables that begin with the distance to a list of field offsets.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from qnml.data.layout import Layout, require

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ipc_layout"]

_MAGIC = b"ARROW1"
_TAIL = 10  # the length of the footer, then the magic number again
_CONTINUES = 0xFFFFFFFF
_DICTIONARY, _RECORD = 2, 3
_NOT_PACKED = -1


def ipc_layout(data: bytes) -> Layout:
    """Check the footer and all batches of an Arrow file, and return how much it holds.

    Raises
    ------
    ValueError
        If a declared size is beyond the file, negative or inconsistent.
    """
    require(len(data) > 8 + _TAIL and data.startswith(_MAGIC) and data.endswith(_MAGIC), "no magic number")
    end = len(data) - _TAIL
    start = end - _unpack(data, "<i", end)
    require(8 <= start < end, "the footer is longer than the file")
    try:
        return _checked_footer(_Table(data[start:end]), memoryview(data)[:start])
    except struct.error:
        raise ValueError("a table points beyond its end") from None


def _checked_footer(footer: _Table, data: memoryview) -> Layout:
    rows = columns = unpacked = 0
    for field in (2, 3):
        for place in footer.places(field, 24):
            offset, head, body = (
                footer.number(place + shift, kind) for shift, kind in ((0, "<q"), (8, "<i"), (16, "<q"))
            )
            require(min(offset, head, body) >= 0 and offset + head + body <= len(data), "a batch lies beyond the file")
            length, nodes, size = _checked_batch(data, offset, head, body)
            unpacked += size
            if field == 3:
                rows, columns = rows + length, max(columns, nodes)
    return Layout(rows, columns, unpacked)


def _checked_batch(data: memoryview, offset: int, head: int, body: int) -> tuple[int, int, int]:
    """Return the rows, the columns and the decompressed bytes of one batch."""
    # The size follows a marker that old files do not have.
    marked = _unpack(data, "<I", offset) == _CONTINUES
    skipped = 8 if marked else 4
    require(skipped <= head, "the head of a batch is too short")
    message = _Table(data[offset + skipped : offset + head])
    kind = message.scalar(1, "<B")
    require(kind in (_DICTIONARY, _RECORD), "a batch is of an unknown kind")
    require(message.scalar(3, "<q") <= body, "a body is longer than its batch")
    batch = message.table(2)
    if kind == _DICTIONARY:
        batch = batch.table(1)
    length = batch.scalar(0, "<q")
    require(length >= 0, "a batch has a negative number of rows")
    nodes = 0
    for place in batch.places(1, 16):
        count, missing = batch.number(place, "<q"), batch.number(place + 8, "<q")
        require(count >= 0 and 0 <= missing <= count, "a column has a negative number of cells")
        nodes += 1
    is_packed = batch.has(3)
    unpacked = 0
    for place in batch.places(2, 16):
        begin, size = batch.number(place, "<q"), batch.number(place + 8, "<q")
        require(begin >= 0 and size >= 0 and begin + size <= body, "a buffer lies beyond its batch")
        unpacked += _unpacked(data, offset + head + begin, size) if is_packed else size
    return length, nodes, unpacked


def _unpacked(data: memoryview, place: int, size: int) -> int:
    if not size:
        return 0
    require(size >= 8, "a packed buffer is too short")
    full = _unpack(data, "<q", place)
    require(full >= _NOT_PACKED, "a buffer unpacks to a negative size")
    return size if full == _NOT_PACKED else full


def _unpack(data: bytes | memoryview, kind: str, place: int) -> int:
    value: int = struct.unpack_from(kind, data, place)[0]
    return value


class _Table:
    """One table of a flatbuffer; every offset is checked against the length of the data."""

    def __init__(self, data: bytes | memoryview, place: int | None = None) -> None:
        self._data = data
        self._place = self.number(0, "<I") if place is None else place
        self._fields = self._place - self.number(self._place, "<i")
        self._count = (self.number(self._fields, "<H") - 4) // 2

    def number(self, place: int, kind: str) -> int:
        """Return the number at an offset."""
        require(place >= 0, "a table points before its beginning")
        return _unpack(self._data, kind, place)

    def has(self, field: int) -> bool:
        """Return whether the table stores a value for a field."""
        return self._where(field) is not None

    def scalar(self, field: int, kind: str) -> int:
        """Return the number in a field, 0 if it is omitted."""
        place = self._where(field)
        return 0 if place is None else self.number(place, kind)

    def table(self, field: int) -> _Table:
        """Return the table that a field points to."""
        place = self._where(field)
        require(place is not None, "a part of the description is missing")
        assert place is not None
        return _Table(self._data, place + self.number(place, "<I"))

    def places(self, field: int, size: int) -> Iterator[int]:
        """Yield the offsets of the entries of a vector, each of `size` bytes; none if it is omitted."""
        place = self._where(field)
        if place is None:
            return
        start = place + self.number(place, "<I")
        count = self.number(start, "<I")
        require(start + 4 + count * size <= len(self._data), "a list is longer than the file")
        for one in range(count):
            yield start + 4 + one * size

    def _where(self, field: int) -> int | None:
        shift = self.number(self._fields + 4 + 2 * field, "<H") if field < self._count else 0
        return self._place + shift if shift else None
