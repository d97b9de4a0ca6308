"""Matching rows to a network: labels from any source become codes of the network.

A column belongs to the variable of the same name; columns that are not in the network are ignored. A cell becomes
the index of its label among the levels of the variable, matched by value or else as text. Two codes do not stand
for levels: `MISSING` for a cell that is empty or whose column is absent, `UNKNOWN` for a label that the network does
not have.
"""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from qnml.data import Label, Table
from qnml.data.labels import as_label
from qnml.data.opening import source_columns
from qnml.data.paths import read_path
from qnml.errors import DataError, bad_argument

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.data.source import SourceColumn
    from qnml.data.weights import Weights
    from qnml.model.network import Network

__all__ = ["MISSING", "UNKNOWN", "Matched", "SignedCodes", "Unknown", "match_columns", "match_rows"]

MISSING = -1
UNKNOWN = -2

Unknown = Literal["uniform", "raise"]
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
    """

    columns: tuple[SignedCodes | None, ...]
    n_rows: int
    weights: Weights | None


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
        `UNKNOWN`.

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
    ignored: str | None = None,
    compared: str | None = None,
) -> Matched:
    """Match rows as :func:`match_rows` does, but keep columns separate and narrow, and keep the weights.

    Parameters
    ----------
    net, data, call, unknown
        As for :func:`match_rows`.
    ignored
        The variable to be predicted, if any: its column is treated as absent.
    compared
        The variable whose column is compared with predictions, if any: it may hold unknown labels under either rule.
    """
    if not isinstance(unknown, str) or unknown not in ("uniform", "raise"):
        raise bad_argument(call, "unknown", unknown, "'uniform' or 'raise'")

    def rule(name: str) -> Unknown:
        return "uniform" if name == compared else unknown

    if isinstance(data, (str, PathLike)):
        data = read_path(call, "data", data)
    if isinstance(data, Table):
        n_rows, weights = data.n_rows, data.weights
        own = {name: place for place, name in enumerate(data.names) if name in net.levels}
        found = {
            name: _recoded(call, net, name, data.columns[place], data.levels[place], rule(name))
            for name, place in own.items()
            if name != ignored
        }
        any_own = bool(own)
    else:
        columns = source_columns(call, data, frozenset(net.names))
        n_rows, weights = len(columns[0].values) if columns else 0, None
        found = {
            column.name: _matched(call, net, column, rule(column.name)) for column in columns if column.name != ignored
        }
        any_own = bool(columns)
    if not any_own:
        shown = ", ".join(net.names[:_MOST_SHOWN]) + (" …" if len(net.names) > _MOST_SHOWN else "")
        raise DataError(f"{call}: no column of the data is a variable of the network ({shown}). Rename the columns.")
    return Matched(tuple(found.get(name) for name in net.names), n_rows, weights)


def _matched(call: str, net: Network, column: SourceColumn, unknown: Unknown) -> SignedCodes:
    cells = column.values
    if column.declared is not None:
        labels: Sequence[Label] = column.declared
        numbers = cells.numbers()
    elif cells.kind == "text":
        numbers, labels = cells.coded_text(call, column.name)
    else:
        different, numbers = np.unique(cells.numbers(), return_inverse=True)
        labels = [as_label(value) for value in different.tolist()]
    dense = _recoded(call, net, column.name, numbers, labels, unknown)
    if not cells.n_missing:
        return dense
    missing = cells.is_missing()
    codes = np.full(len(missing), MISSING, dtype=dense.dtype)
    codes[~missing] = dense
    return codes


def _recoded(
    call: str, net: Network, name: str, numbers: NDArray[Any], labels: Sequence[Label], unknown: Unknown
) -> SignedCodes:
    """Turn label indices into codes of the network."""
    known = net.levels[name]
    by_value = {label: place for place, label in enumerate(known)}
    by_text = {str(label): place for place, label in enumerate(known)}
    places = [by_value.get(label, by_text.get(str(label), UNKNOWN)) for label in labels]
    recode = np.array(places, dtype=_narrowest(len(known)))
    if unknown == "raise" and UNKNOWN in places:
        _refuse_strangers(
            call, name, [labels[place] for place in np.unique(numbers) if places[place] == UNKNOWN], known
        )
    # The list of labels is empty only if the column is.
    codes: SignedCodes = recode[numbers] if len(recode) else np.empty(0, recode.dtype)
    return codes


def _refuse_strangers(call: str, name: str, strangers: Sequence[Label], known: Sequence[Label]) -> None:
    if strangers:
        raise DataError(
            f"{call}: column {name!r} holds labels that the network does not know: {_listed(strangers)}. "
            f"Known: {_listed(known)}. Leave out those rows, or set unknown='uniform'."
        )


def _listed(labels: Sequence[Label]) -> str:
    shown = ", ".join(repr(label) for label in labels[:_MOST_SHOWN])
    return shown + (f" and {len(labels) - _MOST_SHOWN} more" if len(labels) > _MOST_SHOWN else "")


def _narrowest(arity: int) -> type[np.int8] | type[np.int16] | type[np.int32]:
    if arity <= 2**7:
        return np.int8
    return np.int16 if arity <= 2**15 else np.int32
