"""Reading of tables from files, with the options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw

import qnml
from qnml.cli.options import in_bytes
from qnml.data import is_bene, read_frame
from qnml.errors import RealValuesError

__all__ = ["read_data", "read_rows"]


def read_data(
    source: str,
    *,
    levels: str | dict[str, list[str]] | None = None,
    missing: str = "raise",
    weights: str | None = None,
    discretize: str | None = None,
    bins: int = 3,
    memory: float | None = None,
) -> qnml.Table:
    """Read a table, first binning its numeric columns if requested.

    Parameters
    ----------
    source
        The file.
    levels, missing, weights
        As for `qnml.read_table`.
    discretize, bins
        Method and number of bins of `qnml.Discretizer`; None leaves numbers unchanged.
    memory
        Memory limit for reading, in gigabytes.
    """
    options: dict[str, Any] = {"levels": levels or "declared", "missing": missing, "weights": weights}
    # bene's files hold only categories: there is nothing to bin.
    if discretize is not None and not is_bene(Path(source)):
        frame = read_frame(source, memory_limit=in_bytes(memory))
        return qnml.read_table(_binned(frame, discretize, bins, weights), **options)
    try:
        return qnml.read_table(source, **options, memory_limit=in_bytes(memory))
    except RealValuesError as error:
        raise RealValuesError(f"{error} --discretize paper bins all such columns.") from error


def read_rows(source: str, memory: float | None = None) -> Any:
    """Open a file whose rows are matched to a network: missing cells stay, and numbers are labels."""
    opened = qnml.read_table if is_bene(Path(source)) else read_frame
    return opened(source, memory_limit=in_bytes(memory))


def _binned(frame: Any, method: str, bins: int, weights: str | None) -> Any:
    cutter = qnml.Discretizer(method, bins=bins)
    opened = nw.from_native(frame, eager_only=True)
    if weights not in opened.columns or len(opened.columns) == 1:
        return cutter.fit_transform(frame)
    # The weights are not a variable and must not be binned.
    # Selected with brackets: `drop` would treat a name such as ^.*$ as a pattern.
    cut = cutter.fit_transform(opened[[name for name in opened.columns if name != weights]].to_native())
    return nw.from_native(cut, eager_only=True).with_columns(opened[weights]).to_native()
