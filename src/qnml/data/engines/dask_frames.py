"""Dask data frames: every partition is counted where it lies, and the counts are added up here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from qnml._packages import needed
from qnml.data.engines.relation import COUNT, Binned, Blank, Cell, CellKind, Kept, Raw, short_reason
from qnml.errors import DataError, unknown_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["DaskRelation", "of_dask"]


@dataclass(frozen=True, eq=False)
class DaskRelation:
    """A Dask data frame.

    Attributes
    ----------
    call : the calling function, for errors.
    frame : the frame, with columns in the order of `kinds`.
    kinds : what the cells of each column are.
    weights : the column of weights, or None.
    whole : the columns in which no cell may be missing.
    """

    call: str
    frame: Any
    kinds: Mapping[str, CellKind]
    weights: str | None = None
    whole: tuple[str, ...] = ()
    engine: str = "Dask"
    notes: tuple[str, ...] = ()

    def weighted(self, call: str, weights: str) -> DaskRelation:
        """The same table with rows that count as often as a column says, which is then no variable."""
        kind = self.kinds.get(weights)
        if kind is None:
            raise unknown_name(call, "weights", weights, list(self.kinds))
        if kind not in ("integer", "real") or any(self._mapped(_n_bad_weights, weights)):
            raise DataError(
                f"{call}: the weights in column {weights!r} must be non-negative integers, none of them missing."
            )
        kinds = {name: kind for name, kind in self.kinds.items() if name != weights}
        return replace(self, kinds=kinds, weights=weights)

    def complete(self, names: Sequence[str]) -> DaskRelation:
        """The rows without missing cells in these columns."""
        return replace(self, whole=tuple(names))

    def sizes(self, cells: Sequence[Cell]) -> list[int]:
        """The number of stored rows; how many different values a column has is not known."""
        return [sum(self._mapped(_n_rows, self.weights, self.whole)), *(-1 for _ in cells)]

    def distinct(self, cells: Sequence[Cell]) -> int:
        """Not known."""
        return -1

    def grouped(self, cells: Sequence[Cell]) -> Any:
        """The combinations of these cells in each partition, and how often each occurs there."""
        import pandas as pd

        parts = self._mapped(_counted, tuple(cells), self.weights, self.whole)
        keys = [f"c{place}" for place in range(len(cells))]
        together = pd.concat(parts, ignore_index=True)
        if not keys:
            return pd.DataFrame({COUNT: [int(together[COUNT].sum())]})
        return together.groupby(keys, dropna=False, observed=True, sort=False)[COUNT].sum().reset_index()

    def batches(self, names: Sequence[str], rows: int) -> Iterator[Any]:
        """The partitions, one by one, in their order."""
        for place in range(self.frame.npartitions):
            try:
                part = self.frame.partitions[place].compute()
            except Exception as error:  # Dask's own, or those of what it reads
                raise self._failure(error) from error
            part = _kept_rows(part, self.weights, self.whole)
            for start in range(0, len(part), rows):
                piece = part.iloc[start : start + rows]
                taken = [*names] if self.weights is None else [*names, self.weights]
                piece = piece[taken].reset_index(drop=True)
                piece.columns = [*(f"c{i}" for i in range(len(names))), *([COUNT] if self.weights is not None else [])]
                yield piece

    def close(self) -> None:
        """Nothing was opened."""

    def _mapped(self, function: Any, *arguments: Any) -> list[Any]:
        dask = needed("dask", self.call, "opens its own frames")
        try:
            work = [dask.delayed(function)(part, *arguments) for part in self.frame.to_delayed()]
            return list(dask.compute(*work))
        except Exception as error:  # Dask's own, or those of what it reads
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> DataError:
        return DataError(f"{self.call}: Dask could not count the partitions: {short_reason(error)}")


def of_dask(call: str, frame: Any) -> DaskRelation:
    """A Dask data frame.

    Parameters
    ----------
    call : the calling function, for errors.
    frame : the frame.
    """
    names = [str(name) for name in frame.columns]
    if names != list(frame.columns):
        frame = frame.copy()
        frame.columns = names
    kinds: dict[str, CellKind] = {}
    for name, dtype in zip(names, frame.dtypes, strict=True):
        if str(dtype) == "category" and not frame[name].cat.known:
            raise DataError(
                f"{call}: the categories of column {name!r} are not known before the data are read. Write "
                "frame.categorize(), or make the column text."
            )
        kinds[name] = _kind(dtype)
    return DaskRelation(call, frame, kinds)


def _kind(dtype: Any) -> CellKind:
    import pandas as pd

    kinds = pd.api.types
    if isinstance(dtype, pd.CategoricalDtype):
        return "declared"
    if kinds.is_bool_dtype(dtype):
        return "boolean"
    if kinds.is_integer_dtype(dtype):
        return "integer"
    if kinds.is_float_dtype(dtype):
        return "real"
    if kinds.is_datetime64_any_dtype(dtype) or kinds.is_timedelta64_dtype(dtype):
        return "date"
    # Objects may be anything; what they are is seen when they arrive.
    return "text" if kinds.is_string_dtype(dtype) or kinds.is_object_dtype(dtype) else "other"


def _n_rows(part: Any, weights: str | None, whole: tuple[str, ...]) -> int:
    return len(_kept_rows(part, weights, whole))


def _n_bad_weights(part: Any, weights: str) -> int:
    column = part[weights]
    return int((column.isna() | (column < 0) | (column % 1 != 0)).sum())


def _kept_rows(part: Any, weights: str | None, whole: tuple[str, ...]) -> Any:
    if weights is not None:
        part = part[part[weights] > 0]
    return part.dropna(subset=list(whole)) if whole else part


def _counted(part: Any, cells: tuple[Cell, ...], weights: str | None, whole: tuple[str, ...]) -> Any:
    """The combinations in one partition; this runs where the partition is."""
    import pandas as pd

    part = _kept_rows(part, weights, whole)
    counts = pd.Series(1, index=part.index) if weights is None else part[weights]
    columns = {f"c{place}": _cell(part, cell) for place, cell in enumerate(cells)}
    made = pd.DataFrame({**columns, COUNT: counts.astype("int64")})
    if not columns:
        return pd.DataFrame({COUNT: [int(counts.sum())]})
    return made.groupby(list(columns), dropna=False, observed=True, sort=False)[COUNT].sum().reset_index()


def _cell(part: Any, cell: Cell) -> Any:
    import numpy as np

    column = part[cell.name]
    if isinstance(cell, Raw):
        return column
    missing = column.isna()
    if isinstance(cell, Blank):
        return missing
    if isinstance(cell, Kept):
        return column.where(column.isin(cell.labels) | missing, cell.other)
    assert isinstance(cell, Binned)
    values = column.astype("float64").to_numpy(na_value=np.nan)
    bins = np.searchsorted(np.array(cell.cuts), values, side="left").astype(np.float64)
    bins[np.isnan(values)] = np.nan
    return bins
