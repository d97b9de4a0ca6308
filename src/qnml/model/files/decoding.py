"""From the bytes of a file to text: UTF-8, what a document declares, or what is left where it is neither."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

__all__ = ["Decoded", "decode_strictly", "decode_text", "decode_xml"]

_DECLARED = re.compile(rb"""(?i)<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._\-]+)["']""")
# Python knows many more, some of which are no encodings of documents.
_USUAL = re.compile(r"(?i:utf-?8|us-ascii|ascii|(iso-8859|windows)-\d+|latin-?1|cp125\d)")
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_WESTERN = "windows-1252"


class Decoded(NamedTuple):
    """A text, and the line with the first character that was not in the encoding expected; None where all were."""

    text: str
    odd_line: int | None = None
    expected: str = "UTF-8"


def decode_strictly(content: bytes) -> Decoded:
    """Decode UTF-8, with a byte order mark or without, and nothing else.

    Raises
    ------
    UnicodeDecodeError
        The bytes are something else.
    """
    return Decoded(content.decode("utf-8-sig"))


def decode_text(content: bytes) -> Decoded:
    """Decode UTF-8, with a byte order mark or without; what is not UTF-8 is taken for Windows-1252."""
    return _decoded(content, "utf-8-sig", "UTF-8")


def decode_xml(content: bytes) -> Decoded:
    """Decode by the byte order mark or the encoding the document declares; UTF-8 otherwise, as `decode_text` does.

    Raises
    ------
    UnicodeDecodeError, LookupError
        The bytes are not UTF-16 although their mark says so, or the encoding is not known.
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
        # Five bytes have no meaning there; Latin-1 makes control characters of them.
        return Decoded(content.decode("latin-1"), line, shown)
