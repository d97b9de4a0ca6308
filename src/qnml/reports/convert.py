"""``qnml convert``: a network in another file format.

convert
    input {source, format (``"by name"`` for a network of qnml.datasets), variables, arcs, parameters (null for a
    structure)}; output {path, format, holds (``"network"`` or ``"structure"``), bytes}; notes [texts].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.reports.parts import count, line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from qnml.graph import Dag
    from qnml.model import Network
    from qnml.reports.fact_parts import Facts

__all__ = ["convert_facts", "convert_page"]


def convert_facts(
    given: tuple[str, str, Dag, Network | None], written: tuple[str, str, int], *, holds: str, notes: Sequence[str]
) -> Facts:
    """What was read and what was written.

    Parameters
    ----------
    given
        The source, its format, its structure, and the network unless it is only a structure.
    written
        The path, its format and its size in bytes.
    holds
        ``"network"`` or ``"structure"``.
    notes
        Warnings of the reader, and what the format does not hold.
    """
    source, read_as, dag, network = given
    path, written_as, size = written
    return {
        "input": {
            "source": source,
            "format": read_as,
            "variables": dag.n_nodes,
            "arcs": dag.n_arcs,
            "parameters": None if network is None else network.n_parameters,
        },
        "output": {"path": path, "format": written_as, "holds": holds, "bytes": size},
        "notes": list(notes),
    }


def convert_page(facts: Facts) -> list[RenderableType]:
    """One line for the source, one for the file written, one for each note."""
    given, made = facts["input"], facts["output"]
    size = f"{count(given['variables'], 'variable')}, {count(given['arcs'], 'arc')}"
    if given["parameters"] is not None:
        size += f", {count(given['parameters'], 'parameter')}"
    only = " (structure only)" if made["holds"] == "structure" else ""
    lines = [f"{given['source']} ({given['format']}): {size}", f"{made['path']} ({made['format']}) written{only}."]
    return [line(text) for text in (*lines, *facts["notes"])]
