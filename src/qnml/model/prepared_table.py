"""Rows of any source as a table with the levels of a network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from qnml.data import Table, read_table
from qnml.data.intervention_columns import split_interventions
from qnml.data.opening import source_columns
from qnml.errors import DataError, bad_argument, plain
from qnml.model.matching import MISSING, match_columns
from qnml.model.network import Network
from qnml.model.preparing import is_prepared

if TYPE_CHECKING:
    import numpy.typing as npt

    from qnml.data.interventions import Interventions

__all__ = ["as_prepared_table", "prepare"]

_MOST_SHOWN = 8


def as_prepared_table(call: str, structure: object, data: Any, missing: Literal["em"] | None = None) -> Table:
    """The data as a table: raw rows are prepared if the structure is a network that remembers how.

    Parameters
    ----------
    call
        The calling function, for errors.
    structure
        A network, or a structure without levels.
    data
        A table, or anything `read_table` accepts.
    missing
        What is done about missing cells of data that are no table; None for what the network remembers, or else what
        `read_table` does.
    """
    if isinstance(structure, Network) and structure.preparation is not None:
        if not isinstance(data, Table) or not is_prepared(structure, data):
            return _prepared(call, structure, data, None, None, missing)
        return data
    return data if isinstance(data, Table) else read_table(data, missing=missing)


def prepare(
    net: Network, data: Any, weights: str | npt.ArrayLike | None, interventions: object, missing: str | None
) -> Table:
    """Prepare raw rows; see :meth:`Network.prepare`."""
    call = "Network.prepare"
    if missing is not None and (not isinstance(missing, str) or missing not in ("raise", "drop", "em")):
        raise bad_argument(call, "missing", missing, "'raise', 'drop', 'em' or None")
    if isinstance(data, Table) and weights is not None:
        data, weights = read_table(data, weights=weights), None
    return _prepared(call, net, data, weights, interventions, missing)


def _prepared(
    call: str,
    net: Network,
    data: Any,
    weights: str | npt.ArrayLike | None,
    interventions: object,
    missing: str | None,
) -> Table:
    matched = match_columns(net, data, call, unknown="raise", way_out="", weights=weights)
    absent = [name for name, column in zip(net.names, matched.columns, strict=True) if column is None]
    if absent:
        more = f" and {len(absent) - _MOST_SHOWN} more" if len(absent) > _MOST_SHOWN else ""
        listed = ", ".join(map(plain, absent[:_MOST_SHOWN]))
        raise DataError(f"{call}: the data lack the columns {listed}{more}. Add or rename the columns.")
    columns = [column for column in matched.columns if column is not None]
    counted = matched.weights
    kept = np.ones(matched.n_rows, dtype=bool) if counted is None else counted > 0
    holed = np.any([column == MISSING for column in columns], axis=0) & kept
    rule = missing or _rule(net)
    if holed.any() and rule != "em":
        if rule != "drop":
            names = [name for name, column in zip(net.names, columns, strict=True) if (column[kept] == MISSING).any()]
            more = f" and {len(names) - _MOST_SHOWN} more columns" if len(names) > _MOST_SHOWN else ""
            raise DataError(
                f"{call}: {int(holed.sum())} of {int(kept.sum())} rows have missing cells, in "
                f"{', '.join(map(plain, names[:_MOST_SHOWN]))}{more}. Fill them in, or drop these rows."
            )
        kept &= ~holed
        if not kept.any():
            raise DataError(f"{call}: every row has a missing cell, so that none is left. Leave out columns.")
    settings = _settings(call, net, data, interventions)
    codes = [column[kept].astype(np.int64) for column in columns]
    return Table._of(
        net.names,
        [np.maximum(column, 0) for column in codes],
        [net.levels[name] for name in net.names],
        None if counted is None else counted[kept],
        call,
        net.preparation,
        [column == MISSING for column in codes],
        interventions=None if settings is None else settings.take(kept),
    )


def _settings(call: str, net: Network, data: Any, interventions: object) -> Interventions | None:
    """Which variables of the network were set in which rows of the data."""
    if isinstance(data, Table):
        return (data if interventions is None else data.with_interventions(interventions)).interventions
    if interventions is None:
        return None
    _, found = split_interventions(call, source_columns(call, data), interventions)
    return None if found is None else found.restricted(net.names)


def _rule(net: Network) -> str:
    """What was done about missing cells in the data of a network, apart from levels for them."""
    rule = "raise" if net.preparation is None else net.preparation.missing
    return "em" if rule == "indicator" else rule
