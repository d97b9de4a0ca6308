"""Networks from and to files, the format chosen by the name of the file."""

from __future__ import annotations

import gzip
import os
import secrets
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from qnml.errors import FileFormatError, InputError, bad_argument
from qnml.graph import Dag
from qnml.model.files import (
    looks_like_modelstring,
    read_bif,
    read_json,
    read_modelstring,
    write_bif,
    write_json,
)
from qnml.model.files.assemble import line_and_column

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from qnml._types import Label
    from qnml.model.network import Network

__all__ = ["NETWORK_KINDS", "read_network", "read_structure", "write_network"]


@dataclass(frozen=True)
class _Format:
    read: Callable[[str, str], Network]
    write: Callable[[Network], str]


# A new format is a module in files/ and a line here.
_FORMATS: dict[str, _Format] = {
    ".bif": _Format(read_bif, write_bif),
    ".json": _Format(read_json, write_json),
}
_STRUCTURE_ONLY = ".txt"
_COMPRESSED = ".gz"

NETWORK_KINDS = tuple(ending + packed for ending in _FORMATS for packed in ("", _COMPRESSED))
"""Endings of the files `write_network` writes."""


def read_network(path: str | os.PathLike[str]) -> Network:
    """Read a network with its probabilities.

    Parameters
    ----------
    path
        A file ending in ``.bif`` or ``.json``, or either with ``.gz`` added.

    Raises
    ------
    FileFormatError
        The file does not follow its format; line and column say where.
    InputError
        The file is not there, cannot be read, or its ending is not known.

    Examples
    --------
    >>> read_network("asia.bif")  # doctest: +SKIP
    Network(8 variables, 8 arcs, 18 parameters)
    """
    path = Path(path)
    return _format("read_network", path).read(_read_text("read_network", path), str(path))


def write_network(net: Network, path: str | os.PathLike[str]) -> None:
    """Write a network; the file appears complete or not at all.

    Parameters
    ----------
    net
        The network.
    path
        Where to, ending in ``.bif`` or ``.json``, or either with ``.gz`` added. An existing file is
        replaced. Compressed files carry no date, so equal networks give equal files.
    """
    path = Path(path)
    text = _format("write_network", path).write(net)
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"write_network(net): {text[error.start : error.end]!r} in a name or label is not Unicode text."
        ) from error
    if path.suffix.lower() == _COMPRESSED:
        content = gzip.compress(content, mtime=0)
    _write_whole(path, content)


def read_structure(source: str | os.PathLike[str]) -> tuple[Dag, Mapping[str, tuple[Label, ...]] | None]:
    """Read a structure, and the levels of its variables where the source tells them.

    Parameters
    ----------
    source
        A network file as for :func:`read_network`, a ``.txt`` file with a model string, or a model string
        such as ``"[A][B|A]"`` itself.

    Returns
    -------
    dag, levels
        Levels are None for a model string.
    """
    if isinstance(source, str) and looks_like_modelstring(source):
        return Dag.from_modelstring(source), None
    path = Path(source)
    if _ending(path) == _STRUCTURE_ONLY:
        return read_modelstring(_read_text("read_structure", path), str(path)), None
    net = _format("read_structure", path).read(_read_text("read_structure", path), str(path))
    return net.dag, net.levels


def _ending(path: Path) -> str:
    name = path.name.lower()
    return Path(name.removesuffix(_COMPRESSED)).suffix


def _format(call: str, path: Path) -> _Format:
    known = _FORMATS.get(_ending(path))
    if known is None:
        endings = [*_FORMATS, _STRUCTURE_ONLY] if call == "read_structure" else list(_FORMATS)
        listed = ", ".join(f"{ending}, {ending}{_COMPRESSED}" for ending in endings)
        advice = "A model string such as [A][B|A] can be given itself." if call == "read_structure" else ""
        raise bad_argument(call, "path", str(path), f"a file name ending in one of {listed}", advice)
    return known


def _read_text(call: str, path: Path) -> str:
    try:
        content = path.read_bytes()
        if path.suffix.lower() == _COMPRESSED:
            content = gzip.decompress(content)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise FileFormatError(path, f"not a complete gzip file: {error}") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise bad_argument(call, "path", str(path), "a file that can be read", f"{reason}.") from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8-sig", "replace")
        line, column = line_and_column(before, len(before))
        raise FileFormatError(path, "not UTF-8 text. Convert the file to UTF-8.", line, column) from error


def _write_whole(path: Path, content: bytes) -> None:
    # Written beside the target, then renamed: a reader sees the old file or the new one, never a part.
    target = Path(os.path.realpath(path))
    partial = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        try:
            partial.write_bytes(content)
            os.replace(partial, target)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise bad_argument("write_network", "path", str(path), "a place that can be written", f"{reason}.") from error
