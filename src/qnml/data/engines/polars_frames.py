"""Polars lazy frames, evaluated by its streaming engine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import polars as pl

from qnml.data.engines.relation import COUNT, Binned, Blank, Cell, CellKind, Kept, Raw, short_reason
from qnml.data.forks import refuse_lost_threads
from qnml.errors import DataError, unknown_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["PolarsRelation", "of_polars"]


@dataclass(frozen=True, eq=False)
class PolarsRelation:
    """A lazy frame; its columns go by their places, since names such as ``^a$`` are patterns to Polars.

    Attributes
    ----------
    call : the calling function, for errors.
    frame : the lazy frame, with columns ``p0``, ``p1``, ….
    places : the place of each column by name.
    kinds : what the cells of each column are.
    weights : the column of weights, or None.
    """

    call: str
    frame: pl.LazyFrame
    places: Mapping[str, int]
    kinds: Mapping[str, CellKind]
    weights: str | None = None
    engine: str = "Polars"
    notes: tuple[str, ...] = ()

    def weighted(self, call: str, weights: str) -> PolarsRelation:
        """The same table with rows that count as often as a column says, which is then no variable."""
        kind = self.kinds.get(weights)
        if kind is None:
            raise unknown_name(call, "weights", weights, list(self.kinds))
        column = self._column(weights)
        if kind in ("integer", "real"):
            is_bad = (column.is_null() | (column < 0) | (column != column.floor())).sum()
            if not self._collected(self.frame.select(is_bad)).item():
                kinds = {name: kind for name, kind in self.kinds.items() if name != weights}
                return replace(self, kinds=kinds, weights=weights, frame=self.frame.filter(column > 0))
        raise DataError(
            f"{call}: the weights in column {weights!r} must be non-negative integers, none of them missing."
        )

    def complete(self, names: Sequence[str]) -> PolarsRelation:
        """The rows without missing cells in these columns."""
        if not names:
            return self
        whole = pl.all_horizontal([~self._is_missing(name) for name in names])
        return replace(self, frame=self.frame.filter(whole))

    def sizes(self, cells: Sequence[Cell]) -> list[int]:
        """The number of stored rows, and about how many different values each column has."""
        parts = [self._cell(cell).approx_n_unique().alias(f"c{place}") for place, cell in enumerate(cells)]
        return [int(value) for value in self._collected(self.frame.select(pl.len().alias(COUNT), *parts)).row(0)]

    def distinct(self, cells: Sequence[Cell]) -> int:
        """About how many different combinations of these cells there are."""
        parts = [self._cell(cell).alias(f"c{place}") for place, cell in enumerate(cells)]
        return int(self._collected(self.frame.select(pl.struct(parts).hash().approx_n_unique())).item())

    def grouped(self, cells: Sequence[Cell]) -> pl.DataFrame:
        """The different combinations of these cells, and how often each occurs."""
        count = pl.len() if self.weights is None else self._column(self.weights).cast(pl.Int64).sum()
        if not cells:
            return self._collected(self.frame.select(count.cast(pl.Int64).alias(COUNT)))
        keys = [self._cell(cell).alias(f"c{place}") for place, cell in enumerate(cells)]
        return self._collected(self.frame.group_by(keys).agg(count.cast(pl.Int64).alias(COUNT)))

    def batches(self, names: Sequence[str], rows: int) -> Iterator[Any]:
        """The rows, in their order."""
        parts = [self._column(name).alias(f"c{place}") for place, name in enumerate(names)]
        if self.weights is not None:
            parts.append(self._column(self.weights).alias(COUNT))
        try:
            yield from self.frame.select(parts).collect_batches(chunk_size=rows, maintain_order=True)
        except (Exception, pl.exceptions.PanicException) as error:  # PanicException is not a subclass of Exception
            raise self._failure(error) from error

    def close(self) -> None:
        """Nothing was opened."""

    def _column(self, name: str) -> pl.Expr:
        return pl.col(f"p{self.places[name]}")

    def _is_missing(self, name: str) -> pl.Expr:
        column = self._column(name)
        return column.is_null() | column.is_nan().fill_null(False) if self.kinds[name] == "real" else column.is_null()

    def _cell(self, cell: Cell) -> pl.Expr:
        column = self._column(cell.name)
        if isinstance(cell, Raw):
            return column
        missing = self._is_missing(cell.name)
        if isinstance(cell, Blank):
            return missing
        if isinstance(cell, Kept):
            kept = pl.when(column.is_in(list(cell.labels))).then(column).otherwise(pl.lit(cell.other))
            return pl.when(~missing).then(kept)
        return self._bin(cell, column, missing)

    def _bin(self, cell: Binned, column: pl.Expr, missing: pl.Expr) -> pl.Expr:
        value = column.cast(pl.Float64)
        above = pl.lit(0, dtype=pl.Int64)
        for cut in cell.cuts:
            above = above + (value > cut).cast(pl.Int64)
        return pl.when(~missing).then(above)

    def _collected(self, frame: pl.LazyFrame) -> pl.DataFrame:
        try:
            return frame.collect(engine="streaming")
        except (Exception, pl.exceptions.PanicException) as error:  # PanicException is not a subclass of Exception
            raise self._failure(error) from error

    def _failure(self, error: BaseException) -> DataError:
        return DataError(f"{self.call}: the lazy frame could not be collected: {short_reason(error)}")


def of_polars(call: str, frame: pl.LazyFrame) -> PolarsRelation:
    """A Polars lazy frame.

    Parameters
    ----------
    call : the calling function, for errors.
    frame : the frame.
    """
    refuse_lost_threads(call)
    try:
        schema = frame.collect_schema()
    except (Exception, pl.exceptions.PanicException) as error:  # PanicException is not a subclass of Exception
        raise DataError(f"{call}: the lazy frame could not be collected: {short_reason(error)}") from error
    placed = [
        # Categoricals declare no levels: their categories are shared by the whole process.
        pl.nth(place).cast(pl.String).alias(f"p{place}")
        if dtype == pl.Categorical and not isinstance(dtype, pl.Enum)
        else pl.nth(place).alias(f"p{place}")
        for place, dtype in enumerate(schema.values())
    ]
    kinds = {name: _kind(dtype) for name, dtype in schema.items()}
    return PolarsRelation(call, frame.select(placed), {name: place for place, name in enumerate(schema)}, kinds)


def _kind(dtype: pl.DataType) -> CellKind:
    if isinstance(dtype, pl.Enum):
        return "declared"
    if dtype in (pl.String, pl.Categorical):
        return "text"
    if dtype == pl.Boolean:
        return "boolean"
    if dtype.is_integer() or (isinstance(dtype, pl.Decimal) and not dtype.scale):
        return "integer"
    if dtype.is_float():
        return "real"
    if isinstance(dtype, pl.Decimal):
        return "real"
    return "date" if dtype.is_temporal() else "other"
