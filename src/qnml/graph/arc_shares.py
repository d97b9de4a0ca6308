"""Probabilities or frequencies by arc, with 0 for arcs that are not listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml._checks import checked_name
from qnml.errors import bad_argument

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ArcShares"]


class ArcShares(dict[tuple[str, str], float]):
    """Shares by arc (parent, child): 0 for an unlisted arc, an error for an unknown name.

    Parameters
    ----------
    call : the attribute they belong to, for errors.
    names : all variables.
    listed : the shares, in iteration order.

    Examples
    --------
    >>> shares = ArcShares("shares", ("a", "b"), {("a", "b"): 0.5})
    >>> shares["a", "b"], shares["b", "a"], ("b", "a") in shares
    (0.5, 0.0, False)
    """

    def __init__(self, call: str, names: tuple[str, ...], listed: Mapping[tuple[str, str], float]) -> None:
        super().__init__(listed)
        self._call = call
        self._names = frozenset(names)

    def __getitem__(self, arc: tuple[str, str]) -> float:
        if not isinstance(arc, tuple) or len(arc) != 2:
            raise bad_argument(self._call, "arc", arc, "a pair of names, parent first")
        parent, child = (checked_name(self._call, "arc", name, sorted(self._names)) for name in arc)
        if parent == child:
            raise bad_argument(self._call, "arc", arc, "a pair of two different names")
        return self.get((parent, child), 0.0)
