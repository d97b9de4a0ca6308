"""The parts of an ``.xlsx`` file: a ZIP archive of XML documents.

Parts are unpacked and parsed in pieces. `zipfile` never unpacks more than the directory of the archive declares, and
reports content that differs from it. Document types are refused, so no text can expand into a longer one.
"""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Any
from xml.parsers import expat

from qnml.data.reading_cost import check_total
from qnml.errors import FileFormatError, QnmlError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Protocol

    class PartHandler(Protocol):
        """What is told of the elements of a part; names come without the prefix of the root."""

        def start(self, name: str, attributes: Mapping[str, str]) -> None:
            """An element begins."""

        def end(self, name: str) -> None:
            """An element ends."""

        def text(self, text: str) -> None:
            """A piece of text inside an element."""


__all__ = ["XlsxPackage"]

_OLD_FORMAT = b"\xd0\xcf\x11\xe0"
_DIRECTORY_ENTRY = b"PK\x01\x02"
_BYTES_PER_ENTRY = 1000  # of the directory, as `zipfile` keeps it
_TIMES_IN_MEMORY = 4  # a part that is one long tag, as expat keeps it and hands it over
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others unpack without a limit
_PIECE = 1 << 16


class XlsxPackage:
    """An opened file.

    Parameters
    ----------
    path : the file, for errors.
    data : its content.
    limit : maximum memory in bytes for reading it.
    """

    def __init__(self, path: str | Path, data: bytes, limit: float) -> None:
        self.path = path
        self.limit = limit
        if data.startswith(_OLD_FORMAT):
            raise self.damage("it is encrypted, or in the old format .xls; save it as .xlsx, without a password")
        self.held = float(len(data) + _BYTES_PER_ENTRY * data.count(_DIRECTORY_ENTRY))
        check_total(path, self.held, limit)
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except Exception as error:  # BadZipFile, struct.error, NotImplementedError and others
            raise self.damage(str(error)) from None
        # Some programs write other letters, or separators of Windows.
        self._parts = {part.filename.replace("\\", "/").lower(): part for part in self._archive.infolist()}

    def damage(self, problem: str) -> FileFormatError:
        """The error for a file that is no workbook."""
        return FileFormatError(self.path, f"not a readable Excel file ({problem})")

    def hold(self, size: float) -> None:
        """Count bytes that stay in memory, and refuse them if they exceed the limit."""
        self.held += size
        check_total(self.path, self.held, self.limit)

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._parts

    def parse(self, name: str, handler: PartHandler) -> None:
        """Parse a part.

        Parameters
        ----------
        name : the part.
        handler : what is told of its elements.
        """
        part = self._parts.get(name.lower())
        if part is None:
            raise self.damage(f"{name} is missing")
        if part.compress_type not in _METHODS:
            raise self.damage(f"{name} is compressed in an unusual way")
        check_total(self.path, self.held + _TIMES_IN_MEMORY * part.file_size, self.limit)
        parser = self._parser(name, handler)
        try:
            with self._archive.open(part) as stream:
                while piece := stream.read(_PIECE):
                    parser.Parse(piece, False)
            parser.Parse(b"", True)
        except (QnmlError, MemoryError):
            raise
        except Exception as error:  # ExpatError, BadZipFile, zlib.error, EOFError and others
            raise self.damage(f"{name}: {error}") from None

    def _parser(self, name: str, handler: PartHandler) -> Any:
        parser = expat.ParserCreate()
        parser.buffer_text = True

        def begin(root: str, attributes: Mapping[str, str]) -> None:
            # Elements of extensions have another prefix than the root, and keep it.
            prefix = root.rpartition(":")[0]
            if prefix:
                cut = f"{prefix}:"
                parser.StartElementHandler = lambda name, given: handler.start(name.removeprefix(cut), given)
                parser.EndElementHandler = lambda name: handler.end(name.removeprefix(cut))
            else:
                parser.StartElementHandler, parser.EndElementHandler = handler.start, handler.end
            parser.StartElementHandler(root, attributes)

        def refuse(*_: object) -> None:
            raise self.damage(f"{name} declares a document type")

        parser.StartElementHandler = begin
        parser.CharacterDataHandler = handler.text
        parser.StartDoctypeDeclHandler = refuse
        return parser
