"""From the bytes of a file to text: UTF-8, the declared encoding, or else Windows-1252."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

__all__ = ["Decoded", "decode_strictly", "decode_text", "decode_xml"]

_DECLARED = re.compile(rb"""(?i)<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._\-]+)["']""")
# Python has many more, some of which are not encodings of documents.
_USUAL = re.compile(r"(?i:utf-?8|us-ascii|ascii|(iso-8859|windows)-\d+|latin-?1|cp125\d)")
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_WESTERN = "windows-1252"


class Decoded(NamedTuple):
    """A text, and the line of the first character that is not in the expected encoding, or None."""

    text: str
    odd_line: int | None = None
    expected: str = "UTF-8"


def decode_strictly(content: bytes) -> Decoded:
    """Decode UTF-8, with or without a byte order mark, and nothing else.

    Raises
    ------
    UnicodeDecodeError
        If the bytes are not UTF-8.
    """
    return Decoded(content.decode("utf-8-sig"))


def decode_text(content: bytes) -> Decoded:
    """Decode UTF-8, with or without a byte order mark; bytes that are not UTF-8 are decoded as Windows-1252."""
    return _decoded(content, "utf-8-sig", "UTF-8")


def decode_xml(content: bytes) -> Decoded:
    """Decode by the byte order mark or the encoding that the document declares, or else as `decode_text` does.

    Raises
    ------
    UnicodeDecodeError, LookupError
        If the bytes are not UTF-16 although their mark says so, or if the encoding is unknown.
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return (
                _decoded(content, encoding, "UTF-8") if encoding == "utf-8-sig" else Decoded(content.decode(encoding))
            )
    declared = _DECLARED.match(content[:300].lstrip())
    encoding = declared[1].decode("ascii") if declared else "utf-8"
    if not _USUAL.fullmatch(encoding):
        raise LookupError(f"unknown encoding: {encoding}")
    return _decoded(content, encoding, encoding.upper())


def _decoded(content: bytes, encoding: str, shown: str) -> Decoded:
    try:
        return Decoded(content.decode(encoding))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
    try:
        return Decoded(content.decode(_WESTERN), line, shown)
    except UnicodeDecodeError:
        # Windows-1252 leaves five bytes undefined; Latin-1 maps them to control characters.
        return Decoded(content.decode("latin-1"), line, shown)
