"""Networks that commands take: a file, or the name of a network that comes with qnml."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import qnml
from qnml.cli.mends import mends_told
from qnml.cli.options import in_bytes
from qnml.datasets.catalog import find
from qnml.errors import UnknownNameError
from qnml.model import NETWORK_KINDS

__all__ = ["NETWORK_NAMES", "ModelSource", "is_named", "opened_network", "opened_structure"]

NETWORK_NAMES = (
    "the name of a bundled network (asia, cancer, earthquake, sachs, survey); a file of that name is preferred"
)
"""Help text about networks by name."""

ModelSource = Annotated[
    str,
    typer.Argument(
        metavar="NETWORK", help=f"A network file with probabilities, such as .bif or .json, or {NETWORK_NAMES}."
    ),
]


def opened_network(command: str, source: str, memory: float | None = None) -> qnml.Network:
    """Read a network file, or load a network by name if there is no such file; repairs are told on stderr.

    Parameters
    ----------
    command
        The subcommand.
    source
        The file or the name.
    memory
        Memory limit in gigabytes.
    """
    with mends_told():
        if is_named(command, source):
            return qnml.datasets.load_network(source, memory_limit=in_bytes(memory))
        return qnml.read_network(source, memory_limit=in_bytes(memory))


def opened_structure(command: str, source: str, memory: float | None = None) -> qnml.Dag | qnml.Network:
    """Do the same for a structure, which may also be a model string: then it is a `Dag`.

    Parameters
    ----------
    command, source, memory
        As for `opened_network`.
    """
    if is_named(command, source) or (source.lower().endswith(NETWORK_KINDS) and not source.lstrip().startswith("[")):
        return opened_network(command, source, memory)
    with mends_told():
        return qnml.read_structure(source, memory_limit=in_bytes(memory))[0]


def is_named(command: str, source: str) -> bool:
    """Whether a network is asked for by its name.

    Raises
    ------
    UnknownNameError
        If it can only be a name, because it has neither an ending nor a folder, and no network has it.
    """
    path = Path(source)
    if path.is_file() or source.lstrip().startswith("["):
        return False
    try:
        find(command, source, "network")
    except UnknownNameError as error:
        if path.suffix or path.name != source:
            return False
        raise UnknownNameError(f"{error} There is no file of this name, either.") from None
    return True
