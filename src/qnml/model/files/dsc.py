"""DSC, the belief network language of Microsoft's MSBN, also written by bnlearn and GeNIe.

Nodes are named by C identifiers. A name that is not an identifier is replaced by one, and the original is kept in a
comment ``// qnml_name "..."`` inside the block, since the language does not allow further attributes. States are
quoted text. Annotations of the form ``key = value`` are attributes; others are comments
``// qnml_property "..."``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from qnml.model.files.assemble import of_variable, texts
from qnml.model.files.block_text import quoted, simple_attributes
from qnml.model.files.dsc_parser import NAME_MARK, PROPERTY_MARK, DscParser
from qnml.model.files.identifiers import ASCII_IDENTIFIER, identifiers
from qnml.model.files.number_table import number_rows
from qnml.model.files.preparation_text import network_texts
from qnml.model.files.reading import Reading
from qnml.model.files.row_list import listed_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from qnml.model.network import Network

__all__ = ["read_dsc", "write_dsc"]

_DECLARATION = re.compile(r"type [A-Za-z]\w*+ = [\w\s,\[\]]++")


def read_dsc(text: str, source: str = "DSC text", reading: Reading | None = None) -> Network:
    """Build a network from the text of a DSC file.

    Parameters
    ----------
    text
        The content.
    source
        The file it came from, for error messages.
    reading
        The record of this read; a new one by default.

    Raises
    ------
    FileFormatError
        With line and column, if the text is not a complete and consistent network of discrete nodes.
    """
    return DscParser(text, reading or Reading(source)).read()


def write_dsc(net: Network) -> str:
    """Return the text of a DSC file; numbers are written so that they read back to the last bit."""
    return "".join(_lines(net))


def _lines(net: Network) -> Iterator[str]:
    properties = net.properties
    keys = identifiers(net.names, ASCII_IDENTIFIER, "x")
    for comment in texts(properties.get("comments")):
        for line in comment.splitlines():
            if line.strip():
                # Keep comments that look like our marks from being read as such.
                yield f"// {'- ' if line.lstrip().startswith((NAME_MARK, PROPERTY_MARK)) else ''}{line.strip()}\n"
    yield f"belief network {quoted(str(properties.get('name', 'unknown')))}\n"
    yield from _network_properties(network_texts(net, "json"))
    for name in net.names:
        labels = ", ".join(quoted(str(label)) for label in net.levels[name])
        yield f"node {keys[name]}\n{{\n"
        if keys[name] != name:
            yield f"  // {NAME_MARK} {quoted(name)}\n"
        yield f"  type : discrete [ {len(net.levels[name])} ] = {{ {labels} }};\n"
        yield from _property_lines(of_variable(properties, "variables", name), ("type",))
        yield "}\n"
    for name in net.names:
        parents = net.dag.parents(name)
        bar = f" | {', '.join(keys[parent] for parent in parents)}" if parents else ""
        yield f"probability ({keys[name]}{bar})\n{{\n"
        yield from _marked(of_variable(properties, "probabilities", name))
        yield from _rows(net, name)
        yield "}\n"


def _rows(net: Network, name: str) -> Iterator[str]:
    parents = net.dag.parents(name)
    if not parents:
        yield from (f"  {', '.join(row)};\n" for row in number_rows(net, name))
        return
    if (listed := listed_rows(net, name)) is not None:
        for config, probabilities in zip(listed.configs, listed.rows, strict=True):
            head = ", ".join(map(str, config.tolist()))
            yield f"  ({head}) : {', '.join(map(repr, probabilities.tolist()))};\n"
        yield f"  default : {', '.join(map(repr, listed.unseen.tolist()))};\n"
        return
    given = [0] * len(parents)
    sizes = [len(net.levels[parent]) for parent in parents]
    for row in number_rows(net, name):
        yield f"  ({', '.join(map(str, given))}) : {', '.join(row)};\n"
        # Next configuration: the last parent changes fastest.
        axis = len(given) - 1
        while axis >= 0:
            given[axis] = (given[axis] + 1) % sizes[axis]
            if given[axis]:
                break
            axis -= 1


def _network_properties(given: list[str]) -> Iterator[str]:
    plain: list[str] = []
    free: list[str] = []
    for key, _, text in simple_attributes(given, ("type",)):
        (free if key is None and not _DECLARATION.fullmatch(text) else plain).append(text)
    if plain:
        yield "properties\n{\n"
        yield from (f"  {text};\n" for text in plain)
        yield "}\n"
    yield from _marked(free)


def _property_lines(given: list[str], reserved: Sequence[str]) -> Iterator[str]:
    free = []
    for key, value, text in simple_attributes(given, reserved):
        if key is None:
            free.append(text)
        else:
            yield f"  {key} : {value};\n"
    # Last, which is also their order when read.
    yield from _marked(free)


def _marked(given: list[str]) -> Iterator[str]:
    return (f"  // {PROPERTY_MARK} {quoted(text)}\n" for text in given)
