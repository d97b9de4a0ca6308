"""The Bayesian network interchange format (BIF), as the Bayesian Network Repository uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from qnml.model.files.assemble import gathered, line_and_column, of_variable, texts
from qnml.model.files.bif_parser import BARE_WORD, BifParser
from qnml.model.files.preparation_text import assemble_annotated, network_texts
from qnml.model.files.reading import Reading
from qnml.model.files.row_list import listed_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from qnml.model.network import Network

__all__ = ["read_bif", "write_bif"]


def read_bif(text: str, source: str = "BIF text", reading: Reading | None = None) -> Network:
    """Build a network from the text of a BIF file.

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
        With line and column, if the text is not a complete and consistent network.
    """
    reading = reading or Reading(source)
    parser = BifParser(text, reading)
    parser.parse()
    return assemble_annotated(
        reading,
        {name: block.labels for name, block in parser.variables.items()},
        {name: block.parents for name, block in parser.distributions.items()},
        {name: block.table for name, block in parser.distributions.items()},
        gathered(
            parser.name,
            parser.comments,
            parser.properties,
            {name: block.properties for name, block in parser.variables.items()},
            {name: block.properties for name, block in parser.distributions.items()},
        ),
        lambda name: line_and_column(text, parser.distributions[name].offset),
    )


def write_bif(net: Network) -> str:
    """Return the text of a BIF file.

    Numbers are written so that they read back to the last bit. Large tables that list few rows have a default row.
    Comments are collected at the top of the file. Labels that are numbers or booleans become text.
    """
    return "".join(_lines(net))


def _lines(net: Network) -> Iterator[str]:
    properties = net.properties
    labels = {name: [_word(str(label)) for label in net.levels[name]] for name in net.names}
    for comment in texts(properties.get("comments")):
        yield from (f"// {line.strip()}\n" for line in comment.splitlines() if line.strip())
    yield f"network {_word(str(properties.get('name', 'unknown')))} {{\n"
    yield from _property_lines(network_texts(net, "bare"))
    yield "}\n"
    for name in net.names:
        yield f"variable {_word(name)} {{\n"
        yield f"  type discrete [ {len(labels[name])} ] {{ {', '.join(labels[name])} }};\n"
        yield from _property_lines(of_variable(properties, "variables", name))
        yield "}\n"
    for name in net.names:
        parents = net.dag.parents(name)
        bar = f" | {', '.join(map(_word, parents))}" if parents else ""
        yield f"probability ( {_word(name)}{bar} ) {{\n"
        yield from _table_lines(net, name, [labels[parent] for parent in parents])
        yield from _property_lines(of_variable(properties, "probabilities", name))
        yield "}\n"


def _table_lines(net: Network, name: str, parent_labels: list[list[str]]) -> Iterator[str]:
    if (listed := listed_rows(net, name)) is not None:
        for config, row in zip(listed.configs, listed.rows, strict=True):
            states = ", ".join(labels[code] for labels, code in zip(parent_labels, config.tolist(), strict=True))
            yield f"  ({states}) {', '.join(map(repr, row.tolist()))};\n"
        yield f"  default {', '.join(map(repr, listed.unseen.tolist()))};\n"
        return
    table = net.table(name)
    if not parent_labels:
        yield f"  table {', '.join(map(repr, table.tolist()))};\n"
        return
    # The first parent changes fastest, as in the files of the repository.
    shape = [len(labels) for labels in reversed(parent_labels)]
    turned = np.moveaxis(table, -1, 0).T.reshape(-1, table.shape[-1])
    for given, row in zip(np.ndindex(*shape), turned, strict=True):
        states = ", ".join(labels[code] for labels, code in zip(parent_labels, reversed(given), strict=True))
        yield f"  ({states}) {', '.join(map(repr, row.tolist()))};\n"


def _word(text: str) -> str:
    return text if BARE_WORD.fullmatch(text) else _quoted(text)


def _property_lines(given: list[str]) -> Iterator[str]:
    for text in given:
        plain = text == text.strip() and text and not any(sign in text for sign in ';"')
        yield f"  property {text if plain else _quoted(text)};\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
