"""The names that `load` accepts, and what they refer to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from qnml.errors import InputError, bad_argument, unknown_name

__all__ = ["Entry", "find", "names"]

Kind = Literal["table", "network"]

_BUNDLED_TABLES = ("iris", "wine")
_BUNDLED_NETWORKS = ("asia", "cancer", "earthquake", "sachs", "survey")
_UCI = (
    "abalone",
    "adult",
    "balance",
    "bc_wisconsin",
    "breast_cancer",
    "diabetes",
    "ecoli",
    "glass",
    "heart_cleveland",
    "heart_hungarian",
    "heart_statlog",
    "iris",
    "liver",
    "page_blocks",
    "post_operative",
    "shuttle",
    "thyroid",
    "tic_tac_toe",
    "wine",
    "yeast",
)
_NETWORKS = (
    "alarm",
    "andes",
    "asia",
    "barley",
    "cancer",
    "child",
    "diabetes",
    "earthquake",
    "hailfinder",
    "hepar2",
    "insurance",
    "link",
    "mildew",
    "munin",
    "munin1",
    "munin2",
    "munin3",
    "munin4",
    "pathfinder",
    "pigs",
    "sachs",
    "survey",
    "water",
    "win95pts",
)


@dataclass(frozen=True)
class Entry:
    """One data set or network.

    Attributes
    ----------
    name
        The full name: ``uci/…`` and ``networks/…`` in the data folder, a plain name if bundled.
    kind
        The kind of object that loading it returns.
    origin
        Where it comes from, in words.
    """

    name: str
    kind: Kind
    origin: str

    @property
    def short(self) -> str:
        """The name without its folder."""
        return self.name.rpartition("/")[2]

    @property
    def bundled(self) -> bool:
        """Whether it is part of the package (or of scikit-learn, which the package needs)."""
        return "/" not in self.name


_ENTRIES: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        *(Entry(n, "table", "table, bundled with scikit-learn, discretised here") for n in _BUNDLED_TABLES),
        *(Entry(n, "network", "network, bundled") for n in _BUNDLED_NETWORKS),
        *(Entry(f"uci/{n}", "table", "table, data folder, discretised by the paper's authors") for n in _UCI),
        *(Entry(f"networks/{n}", "network", "network, data folder") for n in _NETWORKS),
    )
}


def names() -> dict[str, str]:
    """List all names that `load` accepts, with their origins.

    The folder of a name may be omitted unless that is ambiguous: ``"adult"`` is ``"uci/adult"``,
    while ``"diabetes"`` is both a data set and a network. Bundled data take precedence over the data folder, so that
    ``"iris"`` is the same everywhere.

    Returns
    -------
    dict
        From name to origin.

    Examples
    --------
    >>> names()["asia"]
    'network, bundled'
    """
    return {name: entry.origin for name, entry in _ENTRIES.items()}


def find(call: str, name: str, kind: Kind | None = None) -> Entry:
    """Look up a name among the entries of one kind or among all.

    Parameters
    ----------
    call
        The call to name in the error.
    name
        A full name, or one without its folder.
    kind
        The required kind, or None for any.
    """
    if not isinstance(name, str):
        raise bad_argument(call, "name", name, "a name, as text", "qnml.datasets.names() lists them.")
    wanted = [entry for entry in _ENTRIES.values() if kind in (None, entry.kind)]
    exact = [entry for entry in wanted if entry.name == name]
    matches = exact or [entry for entry in wanted if entry.short == name]
    if not matches:
        known = dict.fromkeys([entry.short for entry in wanted] + [entry.name for entry in wanted])
        raise unknown_name(call, "name", name, known)
    if len(matches) > 1:
        choices = " or ".join(repr(entry.name) for entry in matches)
        raise InputError(f"{call}(name={name!r}): is ambiguous. Write {choices}.")
    return matches[0]
