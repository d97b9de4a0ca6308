"""Output files of a command: checked before a long search, written after it."""

from __future__ import annotations

import warnings
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import qnml
from qnml._writing import refuse_same_file, write_file
from qnml.cli.read_data import STANDARD_INPUT
from qnml.errors import InputError, bad_argument
from qnml.model import NETWORK_KINDS
from qnml.reports.picture import check_picture, write_picture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from qnml._interrupts import Interrupts

__all__ = ["OUTPUT_KINDS", "check_files", "drawn", "refuse_overwriting", "written_files"]

OUTPUT_KINDS = (*NETWORK_KINDS, ".dot", ".txt")
"""Suffixes that ``--output`` accepts."""

_PLOT_KINDS = (".svg", ".png", ".pdf")
_STANDARD_INPUT_FILE = 0


def refuse_overwriting(command: str, outputs: Mapping[str, Sequence[str]], inputs: Sequence[str | None]) -> None:
    """Reject outputs that coincide with inputs or with each other, before the work starts.

    Parameters
    ----------
    command
        The subcommand.
    outputs
        Files to be written, by the option that names them.
    inputs
        Files that are read, ``-`` for standard input; None for those not given.
    """
    read = [_STANDARD_INPUT_FILE if path == STANDARD_INPUT else path for path in inputs if path is not None]
    before: list[str] = []
    for option, paths in outputs.items():
        for path in paths:
            refuse_same_file(command, option, path, read)
            refuse_same_file(command, option, path, before, "another output")
            before.append(path)


def check_files(names: Sequence[str], outputs: Sequence[str], plots: Sequence[str]) -> None:
    """Reject files that could not be written, before the work starts.

    Parameters
    ----------
    names
        Names of the variables: not every format can hold every name.
    outputs, plots
        The files for the network and for pictures of it.
    """
    for path in outputs:
        if not path.lower().endswith(OUTPUT_KINDS):
            allowed = f"a file name ending in one of {', '.join(OUTPUT_KINDS)}"
            raise bad_argument("learn", "output", path, allowed, "Pictures are made by --plot.")
        if path.lower().endswith(".txt"):
            qnml.Dag.empty(names).to_modelstring()
    for path in plots:
        check_picture("learn", path, "plot", _PLOT_KINDS)
    for path in (*outputs, *plots):
        if not Path(path).parent.is_dir():
            raise InputError(f"learn: {path} cannot be written: there is no folder {Path(path).parent}.")


def written_files(
    result: qnml.SearchResult, outputs: Sequence[str], plots: Sequence[str], interrupts: Interrupts
) -> Iterator[tuple[str, str]]:
    """Write the files one by one; yield each with a description of its content once it is written."""
    network = None
    for path in outputs:
        if path.lower().endswith(".txt"):
            write_file("learn", "output", path, f"{result.dag.to_modelstring()}\n".encode())
            yield path, "structure"
        elif path.lower().endswith(".dot"):
            write_picture(_drawing_of(result), path)
            yield path, "equivalence class, for Graphviz"
        else:
            network = network or result.fit("snml")
            qnml.write_network(network, path)
            yield path, "network, parameters by sNML"
    for path in plots:
        yield path, drawn(interrupts, path, partial(write_picture, _drawing_of(result), path), "picture")


def _drawing_of(result: qnml.SearchResult) -> qnml.SearchResult | qnml.Dag:
    """What is drawn: of local scores, which may tell equivalent networks apart, the network itself."""
    return result.dag if isinstance(result, qnml.LocalScoreResult) else result


def drawn(interrupts: Interrupts, path: str, draw: Callable[[], None], what: str) -> str:
    """Draw a picture unless Ctrl-C skips it: a second Ctrl-C after one that stopped the search, or one during drawing.

    Parameters
    ----------
    interrupts
        The interrupts received so far.
    path
        The file.
    draw
        Writes it.
    what
        Description of its content; returned with a remark if something was done differently than usual.
    """
    missing = f"{path} was not drawn; all other results are complete."
    if interrupts.count > 1:
        raise KeyboardInterrupt(missing)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        try:
            with interrupts.raised():
                draw()
        except KeyboardInterrupt:
            raise KeyboardInterrupt(missing) from None
    return "; ".join([what, *(str(one.message) for one in caught)])
