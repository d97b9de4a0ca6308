"""Matching rows to a network: labels from any source become codes of the network.

A column belongs to the variable of the same name; columns that are not in the network are ignored. A cell becomes
the index of its label among the levels of the variable, matched by value or else as text; raw cells are first
prepared as the network remembers (:mod:`qnml.model.preparing`). Two codes do not stand for levels: `MISSING` for a cell
that is empty or whose column is absent, `UNKNOWN` for a label that the network does not have. Columns most of whose
labels are unknown are refused (:mod:`qnml.model.unknown_labels`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from qnml.data import Label, Table
from qnml.data.labels import as_label
from qnml.data.opening import source_columns
from qnml.data.paths import is_readable, read_path
from qnml.data.weights import split_weights
from qnml.errors import DataError, bad_argument, plain
from qnml.model.preparing import indicators_of, is_prepared, needed_columns, preparation_of, prepared_rows, raw_columns
from qnml.model.unknown_labels import Unknown, UnknownLabels, refuse_unknown

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy.typing as npt

    from qnml.data.source import SourceColumn
    from qnml.data.weights import Weights
    from qnml.model.network import Network

__all__ = ["MISSING", "UNKNOWN", "Matched", "SignedCodes", "Unknown", "match_columns", "match_rows"]

MISSING = -1
UNKNOWN = -2

SignedCodes: TypeAlias = NDArray[np.int8] | NDArray[np.int16] | NDArray[np.int32]

_MOST_SHOWN = 12


@dataclass(frozen=True, eq=False)
class Matched:
    """Rows in the codes of a network.

    Attributes
    ----------
    columns : for each variable of the network its codes, in the narrowest signed type; None if the data have no such
        column.
    n_rows : number of rows.
    weights : how often each row counts; None if every row counts once.
    unknown : the columns with labels that the network does not have.
    prepared : the columns in which cells were changed, because the network remembers how its data were prepared.
    """

    columns: tuple[SignedCodes | None, ...]
    n_rows: int
    weights: Weights | None
    unknown: tuple[UnknownLabels, ...]
    prepared: tuple[str, ...]


def match_rows(net: Network, data: Any, call: str, *, unknown: Unknown = "uniform") -> NDArray[np.int32]:
    """Codes of every cell, one column per variable in the order of ``net.names``.

    Parameters
    ----------
    net
        The network, which supplies the levels.
    data
        A :class:`~qnml.Table`, or anything :func:`~qnml.read_table` accepts, with or without missing cells.
    call
        The calling function, named in errors.
    unknown
        ``"raise"`` refuses labels that the network does not have and lists those it has; ``"uniform"`` codes them as
        `UNKNOWN`. Under either rule a column is refused if it has at least ten cells that are not missing and more
        than half of them are unknown.

    Returns
    -------
    ndarray
        Rows × variables, with contiguous columns. `MISSING` is −1 and `UNKNOWN` is −2.
    """
    matched = match_columns(net, data, call, unknown=unknown)
    codes = np.full((matched.n_rows, len(matched.columns)), MISSING, dtype=np.int32, order="F")
    for place, column in enumerate(matched.columns):
        if column is not None:
            codes[:, place] = column
    return codes


def match_columns(
    net: Network,
    data: Any,
    call: str,
    *,
    unknown: Unknown = "uniform",
    ignored: str | Sequence[str] | None = None,
    compared: str | None = None,
    way_out: str = "set unknown='uniform'",
    weights: str | npt.ArrayLike | None = None,
) -> Matched:
    """Match rows as :func:`match_rows` does, but keep columns separate and narrow, and keep the weights.

    Parameters
    ----------
    net, data, call, unknown
        As for :func:`match_rows`.
    ignored
        The variables to be predicted, if any: their columns are treated as absent, and so are those of their
        indicators.
    compared
        The variable whose column is compared with predictions, if any: it may hold any number of unknown labels under
        either rule, and its indicator is treated as absent.
    way_out
        What the caller can do about unknown labels other than leaving rows out, for errors; may be empty.
    weights
        How often each row counts, or the column that says so, as for :func:`~qnml.read_table`; not with a table.
    """
    if not isinstance(unknown, str) or unknown not in ("uniform", "raise"):
        raise bad_argument(call, "unknown", unknown, "'uniform' or 'raise'")
    # Whether the cell to be predicted is missing must not help to predict it.
    absent = {ignored} if ignored is None or isinstance(ignored, str) else set(ignored)
    indicators = {other for name in absent or {None} for other in indicators_of(net, name or compared)}
    rows = _coded(net, data, call, {*absent, *indicators}, weights, compared)
    found = {column.name: _recoded(net, column, rows.weights) for column in rows.columns}
    unknown_labels = tuple(one for _, one in found.values() if one is not None)
    refuse_unknown(call, [one for one in unknown_labels if one.name != compared], net.levels, unknown, way_out)
    codes = tuple(found[name][0] if name in found else None for name in net.names)
    return Matched(codes, rows.n_rows, rows.weights, unknown_labels, rows.prepared)


@dataclass(frozen=True)
class _CodedColumn:
    """A column of the data in codes of its own.

    Attributes
    ----------
    name : the variable.
    numbers : indices of labels, of the cells that are not missing.
    labels : the labels.
    missing : which cells are missing; None if none is.
    """

    name: str
    numbers: NDArray[Any]
    labels: Sequence[Label]
    missing: NDArray[np.bool_] | None


@dataclass(frozen=True)
class _CodedRows:
    """The columns of the data that a network knows; the other attributes are those of `Matched`."""

    columns: list[_CodedColumn]
    n_rows: int
    weights: Weights | None
    prepared: tuple[str, ...] = ()


def _coded(
    net: Network,
    data: Any,
    call: str,
    skipped: Collection[str | None],
    weights: str | npt.ArrayLike | None,
    compared: str | None,
) -> _CodedRows:
    if is_readable(data):
        data = read_path(call, "data", data, name_unnamed=True)
    if isinstance(data, Table) and is_prepared(net, data):
        _require_columns(net, data.names, call, compared)
        known = [place for place, name in enumerate(data.names) if name in net.levels and name not in skipped]
        return _CodedRows([_coded_column(data, place) for place in known], data.n_rows, data.weights)
    if isinstance(data, Table):
        columns = raw_columns(data, net)
    else:
        needed = needed_columns(net)
        columns = source_columns(call, data, {*needed, weights} if isinstance(weights, str) else needed)
    _require_columns(net, [column.name for column in columns], call, compared)
    n_rows = len(columns[0].values)
    columns, counted = split_weights(call, columns, data.weights if isinstance(data, Table) else weights)
    asked = [column for column in columns if column.name not in skipped]
    made, prepared = prepared_rows(call, asked, net)
    coded = [_coded_source(call, column) for column in made if column.name not in skipped]
    return _CodedRows(coded, n_rows, counted, prepared)


def _require_columns(net: Network, names: Sequence[str], call: str, compared: str | None) -> None:
    """Refuse data that know no variable; or, if there are others than the one to be compared, none of these."""
    needed: set[str | None] = {*needed_columns(net)}
    if len(needed) > 1:
        needed -= {compared}
    if needed.isdisjoint(names):
        shown = ", ".join(net.names[:_MOST_SHOWN]) + (" …" if len(net.names) > _MOST_SHOWN else "")
        but = f" but {plain(str(compared))}, which is to be predicted," if compared in names else ""
        raise DataError(
            f"{call}: no column of the data{but} is a variable of the network ({shown}). Rename the columns."
        )


def _coded_column(table: Table, place: int) -> _CodedColumn:
    codes, mask = table.columns[place], table.missing[place]
    return _CodedColumn(table.names[place], codes if mask is None else codes[~mask], table.levels[place], mask)


def _coded_source(call: str, column: SourceColumn) -> _CodedColumn:
    cells = column.values
    if column.declared is not None:
        labels: Sequence[Label] = column.declared
        numbers = cells.numbers()
    elif cells.kind == "text":
        numbers, labels = cells.coded_text(call, column.name)
    else:
        different, numbers = np.unique(cells.numbers(), return_inverse=True)
        labels = [as_label(value) for value in different.tolist()]
    return _CodedColumn(column.name, numbers, labels, cells.is_missing() if cells.n_missing else None)


def _recoded(net: Network, column: _CodedColumn, weights: Weights | None) -> tuple[SignedCodes, UnknownLabels | None]:
    """The column in codes of the network, and its unknown labels if there are any."""
    known, labels = net.levels[column.name], column.labels
    by_value = {label: place for place, label in enumerate(known)}
    by_text = {str(label): place for place, label in enumerate(known)}
    places = [by_value.get(label, by_text.get(str(label), UNKNOWN)) for label in labels]
    recode = np.array(places, dtype=_narrowest(len(known)))
    # The list of labels is empty only if the column is.
    dense: SignedCodes = recode[column.numbers] if len(recode) else np.empty(0, recode.dtype)
    unknown_labels = _unknown_labels(net, column, places, weights) if UNKNOWN in places else None
    if column.missing is None:
        return dense, unknown_labels
    codes = np.full(len(column.missing), MISSING, dtype=dense.dtype)
    codes[~column.missing] = dense
    return codes, unknown_labels


def _unknown_labels(
    net: Network, column: _CodedColumn, places: Sequence[int], weights: Weights | None
) -> UnknownLabels | None:
    observed = weights if weights is None or column.missing is None else weights[~column.missing]
    times = np.bincount(column.numbers, observed, len(places))
    # A declared level that no cell holds is nobody's label.
    held = [number for number, place in enumerate(places) if place == UNKNOWN and times[number] > 0]
    if not held:
        return None
    cells = int(times[held].sum())
    how = preparation_of(net, column.name)
    takes_numbers = how is not None and how.action == "bin"
    labels = tuple(column.labels[number] for number in held)
    return UnknownLabels(column.name, labels, cells, int(times.sum()), takes_numbers)


def _narrowest(arity: int) -> type[np.int8] | type[np.int16] | type[np.int32]:
    if arity <= 2**7:
        return np.int8
    return np.int16 if arity <= 2**15 else np.int32
