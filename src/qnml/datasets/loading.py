"""Loading of data sets and networks by name."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from qnml.data import read_table
from qnml.datasets.catalog import Entry, find
from qnml.datasets.folder import data_file
from qnml.datasets.scikit import bundled_table
from qnml.model import read_network
from qnml.model.files import read_json
from qnml.model.files.reading import Reading

if TYPE_CHECKING:
    from qnml.data import Table
    from qnml.model import Network

__all__ = ["load", "load_network", "load_table", "sample"]

_UCI_PROVIDER = (
    "the UCI Machine Learning Repository (https://archive.ics.uci.edu; the discretised .vd and .idt files "
    "are in the history of https://github.com/tomisilander/AISTATS2018q)"
)
_NETWORK_PROVIDER = "the Bayesian Network Repository (https://www.bnlearn.com/bnrepository)"


def load(name: str) -> Table | Network:
    """Load a data set or a network by name.

    Parameters
    ----------
    name
        One of :func:`names`: bundled tables (``"iris"``, ``"wine"``) and networks (``"asia"``, …), and with
        the data folder the 20 UCI sets of the paper as discretized by its authors (``"uci/adult"``,
        or ``"adult"`` for short) and the larger networks (``"networks/alarm"``, ``"alarm"``).

    Returns
    -------
    Table or Network
        A table for a data set, a network for a network.

    Raises
    ------
    UnknownNameError
        The name is not known.
    DataFolderError
        It belongs to the data folder, which does not exist.

    Examples
    --------
    >>> load("asia")
    Network(8 variables, 8 arcs, 18 parameters)
    >>> load("iris").arities["class"]
    3
    """
    entry = find("load", name)
    return _table("load", entry) if entry.kind == "table" else _network("load", entry)


def load_table(name: str) -> Table:
    """Load a data set by name; like :func:`load`, for names of tables only.

    Parameters
    ----------
    name
        One of the tables of :func:`names`.
    """
    return _table("load_table", find("load_table", name, "table"))


def load_network(name: str, *, memory_limit: float | None = None) -> Network:
    """Load a network by name; like :func:`load`, for names of networks only.

    Parameters
    ----------
    name
        One of the networks of :func:`names`.
    memory_limit
        As for :func:`~qnml.read_network`.
    """
    return _network("load_network", find("load_network", name, "network"), memory_limit)


def sample(name: str, n: int, seed: int | None = None) -> Table:
    """Draw a table from a network given by name.

    Parameters
    ----------
    name
        One of the networks of :func:`names`.
    n
        Number of rows.
    seed
        The same seed gives the same rows; random by default.

    Examples
    --------
    >>> sample("cancer", 1000, seed=1)
    Table(1000 rows; Pollution: 2, Smoker: 2, Cancer: 2, Xray: 2, Dyspnoea: 2)
    """
    return _network("sample", find("sample", name, "network")).sample(n, seed)


def _table(call: str, entry: Entry) -> Table:
    if entry.bundled:
        return bundled_table(entry.name)
    shown = f"{call}(name={entry.name!r})"
    data_file(shown, f"uci/authors/{entry.short}.idt", _UCI_PROVIDER)
    return read_table(data_file(shown, f"uci/authors/{entry.short}.vd", _UCI_PROVIDER))


def _network(call: str, entry: Entry, memory_limit: float | None = None) -> Network:
    if entry.bundled:
        file = resources.files("qnml.datasets") / "networks" / f"{entry.name}.json"
        return read_json(file.read_text(encoding="utf-8"), str(file), Reading(str(file), memory_limit))
    path = data_file(f"{call}(name={entry.name!r})", f"networks/{entry.short}.bif", _NETWORK_PROVIDER)
    return read_network(path, memory_limit=memory_limit)
