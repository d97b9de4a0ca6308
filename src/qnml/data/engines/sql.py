"""Tables in engines that speak SQL."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from qnml.data.engines.relation import Cell, CellKind, Raw, short_reason
from qnml.errors import DataError, QnmlError, unknown_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from qnml.data.engines.sql_text import Query

__all__ = ["SqlRelation", "arrow_kinds"]


@dataclass(frozen=True, eq=False)
class SqlRelation:
    """A table in an engine that answers SQL with Arrow tables.

    Attributes
    ----------
    call : the calling function, for errors.
    engine : the engine's name.
    kinds : what the cells of each column are.
    query : the questions.
    run : answers a query with a PyArrow table.
    stream : answers it with batches of about so many rows.
    notes : remarks about how the source is read.
    closing : releases what was opened for this table.
    """

    call: str
    engine: str
    kinds: Mapping[str, CellKind]
    query: Query
    run: Callable[[str], Any]
    stream: Callable[[str, int], Iterator[Any]]
    notes: tuple[str, ...] = ()
    closing: Callable[[], None] | None = None

    def weighted(self, call: str, weights: str) -> SqlRelation:
        """The same table with rows that count as often as a column says, which is then no variable."""
        kind = self.kinds.get(weights)
        if kind is None:
            raise unknown_name(call, "weights", weights, list(self.kinds))
        if kind not in ("integer", "real") or self._number(self.query.bad_weights(weights)):
            raise DataError(
                f"{call}: the weights in column {weights!r} must be non-negative integers, none of them missing."
            )
        kinds = {name: kind for name, kind in self.kinds.items() if name != weights}
        return replace(self, kinds=kinds, query=replace(self.query, weights=weights))

    def complete(self, names: Sequence[str]) -> SqlRelation:
        """The rows without missing cells in these columns."""
        return replace(self, query=replace(self.query, complete=tuple(names)))

    def sizes(self, cells: Sequence[Cell]) -> list[int]:
        """The number of stored rows, and about how many different values each column has."""
        table = self._answer(self.query.sizes(cells))
        return [int(column[0].as_py()) for column in table.columns]

    def distinct(self, cells: Sequence[Cell]) -> int:
        """About how many different combinations of these cells there are; -1 where the engine cannot say."""
        return self._number(self.query.distinct(cells)) if self.query.dialect.row and cells else -1

    def grouped(self, cells: Sequence[Cell]) -> Any:
        """The different combinations of these cells, and how often each occurs."""
        return self._answer(self.query.grouped(cells))

    def many(self, sets: Sequence[Sequence[str]]) -> Any:
        """The same for several sets of columns that hold numbers, in one query; see `Query.many`."""
        return self._answer(self.query.many([[Raw(name) for name in names] for names in sets]))

    def batches(self, names: Sequence[str], rows: int) -> Iterator[Any]:
        """The rows, in the order of the engine."""
        try:
            yield from self.stream(self.query.rows(names), rows)
        except QnmlError:
            raise
        except Exception as error:  # every engine has its own errors
            raise self._failure(error) from error

    def close(self) -> None:
        """Let go of what was opened for this table."""
        if self.closing is not None:
            with contextlib.suppress(Exception):
                self.closing()

    def _number(self, text: str) -> int:
        return int(self._answer(text).column(0)[0].as_py())

    def _answer(self, text: str) -> Any:
        try:
            return self.run(text)
        except QnmlError:
            raise
        except Exception as error:  # every engine has its own errors
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> DataError:
        return DataError(f"{self.call}: {self.engine} could not answer a query: {short_reason(error)}")


def arrow_kinds(schema: Any) -> dict[str, CellKind]:
    """What the cells of the columns of an Arrow schema are."""
    import pyarrow

    return {field.name: _kind(pyarrow.types, field.type) for field in schema}


def _kind(types: Any, dtype: Any) -> CellKind:
    if types.is_dictionary(dtype):
        return "declared"
    if types.is_boolean(dtype):
        return "boolean"
    if types.is_string(dtype) or types.is_large_string(dtype) or types.is_string_view(dtype):
        return "text"
    if types.is_integer(dtype) or (types.is_decimal(dtype) and dtype.scale == 0):
        return "integer"
    if types.is_floating(dtype) or types.is_decimal(dtype):
        return "real"
    return "date" if types.is_temporal(dtype) else "other"
