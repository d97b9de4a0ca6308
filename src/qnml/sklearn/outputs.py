"""Conversion of sampled rows to the type of container that was given to `fit`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml.data.frames import as_frame

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw
    import numpy.typing as npt

    from qnml.data import Table

__all__ = ["Container", "container_of"]


@dataclass(frozen=True)
class Container:
    """A kind of container.

    Attributes
    ----------
    kind : the library of a frame; None for an array.
    columns : the column names of a frame, which in pandas need not be text.
    """

    kind: nw.Implementation | None
    columns: tuple[Any, ...] = ()

    def fill(self, table: Table) -> Any:
        """Put the rows of a table into such a container."""
        if self.kind is None:
            return _array(table)
        if self.kind.is_pandas_like():
            return self._pandas(table)
        frame = table.to_frame(kind="polars")
        return frame.to_arrow() if self.kind.is_pyarrow() else frame

    def _pandas(self, table: Table) -> Any:
        assert self.kind is not None
        pandas = self.kind.to_native_namespace()
        made = {}
        for place, (codes, levels) in enumerate(zip(table.columns, table.levels, strict=True)):
            decoder = np.array(levels)
            is_text = decoder.dtype.kind not in "biu"
            made[place] = pandas.Categorical.from_codes(codes, list(levels)) if is_text else decoder[codes]
        frame = pandas.DataFrame(made)
        called = {str(column): column for column in self.columns}
        frame.columns = [called.get(name, name) for name in table.names]
        return frame


def container_of(X: Any) -> Container:
    """Return the kind of container of `X`."""
    frame = as_frame("BayesNet.fit", X)
    return Container(None) if frame is None else Container(frame.implementation, tuple(frame.columns))


def _array(table: Table) -> npt.NDArray[Any]:
    columns = [table.labels(name) for name in table.names]
    kinds = {type(label) for levels in table.levels for label in levels}
    made = np.column_stack(columns)
    return made.astype(np.int64 if kinds == {int} else bool) if kinds in ({int}, {bool}) else made
