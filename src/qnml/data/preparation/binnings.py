"""From decisions to bins: where the cuts of columns are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from qnml.data.binning import Binning, equal_frequency, equal_width, given_cuts, nml_histograms, one_per_value
from qnml.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from qnml.data.binning import Numbers
    from qnml.data.preparation.rules import Decision
    from qnml.data.weights import Weights

__all__ = ["binnings_for"]

_PAPER_BINS = 3
_PAPER_KEPT = 6


def binnings_for(
    call: str, columns: Mapping[str, tuple[Decision, Numbers]], weights: Weights | None
) -> dict[str, Binning | DataError]:
    """Cut columns as decided; what cannot be cut gets the error that says why.

    Parameters
    ----------
    call : the calling function, for errors.
    columns : how to cut and what, by name: one number for each row, NaN where a cell is missing.
    weights : how often each row counts.
    """
    made: dict[str, Binning | DataError] = {}
    by_limit: dict[int | None, dict[str, Numbers]] = {}
    for name, (decision, values) in columns.items():
        if decision.method == "nml" and len(np.unique(values[~np.isnan(values)])) > _PAPER_KEPT:
            by_limit.setdefault(decision.bins, {})[name] = values
            continue
        try:
            made[name] = _binning(call, name, decision, values, weights)
        except DataError as error:
            made[name] = error
    # Together, because they share the threads of the core.
    for limit, numbers in by_limit.items():
        made |= nml_histograms(call, numbers, dict.fromkeys(numbers), weights, most_bins=limit)
    return made


def _binning(call: str, name: str, decision: Decision, values: Numbers, weights: Weights | None) -> Binning:
    method, bins = decision.method, decision.bins or _PAPER_BINS
    is_there = ~np.isnan(values)
    present = values[is_there]
    distinct = np.unique(present)
    if method == "cuts":
        return given_cuts(np.array(decision.cuts))
    if not len(distinct):
        return given_cuts(np.empty(0))
    kept = {"values": len(distinct), "paper": _PAPER_KEPT, "nml": _PAPER_KEPT}.get(method, bins)
    if len(distinct) <= kept:
        return one_per_value(distinct)
    if method == "frequency":
        return equal_frequency(present, bins, None if weights is None else weights[is_there])
    if not np.isfinite(distinct[[0, -1]]).all():
        raise DataError(
            f"{call}: column {name!r} holds infinite values, so its range cannot be divided. Bin it by 'nml' or "
            "'frequency' or at given cut points, leave it out, or replace the values."
        )
    return equal_width(present, _PAPER_BINS if method == "paper" else bins)
