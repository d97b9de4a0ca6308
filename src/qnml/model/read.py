"""Networks from and to files, the format chosen by the name of the file."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from qnml._writing import write_file
from qnml.errors import FileFormatError, InputError, bad_argument
from qnml.graph import Cpdag, Dag
from qnml.model.files import NETWORK_FORMATS, NetworkFormat, looks_like_modelstring, read_modelstring
from qnml.model.files.assemble import line_and_column
from qnml.model.files.formats import COMPRESSED, STRUCTURE_FORMATS, ending_of, network_format, structure_format
from qnml.model.network import Network

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

    from qnml._types import Label

__all__ = [
    "NETWORK_KINDS",
    "STRUCTURE_KINDS",
    "read_network",
    "read_structure",
    "write_network",
    "write_structure",
]

_MODELSTRING = ".txt"

NETWORK_KINDS = tuple(
    ending + packed for one in NETWORK_FORMATS.values() for ending in one.endings for packed in ("", COMPRESSED)
)
"""Endings of the files `read_network` reads and `write_network` writes."""

STRUCTURE_KINDS = tuple(
    ending + packed for one in STRUCTURE_FORMATS.values() for ending in one.endings for packed in ("", COMPRESSED)
)
"""Endings of the files `write_structure` writes."""


def read_network(path: str | os.PathLike[str], format: str | None = None) -> Network:
    """Read a network with its probabilities.

    Parameters
    ----------
    path
        A file whose ending says its format, with ``.gz`` added or not: ``.bif``, ``.json`` (qnml's own),
        ``.xmlbif`` (also ``.bifxml`` and ``.xml``), ``.net`` (HUGIN), ``.dsc`` (Microsoft), ``.xdsl`` (GeNIe) or
        ``.uai``.
    format
        The format, where the ending does not say it: the endings above without the dot.

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
    chosen = network_format("read_network", str(path), format)
    return chosen.read(_read_text("read_network", Path(path), chosen), str(path))


def write_network(net: Network, path: str | os.PathLike[str], format: str | None = None) -> None:
    """Write a network; the file appears complete or not at all.

    What a format cannot name it renames, and keeps the name as it was in a place other programs pass over, so that
    reading the file gives the network back to the last bit. Only ``.uai`` has no names at all.

    Parameters
    ----------
    net
        The network.
    path
        Where to, with an ending as for :func:`read_network`. An existing file is replaced. Compressed files carry
        no date, so equal networks give equal files.
    format
        As for :func:`read_network`.

    Raises
    ------
    TooLargeError
        A table is sparse and too large to be written out; ``.json`` takes it as it is.
    """
    chosen = network_format("write_network", str(path), format)
    _write_text("write_network", chosen.write(net), Path(path))


def write_structure(graph: Dag | Cpdag | Network, path: str | os.PathLike[str], format: str | None = None) -> None:
    """Write a graph without probabilities; the file appears complete or not at all.

    Parameters
    ----------
    graph
        A Dag, a Cpdag, or a network, of which only the graph is written (and the levels, in GraphML).
    path
        Where to: ``.dot`` or ``.gv`` (Graphviz), ``.graphml``, ``.dagitty``, or ``.txt`` for a model string as in
        bnlearn, with ``.gz`` added or not. An existing file is replaced.
    format
        The format, where the ending does not say it: ``"dot"``, ``"graphml"``, ``"dagitty"`` or ``"modelstring"``.

    Raises
    ------
    InputError
        The format cannot hold a name, or edges without direction.
    """
    if not isinstance(graph, Dag | Cpdag | Network):
        raise bad_argument("write_structure", "graph", graph, "a Dag, a Cpdag or a Network")
    chosen = structure_format("write_structure", str(path), format)
    _write_text("write_structure", chosen.write(graph), Path(path))


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
    if ending_of(str(source)) == _MODELSTRING:
        return read_modelstring(_read_text("read_structure", Path(source), None), str(source)), None
    chosen = network_format("read_structure", str(source), None)
    net = chosen.read(_read_text("read_structure", Path(source), chosen), str(source))
    return net.dag, net.levels


def _read_text(call: str, path: Path, chosen: NetworkFormat | None) -> str:
    try:
        content = path.read_bytes()
        if path.suffix.lower() == COMPRESSED:
            content = gzip.decompress(content)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise FileFormatError(path, f"not a complete gzip file: {error}") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise bad_argument(call, "path", str(path), "a file that can be read", f"{reason}.") from error
    decode: Callable[[bytes], str] = chosen.decode if chosen is not None else NETWORK_FORMATS["bif"].decode
    try:
        return decode(content)
    except UnicodeDecodeError as error:
        before = content[: error.start].decode(error.encoding, "replace")
        line, column = line_and_column(before, len(before))
        advice = " Convert the file to UTF-8." if error.encoding.startswith("utf-8") else ""
        named = "UTF-8" if error.encoding.startswith("utf-8") else error.encoding
        raise FileFormatError(path, f"not {named} text.{advice}", line, column) from error
    except (LookupError, UnicodeError) as error:
        raise FileFormatError(path, f"{error}. Convert the file to UTF-8.", 1, 1) from error


def _write_text(call: str, text: str, path: Path) -> None:
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"{call}(net): {text[error.start : error.end]!r} in a name or label is not Unicode text."
        ) from error
    if path.suffix.lower() == COMPRESSED:
        content = gzip.compress(content, mtime=0)
    write_file(call, "path", path, content)
