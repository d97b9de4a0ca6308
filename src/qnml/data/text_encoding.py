"""The bytes of a text file as UTF-8, whatever encoding they came in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.data.reading_cost import check_cost
from qnml.errors import FileFormatError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["as_utf8"]

_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = {b"\xff\xfe": "little-endian", b"\xfe\xff": "big-endian"}
_ADVICE = "give its encoding, such as encoding='cp1252' for files of Windows or encoding='latin-1', or save it as UTF-8"


def as_utf8(path: str | Path, data: bytes, encoding: str | None, limit: float) -> tuple[bytes, str | None]:
    """Return the text as UTF-8 without a byte-order mark, and a note on how it was decoded unless that was asked for.

    Parameters
    ----------
    path : the file, for errors.
    data : its content.
    encoding : the encoding, or None for UTF-8, or UTF-16 with a byte-order mark.
    limit : maximum memory in bytes for reading the file.
    """
    if encoding is None and data[:2] in _UTF16_MARKS:
        note = f"Decoded from UTF-16 ({_UTF16_MARKS[data[:2]]}), as its byte-order mark says."
        return _decoded(path, data, "utf-16", limit), note
    if encoding is None or encoding in ("utf-8", "utf-8-sig"):
        data = data.removeprefix(_UTF8_MARK)
        _check_utf8(path, data)
        return data, None
    return _decoded(path, data, encoding, limit).removeprefix(_UTF8_MARK), None


def _check_utf8(path: str | Path, data: bytes) -> None:
    if data.isascii():
        return
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = f"the byte 0x{data[error.start]:02x} is not UTF-8 text; {_ADVICE}"
        raise FileFormatError(path, problem, line=line) from None


def _decoded(path: str | Path, data: bytes, encoding: str, limit: float) -> bytes:
    # Before it is decoded: the text takes up to four bytes a letter, and its UTF-8 another three.
    check_cost(path, 0, 0, 2 * len(data), limit)
    try:
        return data.decode(encoding).encode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = f"the bytes from 0x{data[error.start]:02x} on are not {encoding} text ({error.reason})"
        raise FileFormatError(path, problem, line=line) from None
    except UnicodeEncodeError:  # encodings such as utf-16-surrogatepass, or escapes, can make letters that are none
        raise FileFormatError(path, f"as {encoding}, the text has half of a surrogate pair") from None
    except UnicodeError as error:  # UTF-16 without a byte-order mark, or cut
        raise FileFormatError(path, f"not {encoding} text ({error})") from None
