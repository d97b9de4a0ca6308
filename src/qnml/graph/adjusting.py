"""`Adjusting`: the questions about adjustment that a `Dag`, a `Cpdag` and an `Mpdag` answer."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Literal

from qnml._checks import check_choice, checked_whole_number
from qnml.errors import bad_argument
from qnml.graph.adjustment import Adjustment
from qnml.graph.labels import LabelledGraph, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Adjusting"]

_MOST_SETS = 100_000


class Adjusting(LabelledGraph):
    """A graph of causes, or several of them: what to adjust for in order to see an effect in observed data."""

    __slots__ = ()

    def _with_member(self) -> tuple[Sequence[int], Sequence[int], Sequence[int]]:
        """Parent and neighbour masks, and the parent masks of a member."""
        raise NotImplementedError

    def adjustment_sets(
        self,
        x: str | Iterable[str],
        y: str | Iterable[str],
        *,
        criterion: Literal["back-door", "generalized"] = "back-door",
        unobserved: str | Iterable[str] = (),
        most: int = 100,
    ) -> tuple[tuple[str, ...], ...]:
        """List the minimal sets to adjust for, so that observed data show the effect of `x` on `y`.

        Each is valid in every member of the graph, and without any of its nodes it would not be. The empty set is
        listed if nothing needs to be adjusted for; nothing is listed if no set is valid, also because the effect
        differs between members.

        Parameters
        ----------
        x, y
            Causes and targets: disjoint sets of names; a single string is one name.
        criterion
            ``"back-door"`` lists sets without (possible) descendants of `x`; ``"generalized"`` all, by the generalized
            adjustment criterion.
        unobserved
            Names of variables that cannot be adjusted for.
        most
            The largest number of sets to list. Smaller sets come first among those that are listed.

        References
        ----------
        E. Perković, J. Textor, M. Kalisch, M. H. Maathuis (2018). Complete graphical characterization and construction
        of adjustment sets in Markov equivalence classes of ancestral graphs. JMLR 18.
        """
        method = "adjustment_sets"
        question, _ = self._question(method, x, y)
        check_choice(f"{type(self).__name__}.{method}", "criterion", criterion, ("back-door", "generalized"))
        left_out = self._mask(method, "unobserved", unobserved)
        most = checked_whole_number(f"{type(self).__name__}.{method}", "most", most, 1, _MOST_SETS)
        if criterion == "back-door":
            left_out |= question.descendants
        found = [*islice(question.minimal_sets(left_out), most)]
        named = [self._names_in(mask) for mask in found]
        return tuple(sorted(named, key=lambda one: (len(one), [self._index[name] for name in one])))

    def is_valid_adjustment(
        self, x: str | Iterable[str], y: str | Iterable[str], adjusted: str | Iterable[str]
    ) -> bool:
        """Return whether adjusting for a set shows the effect of `x` on `y`, in every member of the graph.

        This is the generalized adjustment criterion, which is necessary and sufficient.

        Parameters
        ----------
        x, y, adjusted
            Causes, targets, and the set to adjust for: disjoint sets of names; a single string is one name.
        """
        method = "is_valid_adjustment"
        question, ends = self._question(method, x, y)
        mask = self._mask(method, "adjusted", adjusted)
        self._refuse_overlap(method, "adjusted", adjusted, mask & ends)
        return question.is_valid(mask)

    def _question(self, method: str, x: str | Iterable[str], y: str | Iterable[str]) -> tuple[Adjustment, int]:
        causes, targets = self._mask(method, "x", x), self._mask(method, "y", y)
        for argument, value, mask in (("x", x, causes), ("y", y, targets)):
            if not mask:
                raise bad_argument(f"{type(self).__name__}.{method}", argument, value, "at least one name")
        self._refuse_overlap(method, "y", y, causes & targets)
        return Adjustment(*self._with_member(), causes, targets), causes | targets

    def _refuse_overlap(self, method: str, argument: str, value: object, overlap: int) -> None:
        if overlap:
            allowed = f"disjoint from the other sets; {listed(self._names_in(overlap))} is in two of them"
            raise bad_argument(f"{type(self).__name__}.{method}", argument, value, allowed)
