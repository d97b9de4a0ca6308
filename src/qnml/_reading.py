"""Reading the content of a file or an open file: completely, decompressed if it is gzip, within a memory limit."""

from __future__ import annotations

import io
import os
import stat
import zlib
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from qnml._memory import format_bytes
from qnml.errors import FileFormatError, InputError, QnmlError, TooLargeError, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["read_file", "read_stream"]

COMPRESSED = ".gz"
_PIECE = 1 << 20
_GZIP_MARK = b"\x1f\x8b"
_GZIP_HEADER = 31  # of zlib: a window of 15 bits, and the header and trailer of gzip


def read_file(call: str, argument: str, path: str | os.PathLike[str], most: float) -> bytes:
    """Read a file, decompressed piece by piece if its name ends in ``.gz``.

    Parameters
    ----------
    call, argument : the caller and the argument that names the file, for errors.
    path : the file.
    most : maximum size of its content in bytes, decompressed.

    Raises
    ------
    TooLargeError
        Before more than `most` bytes are held.
    FileFormatError
        The file is not a complete gzip file.
    InputError
        The file does not exist or cannot be read.
    """
    path = Path(path)
    where = f"{call}({argument}={shown(str(path))})"
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            if stat.S_ISREG(status.st_mode) and status.st_size > most:
                raise _too_large(where, f"has {format_bytes(status.st_size)}", most)
            pieces = _unpacked(path, file) if path.name.lower().endswith(COMPRESSED) else _plain(file)
            return _joined(where, pieces, most)
    except FileNotFoundError:
        raise InputError(f"{where}: there is no such file. Check the path.") from None
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{where}: the file cannot be read: {reason}.") from error
    except MemoryError:
        raise TooLargeError(f"{where}: memory ran out while the file was read. {_ADVICE}") from None


def read_stream(call: str, argument: str, stream: Any, name: str, most: float) -> bytes:
    """Read an open file to its end, decompressed if it begins as gzip does; text becomes UTF-8.

    Parameters
    ----------
    call, argument : the caller and the argument that is the open file, for errors.
    stream : anything with a method ``read``.
    name : what to call it in errors.
    most : maximum size of its content in bytes, also after decompression.

    Raises
    ------
    TooLargeError
        Before more than `most` bytes are held.
    FileFormatError
        It is gzip, but not complete.
    InputError
        It cannot be read.
    """
    where = f"{call}({argument}={shown(name)})"
    try:
        content = _joined(where, _pieces(where, stream), most)
        if content.startswith(_GZIP_MARK):
            content = _joined(where, _unpacked(name, io.BytesIO(content)), most)
        return content
    except (QnmlError, MemoryError) as error:
        if isinstance(error, MemoryError):
            raise TooLargeError(f"{where}: memory ran out while it was read. {_ADVICE}") from None
        raise
    except Exception as error:  # whatever a `read` of somebody else raises
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise InputError(f"{where}: it cannot be read: {reason}.") from error


def _pieces(where: str, stream: Any) -> Iterator[bytes]:
    while piece := stream.read(_PIECE):
        if isinstance(piece, str):
            piece = piece.encode("utf-8")
        if not isinstance(piece, bytes | bytearray | memoryview):
            raise InputError(f"{where}: its method read returns {shown(piece)}, not text or bytes.")
        yield bytes(piece)


_ADVICE = "Give a larger memory_limit where there is more, or a smaller file."


def _joined(where: str, pieces: Iterator[bytes], most: float) -> bytes:
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > most:
            raise _too_large(where, f"holds more than {format_bytes(most)}", most)
        held.append(piece)
    return held[0] if len(held) == 1 else b"".join(held)


def _too_large(where: str, found: str, most: float) -> TooLargeError:
    return TooLargeError(f"{where}: the file {found}, and reading it may take {format_bytes(most)}. {_ADVICE}")


def _plain(file: IO[bytes]) -> Iterator[bytes]:
    while piece := file.read(_PIECE):
        yield piece


def _unpacked(path: str | Path, file: IO[bytes]) -> Iterator[bytes]:
    """The content of one or several gzip members, as `gzip` joins them; zeros may pad the end."""
    unpacker = zlib.decompressobj(_GZIP_HEADER)
    has_begun = False
    try:
        while packed := file.read(_PIECE):
            while packed:
                if unpacker.eof:
                    packed = packed.lstrip(b"\0")
                    if not packed:
                        break
                    unpacker = zlib.decompressobj(_GZIP_HEADER)
                has_begun = True
                if piece := unpacker.decompress(packed, _PIECE):
                    yield piece
                packed = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
    except zlib.error as error:
        raise FileFormatError(path, f"not a whole gzip file ({error})") from None
    if not (has_begun and unpacker.eof):
        raise FileFormatError(path, "not a whole gzip file (its end is missing)")
