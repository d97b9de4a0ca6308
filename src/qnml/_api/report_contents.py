"""`ReportContents`: everything that a report page shows, computed once."""

from __future__ import annotations

import hashlib
import json
import platform
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml._api.k_best_result import KBest
    from qnml._api.search_result import SearchResult
    from qnml._types import FloatArray
    from qnml.data import Table
    from qnml.model import Network
    from qnml.model.inference.clique_tree import CliqueTree
    from qnml.model.residuals import Residual

__all__ = ["Answers", "ArcProbabilities", "Left", "ReportContents", "SingleAnswers", "fingerprint", "versions"]

Distributions: TypeAlias = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Left:
    """Why a part of the page is left out.

    Attributes
    ----------
    reason : a sentence for the page.
    """

    reason: str


@dataclass(frozen=True)
class ArcProbabilities:
    """How probable each arc is, and what that means.

    Attributes
    ----------
    names : the variables, in the order of `arcs`.
    arcs : ``arcs[i, j]`` belongs to the arc from i to j.
    word : what the numbers are, such as "Posterior probability".
    sentence : how they were computed.
    """

    names: tuple[str, ...]
    arcs: FloatArray
    word: str
    sentence: str


@dataclass(frozen=True)
class Answers:
    """What a page needs to answer questions by itself.

    Attributes
    ----------
    tree : a clique tree of the network, whose nodes are numbered in the order of its names.
    parent_sets : for each variable the sets of parents that it has in some admitted member of the equivalence class,
        that of the network first; None where there are too many.
    """

    tree: CliqueTree
    parent_sets: tuple[tuple[tuple[int, ...], ...] | None, ...]


@dataclass(frozen=True)
class SingleAnswers:
    """Answers computed beforehand, for networks whose tables are too large for a browser.

    Attributes
    ----------
    none : the distribution of each variable without evidence.
    single : for each variable and each of its levels, the distribution of each variable given this one observation;
        None where the level has probability zero.
    """

    none: Distributions
    single: tuple[tuple[Distributions | None, ...], ...]


@dataclass(frozen=True)
class ReportContents:
    """The contents of a report page.

    Attributes
    ----------
    title : the heading.
    source : where the data or the network came from.
    network : the network with its probability tables.
    result : the result of learning it; None if it was given.
    probabilities : probabilities of arcs, or why there are none.
    ranked : the best equivalence classes, or why there are none.
    residuals : how well the network explains each pair of variables, or why that is not known.
    answers : what the page needs to answer questions, or why it cannot.
    commands : the call and the command that make the page again.
    seed : a sentence on the seeds of the search and of the bootstrap; None for a network without data.
    """

    title: str
    source: str
    network: Network
    result: SearchResult | None
    probabilities: ArcProbabilities | Left
    ranked: KBest | Left
    residuals: Sequence[Residual] | Left
    answers: Answers | SingleAnswers | Left
    commands: tuple[str, ...]
    seed: str | None = None


def fingerprint(table: Table) -> str:
    """A hash of the names, levels, rows and weights of a table, by SHA-256.

    Parameters
    ----------
    table : the table.
    """
    frame = {
        "names": list(table.names),
        "levels": [[str(level) for level in table.levels[name]] for name in table.names],
        "rows": table.n_rows,
    }
    found = hashlib.sha256(json.dumps(frame).encode())
    for name in table.names:
        found.update(np.ascontiguousarray(table.codes(name), dtype="<i4").tobytes())
    if table.weights is not None:
        found.update(np.ascontiguousarray(table.weights, dtype="<u8").tobytes())
    return found.hexdigest()


def versions() -> str:
    """The versions that matter for repeating the work."""
    return f"qnml {metadata.version('qnml')}, NumPy {np.__version__}, Python {platform.python_version()}"
