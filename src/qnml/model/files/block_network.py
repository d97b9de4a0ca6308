"""The last step of reading the block languages NET and DSC: from nodes and tables to a network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from qnml.model.files.assemble import gathered
from qnml.model.files.preparation_text import assemble_annotated

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from qnml._types import FloatArray
    from qnml.model.files.block_text import BlockScanner
    from qnml.model.network import Network
    from qnml.model.tables import SparseTable

__all__ = ["ReadNode", "ReadTable", "network_of_blocks"]


class ReadNode(Protocol):
    """A node as read: its position, labels, title, and its original name if the format could not represent it."""

    offset: int
    labels: tuple[str, ...]
    name: str | None
    title: str | None
    properties: list[str]


class ReadTable(Protocol):
    """A table as read: its position, and its parents with theirs."""

    offset: int
    parents: list[tuple[str, int]]
    properties: list[str]


_Table = TypeVar("_Table", bound=ReadTable)


def network_of_blocks(
    scanner: BlockScanner,
    nodes: Mapping[str, ReadNode],
    tables: Mapping[str, _Table],
    called: str,
    numbers: Callable[[str, _Table], FloatArray | SparseTable],
    name: str | None,
    comments: Sequence[str],
    properties: Sequence[str],
) -> Network:
    """Check that tables and nodes match, and build the network.

    Parameters
    ----------
    scanner
        The scanner of the text, which reports errors with their position.
    nodes, tables
        By the identifiers of the file.
    called
        The word of the format for a table, for errors.
    numbers
        Reads the probabilities of a table that has been checked.
    name, comments, properties
        Those of the network as a whole.
    """
    if not nodes:
        scanner.fail("no node in the file", scanner.at)
    names: dict[str, str] = {}
    for key, node in nodes.items():
        if key not in tables:
            scanner.fail(f"the node {key!r} has no {called}", node.offset)
        title = node.title if scanner.reading.wants_titles and node.title else key
        names[key] = title if node.name is None else node.name
    back: dict[str, str] = {}
    for key, true in names.items():
        if true in back:
            scanner.fail(f"two nodes have the name {true!r}", nodes[key].offset)
        back[true] = key
    parents: dict[str, tuple[str, ...]] = {}
    probabilities: dict[str, FloatArray | SparseTable] = {}
    for key, table in tables.items():
        _check_known(scanner, nodes, key, table)
        parents[names[key]] = tuple(names[parent] for parent, _ in table.parents)
        probabilities[names[key]] = numbers(key, table)
    return assemble_annotated(
        scanner.reading,
        {names[key]: node.labels for key, node in nodes.items()},
        parents,
        probabilities,
        gathered(
            name,
            comments,
            properties,
            {names[key]: node.properties for key, node in nodes.items()},
            {names[key]: tables[key].properties for key in nodes},
        ),
        lambda true: scanner.place(tables[back[true]].offset),
    )


def _check_known(scanner: BlockScanner, nodes: Mapping[str, ReadNode], child: str, table: ReadTable) -> None:
    seen: set[str] = set()
    for name, at in [(child, table.offset), *table.parents]:
        if name not in nodes:
            scanner.fail(f"the node {name[:40]!r} is not declared in this file", at)
        if name in seen:
            scanner.fail(f"the node {name!r} is named twice", at)
        seen.add(name)
