"""Decoder for the part of Thrift's compact protocol that Parquet's footers and page headers use.

A structure becomes a dictionary of values by field number. Input that violates the protocol raises a `ValueError`;
sizes are checked against the remaining bytes before anything is allocated.
"""

from __future__ import annotations

from typing import Any

__all__ = ["ThriftReader"]

_TRUE, _FALSE, _BYTE, _I16, _I32, _I64, _DOUBLE, _BINARY, _LIST, _SET, _MAP, _STRUCT = range(1, 13)
_DEEPEST = 32


class ThriftReader:
    """Reader of consecutive structures from `data`, beginning at `place`."""

    def __init__(self, data: bytes, place: int, end: int) -> None:
        self.data = data
        self.place = place
        self.end = end

    def struct(self, depth: int = 0) -> dict[int, Any]:
        """Read a structure: its values by field number."""
        if depth > _DEEPEST:
            raise ValueError("structures are nested too deeply")
        fields: dict[int, Any] = {}
        number = 0
        while (head := self._byte()) != 0:
            number = number + (head >> 4) if head >> 4 else self._signed()
            kind = head & 15
            fields[number] = kind == _TRUE if kind in (_TRUE, _FALSE) else self._value(kind, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (_I16, _I32, _I64):
            return self._signed()
        if kind == _BINARY:
            return self._bytes(self._unsigned())
        if kind == _STRUCT:
            return self.struct(depth + 1)
        if kind in (_LIST, _SET):
            return self._list(depth + 1)
        if kind == _BYTE:
            return self._byte()
        if kind == _DOUBLE:
            return self._bytes(8)
        if kind == _MAP:
            return self._map(depth + 1)
        raise ValueError(f"there is no type {kind}")

    def _list(self, depth: int) -> list[Any]:
        if depth > _DEEPEST:
            raise ValueError("lists are nested too deeply")
        head = self._byte()
        size, kind = head >> 4, head & 15
        size = self._unsigned() if size == 15 else size
        if size > self.end - self.place:  # an entry takes at least a byte
            raise ValueError("a list is longer than the file")
        if kind in (_TRUE, _FALSE):
            return [self._byte() == _TRUE for _ in range(size)]
        return [self._value(kind, depth) for _ in range(size)]

    def _map(self, depth: int) -> list[Any]:
        size = self._unsigned()
        if not size:
            return []
        if depth > _DEEPEST or size > self.end - self.place:
            raise ValueError("a map is longer than the file")
        kinds = self._byte()
        return [(self._value(kinds >> 4, depth), self._value(kinds & 15, depth)) for _ in range(size)]

    def _byte(self) -> int:
        if self.place >= self.end:
            raise ValueError("it ends too early")
        self.place += 1
        return self.data[self.place - 1]

    def _bytes(self, count: int) -> bytes:
        if count > self.end - self.place:
            raise ValueError("it ends too early")
        self.place += count
        return self.data[self.place - count : self.place]

    def _unsigned(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
            if shift > 63:
                raise ValueError("a number is longer than 64 bits")

    def _signed(self) -> int:
        value = self._unsigned()
        return (value >> 1) ^ -(value & 1)
