"""A tuple with one entry per column, indexable by position and by column name."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeVar, overload

from qnml._checks import checked_list, checked_texts
from qnml.errors import InputError, bad_argument, unknown_name

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Columnwise"]

T_co = TypeVar("T_co", covariant=True)


class Columnwise(tuple[T_co, ...]):
    """A tuple with one entry per column that can also be indexed by column name.

    Examples
    --------
    >>> arities = Columnwise(("smoke", "cancer"), (2, 3))
    >>> arities[1], arities["cancer"], list(arities)
    (3, 3, [2, 3])
    """

    names: tuple[str, ...]

    def __new__(cls, names: Iterable[str], entries: Iterable[T_co]) -> Columnwise[T_co]:
        """Pair the entries with the column names; both must have the same length."""
        made = super().__new__(cls, checked_list("Columnwise", "entries", entries, "a list, one entry for each column"))
        made.names = tuple(checked_texts("Columnwise", "names", names))
        if len(made.names) != len(made):
            raise InputError(f"Columnwise: {len(made.names)} names for {len(made)} entries")
        return made

    @overload
    def __getitem__(self, key: str | SupportsIndex) -> T_co: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[T_co, ...]: ...
    def __getitem__(self, key: str | SupportsIndex | slice) -> T_co | tuple[T_co, ...]:
        """Return the entry of one column, or a plain tuple for a slice."""
        if isinstance(key, str):
            place = self.places.get(key)
            if place is None:
                raise unknown_name("Columnwise", "column", key, self.names)
            return super().__getitem__(place)
        try:
            return super().__getitem__(key)
        except Exception as error:  # IndexError, TypeError, or any error of a foreign `__index__`
            raise bad_argument("Columnwise", "column", key, f"a column name, or a number below {len(self)}") from error

    @cached_property
    def places(self) -> dict[str, int]:
        """The position of each column name: computed once, since repeated searches would be quadratic."""
        return {name: place for place, name in enumerate(self.names)}

    def as_dict(self) -> dict[str, T_co]:
        """Return the entries by column name."""
        return dict(zip(self.names, self, strict=True))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as a constructor call; a plain tuple subclass would lose the names."""
        return Columnwise, (self.names, tuple(self))
