"""The file formats of networks and structures: their names, endings, readers and writers.

To add a format, write a module next to this one and add a line to a table here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from qnml.errors import bad_argument, unknown_name
from qnml.model.files.bif import read_bif, write_bif
from qnml.model.files.decoding import Decoded, decode_strictly, decode_text, decode_xml
from qnml.model.files.dsc import read_dsc, write_dsc
from qnml.model.files.json_format import read_json, write_json
from qnml.model.files.net import read_net, write_net
from qnml.model.files.structure import write_dagitty, write_dot, write_graphml, write_modelstring
from qnml.model.files.uai import read_uai, write_uai
from qnml.model.files.xdsl import read_xdsl, write_xdsl
from qnml.model.files.xmlbif import read_xmlbif, write_xmlbif

if TYPE_CHECKING:
    from collections.abc import Callable

    from qnml.graph import Cpdag, Dag, Mpdag
    from qnml.model.files.reading import Reading
    from qnml.model.network import Network

__all__ = [
    "COMPRESSED",
    "NETWORK_FORMATS",
    "STRUCTURE_FORMATS",
    "NetworkFormat",
    "Reader",
    "StructureFormat",
    "ending_of",
    "network_format",
    "structure_format",
]

COMPRESSED = ".gz"


class Reader(Protocol):
    """Builds a network from a text; takes the name of its source and, optionally, the record of the read."""

    def __call__(self, text: str, source: str = ..., reading: Reading | None = None) -> Network: ...


@dataclass(frozen=True)
class NetworkFormat:
    """A format that holds a network with its probabilities.

    Attributes
    ----------
    name : its name.
    endings : of its files, the most common first.
    read : from text.
    write : to text.
    loses : what it cannot represent of a network, in words; None if networks are restored exactly.
    decode : from the bytes of a file to text.
    has_titles : whether variables may have a title besides their identifier.
    """

    name: str
    endings: tuple[str, ...]
    read: Reader
    write: Callable[[Network], str]
    loses: str | None = None
    decode: Callable[[bytes], Decoded] = decode_text
    has_titles: bool = False


@dataclass(frozen=True)
class StructureFormat:
    """A format for graphs only, which is written but not read (model strings are read elsewhere)."""

    name: str
    endings: tuple[str, ...]
    write: Callable[[Dag | Cpdag | Mpdag | Network], str]


_TYPES = "whether labels are numbers or text"
_ALL_NETWORKS = (
    NetworkFormat("bif", (".bif",), read_bif, write_bif, _TYPES),
    NetworkFormat("json", (".json",), read_json, write_json, decode=decode_strictly),
    NetworkFormat("xmlbif", (".xmlbif", ".bifxml", ".xml"), read_xmlbif, write_xmlbif, _TYPES, decode_xml),
    NetworkFormat("net", (".net",), read_net, write_net, _TYPES, has_titles=True),
    NetworkFormat("dsc", (".dsc",), read_dsc, write_dsc, _TYPES, has_titles=True),
    NetworkFormat("xdsl", (".xdsl",), read_xdsl, write_xdsl, _TYPES, decode_xml, has_titles=True),
    NetworkFormat("uai", (".uai",), read_uai, write_uai, "names, labels, annotations and how raw rows are prepared"),
)
_ALL_STRUCTURES = (
    StructureFormat("dot", (".dot", ".gv"), write_dot),
    StructureFormat("graphml", (".graphml",), write_graphml),
    StructureFormat("modelstring", (".txt",), write_modelstring),
    StructureFormat("dagitty", (".dagitty",), write_dagitty),
)
NETWORK_FORMATS = {one.name: one for one in _ALL_NETWORKS}
STRUCTURE_FORMATS = {one.name: one for one in _ALL_STRUCTURES}

_NETWORK_ENDINGS = {ending: one for one in _ALL_NETWORKS for ending in one.endings}
_STRUCTURE_ENDINGS = {ending: one for one in _ALL_STRUCTURES for ending in one.endings}


def ending_of(path: str) -> str:
    """The ending of a file name that determines the format, in lower case and without ``.gz``."""
    name = path.replace("\\", "/").rpartition("/")[2].lower().removesuffix(COMPRESSED)
    stem, dot, ending = name.rpartition(".")
    return dot + ending if stem else ""


def network_format(call: str, path: str, name: str | None) -> NetworkFormat:
    """The format with the given name, or the one determined by the ending of the file name."""
    if name is not None:
        if not isinstance(name, str) or name not in NETWORK_FORMATS:
            raise unknown_name(call, "format", name, NETWORK_FORMATS)
        return NETWORK_FORMATS[name]
    found = _NETWORK_ENDINGS.get(ending_of(path))
    if found is None:
        listed = ", ".join(f"{ending}, {ending}{COMPRESSED}" for ending in _NETWORK_ENDINGS)
        is_structure = ending_of(path) in _STRUCTURE_ENDINGS
        if call == "read_structure":
            listed += f", .txt, .txt{COMPRESSED}"
            advice = "A model string such as [A][B|A] can be given directly."
        elif is_structure and call == "write_network":
            advice = "This format has no probabilities: write_structure writes it."
        else:
            advice = "Or give format=."
        raise bad_argument(call, "path", path, f"a file name ending in one of {listed}", advice)
    return found


def structure_format(call: str, path: str, name: str | None) -> StructureFormat:
    """The format with the given name, or the one determined by the ending of the file name."""
    if name is not None:
        if not isinstance(name, str) or name not in STRUCTURE_FORMATS:
            raise unknown_name(call, "format", name, STRUCTURE_FORMATS)
        return STRUCTURE_FORMATS[name]
    found = _STRUCTURE_ENDINGS.get(ending_of(path))
    if found is None:
        listed = ", ".join(_STRUCTURE_ENDINGS)
        raise bad_argument(call, "path", path, f"a file name ending in one of {listed}", "Or give format=.")
    return found
