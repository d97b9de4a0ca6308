"""Local scores: for every variable, sets of parents and what each of them scores."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from qnml._checks import checked_list, checked_mapping, checked_name, checked_whole_number
from qnml.errors import InputError, TooLargeError, bad_argument, plain
from qnml.scores.family_arrays import checked_parent_set, checked_score

__all__ = ["LocalScores"]

# Of families that a function is called for without a list of them.
_MOST_FAMILIES = 10_000_000


@dataclass(frozen=True)
class LocalScores(Mapping[str, Mapping[frozenset[str], float]]):
    """Local scores of parent sets, in nats; higher is better.

    Attributes
    ----------
    families : for every variable, the score of each of its parent sets.

    Examples
    --------
    >>> scores = LocalScores({"A": {frozenset(): -3.0}, "B": {frozenset(): -4.0, frozenset("A"): -2.5}})
    >>> scores["B"][frozenset("A")]
    -2.5
    >>> scores.total({"A": [], "B": ["A"]})
    -5.5
    """

    families: Mapping[str, Mapping[frozenset[str], float]]

    def __post_init__(self) -> None:
        given: Any = self.families
        if not isinstance(given, Mapping) or not all(isinstance(sets, Mapping) for sets in given.values()):
            allowed = "for every variable, a dictionary from sets of parents to scores"
            raise bad_argument("LocalScores", "families", given, allowed)
        if any(not isinstance(name, str) for name in given):
            raise bad_argument("LocalScores", "families", list(given), "names of variables as keys")
        if any(type(parents) is not frozenset for sets in given.values() for parents in sets):
            advice = "LocalScores.of takes any collections."
            raise bad_argument("LocalScores", "families", given, "frozensets of parents as keys", advice)

    @classmethod
    def of(
        cls,
        function: Callable[[str, frozenset[str]], float],
        families: Mapping[str, Iterable[Iterable[str]]] | None = None,
        *,
        names: Iterable[str] = (),
        max_parents: int | None = None,
    ) -> Self:
        """The local scores that a function gives to families.

        Parameters
        ----------
        function
            The score of a child, given by name, with a frozenset of parents; minus infinity for a family that no
            network may have.
        families
            For every variable, the sets of parents to score.
        names
            Without `families`: the variables, of which every one is scored with all sets of other ones.
        max_parents
            Without `families`: the largest number of parents.

        Examples
        --------
        >>> scores = LocalScores.of(lambda child, parents: -float(len(parents)), names=["A", "B", "C"], max_parents=1)
        >>> scores.n_families, scores["A"][frozenset("B")]
        (9, -1.0)
        """
        call = "LocalScores.of"
        if not callable(function):
            raise bad_argument(call, "function", function, "a function of a child and a frozenset of its parents")
        if families is not None and not isinstance(families, Mapping):
            raise bad_argument(call, "families", families, "for every variable, the sets of its parents; or None")
        wanted: Mapping[str, Iterable[Iterable[str]]] = (
            _all_families(call, names, max_parents) if families is None else families
        )
        if any(not isinstance(name, str) for name in wanted):
            raise bad_argument(call, "families", list(wanted), "names of variables as keys")
        everyone = frozenset(wanted)
        scored: dict[str, dict[frozenset[str], float]] = {}
        for child, sets in wanted.items():
            allowed = "for every variable, a list of sets of parents"
            found = (
                checked_parent_set(call, child, given, everyone)
                for given in checked_list(call, "families", sets, allowed)
            )
            scored[child] = {
                given: checked_score(call, child, given, _called(function, child, given)) for given in found
            }
        return cls(scored)

    @property
    def names(self) -> tuple[str, ...]:
        """The variables."""
        return tuple(self.families)

    @property
    def n_families(self) -> int:
        """Number of parent sets of all variables together."""
        return sum(map(len, self.families.values()))

    def total(self, parents: Mapping[str, Iterable[str]]) -> float:
        """The score of a network: minus infinity if a parent set is not listed."""
        call = "LocalScores.total"
        given = checked_mapping(call, "parents", parents, "for every variable, the names of its parents")
        everyone = frozenset(self.families)
        return math.fsum(
            self[child].get(checked_parent_set(call, child, sets, everyone, "parents"), -math.inf)
            for child, sets in given.items()
        )

    def __getitem__(self, name: str) -> Mapping[frozenset[str], float]:
        return self.families[checked_name("LocalScores", "name", name, self.families)]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self.families

    def __iter__(self) -> Iterator[str]:
        return iter(self.families)

    def __len__(self) -> int:
        return len(self.families)

    def __repr__(self) -> str:
        return f"LocalScores({len(self)} variables, {self.n_families} parent sets)"


def _called(function: Callable[[str, frozenset[str]], float], child: str, parents: frozenset[str]) -> float:
    try:
        return function(child, parents)
    except Exception as error:
        given = f" given {', '.join(map(plain, sorted(parents)))}" if parents else " without parents"
        raise InputError(
            f"LocalScores.of: the function fails for {plain(child)}{given}: {type(error).__name__}: {error!s:.200}"
        ) from error


def _all_families(call: str, names: Iterable[str], max_parents: int | None) -> dict[str, list[frozenset[str]]]:
    given = checked_list(call, "names", names, "names of variables, where no families are given")
    if not given or not all(isinstance(name, str) for name in given) or len(set(given)) < len(given):
        raise bad_argument(call, "names", given, "distinct names of variables, where no families are given")
    most = len(given) - 1
    if max_parents is not None:
        most = min(most, checked_whole_number(call, "max_parents", max_parents, or_none=True))
    count = len(given) * sum(math.comb(len(given) - 1, size) for size in range(most + 1))
    if count > _MOST_FAMILIES:
        raise TooLargeError(
            f"{call}: {len(given)} variables with up to {most} parents have {count:,} families, more than the "
            f"{_MOST_FAMILIES:,} allowed. Set max_parents lower, or give the families."
        )
    return {
        child: [
            frozenset(parents)
            for size in range(most + 1)
            for parents in itertools.combinations([name for name in given if name != child], size)
        ]
        for child in given
    }
