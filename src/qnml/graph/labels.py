"""Node names: the common base of `Dag`, `Cpdag` and `Mpdag`, and the checks of names with their errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from qnml._checks import checked_list
from qnml.errors import InputError, bad_argument, plain, unknown_name
from qnml.graph.masks import bits

if TYPE_CHECKING:
    import os

    from qnml.reports.notebook import Picture

__all__ = ["LabelledGraph", "checked_names", "checked_pairs", "index_of", "listed", "require_same_names"]

_MOST_LISTED = 10


class LabelledGraph:
    """Node names and their positions; the base of the graph classes."""

    __slots__ = ("_index", "_names")

    _names: tuple[str, ...]
    _index: dict[str, int]

    def _label(self, names: tuple[str, ...]) -> None:
        self._names = names
        self._index = {name: position for position, name in enumerate(names)}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the nodes, in node order."""
        return self._names

    @property
    def n_nodes(self) -> int:
        """Number of nodes, isolated ones included."""
        return len(self._names)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Picture:
        """Draw the graph, to show in a notebook or to save.

        Parameters
        ----------
        path
            A file to save the picture to, ending in ``.svg``, ``.png``, ``.pdf`` or ``.dot``.
        """
        # The only place where a graph knows how it is drawn: notebooks ask objects to show themselves.
        from qnml.reports.notebook import Picture

        picture = Picture(self)
        if path is not None:
            picture.save(path)
        return picture

    def _repr_html_(self) -> str:
        return self.plot()._repr_html_()

    def index(self, name: str) -> int:
        """Return the position of a node in `names`."""
        return self._position("index", "name", name)

    def _position(self, method: str, argument: str, name: str) -> int:
        return index_of(f"{type(self).__name__}.{method}", argument, name, self._index)

    def _mask(self, method: str, argument: str, names: str | Iterable[str]) -> int:
        """Return the mask of a set of names; a single string is one name."""
        call, mask = f"{type(self).__name__}.{method}", 0
        given = [names] if isinstance(names, str) else checked_list(call, argument, names, "a name or a set of names")
        for name in given:
            mask |= 1 << self._position(method, argument, name)
        return mask

    def _names_in(self, mask: int) -> tuple[str, ...]:
        return tuple(self._names[position] for position in bits(mask))

    def _positions_in(self, method: str, names: Iterable[str]) -> tuple[tuple[str, ...], list[int]]:
        """Check that `names` is an order of the same nodes; return it and the new position of each node."""
        call = f"{type(self).__name__}.{method}"
        order = checked_names(call, names)
        if set(order) != set(self._names):
            difference = _difference(order, self._names, ("the names given", "the graph"))
            raise bad_argument(call, "names", order, "the names of this graph in another order", difference)
        places = {name: position for position, name in enumerate(order)}
        return order, [places[name] for name in self._names]


def checked_names(call: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return the names as a tuple of plain strings, or raise if they cannot name the nodes of a graph."""
    # A single string would be split into letters, which the caller never wants.
    advice = "For one node write [name]."
    given = checked_list(
        call, "names", [*names] if isinstance(names, Mapping) else names, "a sequence of node names", advice
    )
    for name in given:
        if not isinstance(name, str):
            raise bad_argument(call, "names", name, "strings", "Convert the names with str() first.")
    # Subclasses such as numpy.str_ must not leak into reprs and files.
    texts = tuple(str(name) for name in given)
    if "" in texts:
        raise bad_argument(call, "names", "", "names of at least one character")
    if len(set(texts)) < len(texts):
        twice = next(name for name, count in Counter(texts).items() if count > 1)
        raise bad_argument(call, "names", twice, "distinct; this one is given more than once")
    return texts


def checked_pairs(
    call: str, argument: str, pairs: Iterable[tuple[str, str]], index: Mapping[str, int]
) -> list[tuple[int, int]]:
    """Translate pairs of names into pairs of positions, rejecting unknown names and self-loops."""
    result = []
    for pair in checked_list(call, argument, pairs, "a sequence of pairs of node names"):
        allowed = "pairs of node names, such as ('A', 'B')"
        ends = checked_list(call, argument, pair, allowed)
        if len(ends) != 2:
            raise bad_argument(call, argument, pair, allowed)
        first, second = (index_of(call, argument, name, index) for name in ends)
        if first == second:
            raise bad_argument(call, argument, ends, "pairs of two different nodes; this is a self-loop")
        result.append((first, second))
    return result


def index_of(call: str, argument: str, name: object, index: Mapping[str, int]) -> int:
    """Return the position of a name, or raise an error that lists the known names and suggests the closest."""
    position = index.get(name) if isinstance(name, str) else None
    if position is None:
        raise unknown_name(call, argument, name, index)
    return position


def require_same_names(call: str, first: LabelledGraph, second: LabelledGraph) -> None:
    """Raise an error that names the difference unless both are graphs with the same nodes in any order."""
    for graph in (first, second):
        if not isinstance(graph, LabelledGraph):
            raise bad_argument(call, "graph", graph, "a Dag, a Cpdag or an Mpdag")
    if set(first.names) != set(second.names):
        raise InputError(f"{call}: both graphs must have the same nodes. {_difference(first.names, second.names)}")


def listed(texts: Iterable[str], most: int = _MOST_LISTED) -> str:
    """Join texts with commas; a long list is cut short and ends with the number of omitted texts."""
    every = [plain(text) for text in texts]
    if len(every) <= most:
        return ", ".join(every)
    return ", ".join(every[:most]) + f", … and {len(every) - most} more"


def _difference(
    first: Iterable[str], second: Iterable[str], where: tuple[str, str] = ("the first", "the second")
) -> str:
    names_first, names_second = list(first), list(second)
    sentences = []
    for place, ours, theirs in (
        (where[0], names_first, set(names_second)),
        (where[1], names_second, set(names_first)),
    ):
        only = [name for name in ours if name not in theirs]
        if only:
            sentences.append(f"Only in {place}: {listed(only)}.")
    return " ".join(sentences)
