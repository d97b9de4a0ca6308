"""Reading and writing network files; the file name determines the format."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Literal

from qnml._checks import check_choice, checked_path
from qnml._reading import read_file
from qnml._writing import write_file
from qnml.errors import FileFormatError, InputError, bad_argument
from qnml.graph import Cpdag, Dag, Mpdag
from qnml.model.files import NETWORK_FORMATS, NetworkFormat, looks_like_modelstring, read_modelstring
from qnml.model.files.assemble import line_and_column
from qnml.model.files.decoding import decode_text
from qnml.model.files.formats import COMPRESSED, STRUCTURE_FORMATS, ending_of, network_format, structure_format
from qnml.model.files.reading import Reading
from qnml.model.network import Network

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping
    from pathlib import Path

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
# Memory per byte of a file while it is read: the byte, its character, and the lists of rows and labels.
_BYTES_PER_BYTE = 8

NETWORK_KINDS = tuple(
    ending + packed for one in NETWORK_FORMATS.values() for ending in one.endings for packed in ("", COMPRESSED)
)
"""Endings of the files that `read_network` reads and `write_network` writes."""

STRUCTURE_KINDS = tuple(
    ending + packed for one in STRUCTURE_FORMATS.values() for ending in one.endings for packed in ("", COMPRESSED)
)
"""Endings of the files that `write_structure` writes."""


def read_network(
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    names: Literal["identifiers", "titles"] = "identifiers",
    memory_limit: float | None = None,
) -> Network:
    """Read a network with its probabilities.

    A file that breaks the rules of its format is still read if its meaning is beyond doubt, with a warning that says
    what was repaired; docs/file-formats.md lists these cases.

    Parameters
    ----------
    path
        A file whose ending determines its format, optionally followed by ``.gz``: ``.bif``, ``.json`` (qnml's own),
        ``.xmlbif`` (also ``.bifxml`` and ``.xml``), ``.net`` (HUGIN), ``.dsc`` (Microsoft), ``.xdsl`` (GeNIe) or
        ``.uai``.
    format
        The format, if the ending does not determine it: one of the endings above without the dot.
    names
        How to name variables in formats that have both identifiers and titles (``.xdsl``, ``.net``, ``.dsc``): by
        their ``"identifiers"``, or by their ``"titles"`` if they have one. Other formats have names only.
    memory_limit
        In bytes; a network that would need more is refused before it is built. Nine tenths of the free memory by
        default.

    Raises
    ------
    FileFormatError
        If the file does not follow its format; the error states line and column.
    TooLargeError
        If the file, or a table it declares, does not fit into the memory limit.
    InputError
        If the file does not exist or cannot be read, or its ending is unknown.

    Warns
    -----
    MendedFileWarning
        If something was repaired.

    Notes
    -----
    A table with a ``default`` row and far more configurations than rows is kept as a
    :class:`~qnml.model.SparseTable`.

    Examples
    --------
    >>> read_network("asia.bif")  # doctest: +SKIP
    Network(8 variables, 8 arcs, 18 parameters)
    """
    call = "read_network"
    place = checked_path(call, "path", path)
    check_choice(call, "names", names, ("identifiers", "titles"))
    chosen = network_format(call, str(place), format)
    reading = Reading(str(place), memory_limit, wants_titles=names == "titles")
    return chosen.read(_read_text(call, "path", place, chosen, reading), str(place), reading)


def write_network(net: Network, path: str | os.PathLike[str], format: str | None = None) -> None:
    """Write a network; the file appears complete or not at all.

    Names that a format cannot represent are replaced, and the originals are kept in a place that other programs ignore,
    so that reading the file restores the network to the last bit. Only ``.uai`` has no names at all.

    Parameters
    ----------
    net
        The network.
    path
        The file to write, with an ending as for :func:`read_network`. An existing file is replaced. Compressed files
        contain no date, so equal networks give equal files.
    format
        As for :func:`read_network`.

    Raises
    ------
    TooLargeError
        If a sparse table is too large to be written in full; ``.json`` stores it as it is.
    """
    call = "write_network"
    place = checked_path(call, "path", path)
    if not isinstance(net, Network):
        raise bad_argument(call, "net", net, "a Network")
    chosen = network_format(call, str(place), format)
    _write_text(call, chosen.write(net), place)


def write_structure(
    graph: Dag | Cpdag | Mpdag | Network, path: str | os.PathLike[str], format: str | None = None
) -> None:
    """Write a graph without probabilities; the file appears complete or not at all.

    Parameters
    ----------
    graph
        A Dag, a Cpdag, an Mpdag, or a network. Of a network only the graph is written (and the levels, in GraphML).
    path
        The file to write: ``.dot`` or ``.gv`` (Graphviz), ``.graphml``, ``.dagitty``, or ``.txt`` for a bnlearn model
        string, optionally followed by ``.gz``. An existing file is replaced.
    format
        The format, if the ending does not determine it: ``"dot"``, ``"graphml"``, ``"dagitty"`` or ``"modelstring"``.

    Raises
    ------
    InputError
        If the format cannot represent a name, or edges without direction.
    """
    if not isinstance(graph, Dag | Cpdag | Mpdag | Network):
        raise bad_argument("write_structure", "graph", graph, "a Dag, a Cpdag, an Mpdag or a Network")
    place = checked_path("write_structure", "path", path)
    chosen = structure_format("write_structure", str(place), format)
    _write_text("write_structure", chosen.write(graph), place)


def read_structure(
    source: str | os.PathLike[str], *, memory_limit: float | None = None
) -> tuple[Dag, Mapping[str, tuple[Label, ...]] | None]:
    """Read a structure, and the levels of its variables if the source has them.

    Parameters
    ----------
    source
        A network file as for :func:`read_network`, a ``.txt`` file with a model string, or a model string
        such as ``"[A][B|A]"`` itself.
    memory_limit
        As for :func:`read_network`.

    Returns
    -------
    dag, levels
        Levels are None for a model string.
    """
    if isinstance(source, str) and looks_like_modelstring(source):
        return Dag.from_modelstring(source), None
    call = "read_structure"
    place = checked_path(call, "source", source)
    reading = Reading(str(place), memory_limit)
    if ending_of(str(place)) == _MODELSTRING:
        dag = read_modelstring(_read_text(call, "source", place, None, reading), str(place))
        reading.warn()
        return dag, None
    chosen = network_format(call, str(place), None)
    net = chosen.read(_read_text(call, "source", place, chosen, reading), str(place), reading)
    return net.dag, net.levels


def _read_text(call: str, argument: str, path: Path, chosen: NetworkFormat | None, reading: Reading) -> str:
    content = read_file(call, argument, path, reading.memory_limit / _BYTES_PER_BYTE)
    decode = decode_text if chosen is None else chosen.decode
    try:
        decoded = decode(content)
    except UnicodeDecodeError as error:
        before = content[: error.start].decode(error.encoding, "replace")
        line, column = line_and_column(before, len(before))
        named = "UTF-8" if error.encoding.startswith("utf-8") else error.encoding
        raise FileFormatError(path, f"not {named} text. Convert the file to UTF-8.", line, column) from error
    except (LookupError, UnicodeError) as error:
        raise FileFormatError(path, f"{error}. Convert the file to UTF-8.", 1, 1) from error
    if decoded.odd_line is not None:
        odd_line = decoded.odd_line
        reading.mend(f"not {decoded.expected} text", "it was read as Windows-1252", line=lambda: odd_line)
    return decoded.text


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
