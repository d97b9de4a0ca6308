"""Files that a command leaves: checked before a long search, written after it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import qnml
from qnml.errors import InputError, bad_argument
from qnml.model import NETWORK_KINDS
from qnml.report.picture import check_picture, write_picture

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["OUTPUT_KINDS", "check_files", "written_files"]

OUTPUT_KINDS = (*NETWORK_KINDS, ".dot", ".txt")
"""Endings that ``--output`` takes."""

_PLOT_KINDS = (".svg", ".png")


def check_files(names: Sequence[str], outputs: Sequence[str], plots: Sequence[str]) -> None:
    """Refuse what could not be written, before the work.

    Parameters
    ----------
    names
        Of the variables: not every format can hold every name.
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
        if not path.lower().endswith(_PLOT_KINDS):
            allowed = f"a file name ending in one of {', '.join(_PLOT_KINDS)}"
            raise bad_argument("learn", "plot", path, allowed)
        check_picture("learn", path)
    for path in (*outputs, *plots):
        if not Path(path).parent.is_dir():
            raise InputError(f"learn: {path} cannot be written: there is no folder {Path(path).parent}.")


def written_files(result: qnml.SearchResult, outputs: Sequence[str], plots: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Write the files one by one; yield each with what it holds once it is there."""
    network = None
    for path in outputs:
        if path.lower().endswith(".txt"):
            _write_text(path, result.dag.to_modelstring() + "\n")
            yield path, "structure"
        elif path.lower().endswith(".dot"):
            write_picture(result, path)
            yield path, "equivalence class, for Graphviz"
        else:
            network = network or result.fit("snml")
            qnml.write_network(network, path)
            yield path, "network, parameters by sNML"
    for path in plots:
        write_picture(result, path)
        yield path, "picture"


def _write_text(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise bad_argument("learn", "output", path, "a place that can be written", f"{reason}.") from error
