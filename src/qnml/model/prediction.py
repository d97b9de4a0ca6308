"""Predictions for rows: their log-probabilities, and the distribution of one variable given the others.

The core looks rows up in the tables, on codes matched by :mod:`qnml.model.matching`. If cells are missing,
:mod:`qnml.model.inference` computes the distribution of the target.

Labels that a network does not have follow one rule throughout. The cell itself has probability 1/r, and every child
of its variable uses its distribution for unobserved configurations. For inference, this is a network in which the
children of the variable have lost their parents and the variable itself is not observed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from qnml import _core
from qnml._jobs import resolve_jobs
from qnml.errors import DataError, InputError, bad_argument, unknown_name
from qnml.model.matching import MISSING, UNKNOWN, Matched, match_columns
from qnml.model.network import Network

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from qnml._types import FloatArray
    from qnml.model.matching import SignedCodes, Unknown

__all__ = [
    "Impossible",
    "check_target",
    "compiled",
    "log_prob",
    "predict",
    "predict_proba",
    "shares_of",
    "total_log_prob",
    "without",
]

Impossible = Literal["raise", "nan"]

# Rows × levels of the target that `predict` holds in memory at a time: 64 MiB of doubles.
_MOST_SHARES = 2**23
_MOST_SHOWN = 8


def compiled(net: Network) -> _core.Conditionals:
    """The tables of a network in the form in which the core looks rows up; built once and kept."""
    if net._compiled is None:
        tables = [net.conditional(name) for name in net.names]
        net._compiled = _core.Conditionals(
            [np.array([net.dag.index(parent) for parent in net.dag.parents(name)], np.uint32) for name in net.names],
            [table.n_levels for table in tables],
            [None if table.configs is None else table.configs.reshape(-1) for table in tables],
            [table.rows.reshape(-1) for table in tables],
            [table.unseen for table in tables],
        )
    return net._compiled


def log_prob(net: Network, data: Any, unknown: Unknown, n_jobs: int | None) -> FloatArray:
    """Log-probabilities of rows; see :meth:`Network.log_prob`."""
    return _log_prob("Network.log_prob", net, data, unknown, n_jobs)[0]


def total_log_prob(net: Network, data: Any, unknown: Unknown, n_jobs: int | None) -> float:
    """The log-probability of all rows together; see :meth:`Network.score`."""
    values, matched = _log_prob("Network.score", net, data, unknown, n_jobs)
    return float(values.sum() if matched.weights is None else np.sum(values * matched.weights))


def _log_prob(call: str, net: Network, data: Any, unknown: Unknown, n_jobs: int | None) -> tuple[FloatArray, Matched]:
    threads = resolve_jobs(call, n_jobs)
    matched = match_columns(net, data, call, unknown=unknown)
    _refuse_holes(call, net, matched)
    return compiled(net).log_prob(list(matched.columns), matched.n_rows, threads), matched


def predict_proba(
    net: Network, data: Any, target: str, unknown: Unknown, impossible: Impossible, n_jobs: int | None
) -> FloatArray:
    """Distributions of one variable; see :meth:`Network.predict_proba`."""
    call = "Network.predict_proba"
    if not isinstance(impossible, str) or impossible not in ("raise", "nan"):
        raise bad_argument(call, "impossible", impossible, "'raise' or 'nan'")
    matched = _matched_for(call, net, data, target, unknown)
    shares = shares_of(net, matched.columns, matched.n_rows, target, resolve_jobs(call, n_jobs))
    if impossible == "raise":
        _refuse_impossible(call, shares, 0)
    return shares


def predict(net: Network, data: Any, target: str, unknown: Unknown, n_jobs: int | None) -> NDArray[np.object_]:
    """Most probable labels of one variable; see :meth:`Network.predict`."""
    call = "Network.predict"
    matched = _matched_for(call, net, data, target, unknown)
    threads = resolve_jobs(call, n_jobs)
    step = max(1, _MOST_SHARES // len(net.levels[target]))
    codes = np.empty(matched.n_rows, dtype=np.intp)
    for start in range(0, matched.n_rows, step):
        columns = tuple(None if column is None else column[start : start + step] for column in matched.columns)
        count = min(step, matched.n_rows - start)
        shares = shares_of(net, columns, count, target, threads)
        _refuse_impossible(call, shares, start)
        codes[start : start + count] = shares.argmax(axis=1)
    labels = np.empty(len(net.levels[target]), dtype=object)
    labels[:] = net.levels[target]
    return labels[codes]


def check_target(call: str, net: Network, target: object) -> None:
    """Refuse a target that is not a variable of the network."""
    if not isinstance(target, str) or target not in net.levels:
        raise unknown_name(call, "target", target, net.names)


def _matched_for(call: str, net: Network, data: Any, target: str, unknown: Unknown) -> Matched:
    check_target(call, net, target)
    return match_columns(net, data, call, unknown=unknown, ignored=target)


def shares_of(
    net: Network, columns: tuple[SignedCodes | None, ...], n_rows: int, target: str, threads: int
) -> FloatArray:
    """Distribution of the target in each row, from matched columns; NaN for rows that contradict the network."""
    blanket = [net.dag.index(name) for name in net.dag.markov_blanket(target)]
    place, levels = net.dag.index(target), len(net.levels[target])
    complete = np.ones(n_rows, dtype=bool)
    for member in blanket:
        column = columns[member]
        complete &= False if column is None else column != MISSING
    if complete.all():
        return compiled(net).predict(place, list(columns), n_rows, threads).reshape(n_rows, levels)
    shares = np.empty((n_rows, levels))
    if complete.any():
        chosen = [None if column is None else column[complete] for column in columns]
        shares[complete] = compiled(net).predict(place, chosen, int(complete.sum()), threads).reshape(-1, levels)
    codes = np.full((int((~complete).sum()), len(columns)), MISSING, dtype=np.int32)
    for member, column in enumerate(columns):
        if column is not None and member != place:
            codes[:, member] = column[~complete]
    shares[~complete] = _inferred(net, target, codes)
    return shares


def _inferred(net: Network, target: str, codes: NDArray[np.int32]) -> FloatArray:
    """Distribution of the target in rows with missing cells; rows with the same unknown labels are done together."""
    from qnml.model.inference import posterior_batch

    shares = np.empty((len(codes), len(net.levels[target])))
    patterns, group = np.unique(codes == UNKNOWN, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        rows = group.reshape(-1) == number
        unknown_names = [net.names[member] for member in np.flatnonzero(pattern)]
        known = np.where(codes[rows] == UNKNOWN, MISSING, codes[rows])
        shares[rows] = posterior_batch(without(net, unknown_names), target, known)
    return shares


def without(net: Network, unknown_names: list[str]) -> Network:
    """The network in which nothing depends on some variables; see the module docstring."""
    children = {child for name in unknown_names for child in net.dag.children(name)}
    if not children:
        return net
    arcs = [(parent, child) for parent, child in net.dag.arcs if child not in children]
    tables = {name: net.conditional(name).unseen if name in children else net.conditional(name) for name in net.names}
    return Network(type(net.dag).from_arcs(net.names, arcs), net.levels, tables)


def _refuse_holes(call: str, net: Network, matched: Matched) -> None:
    absent = [name for name, column in zip(net.names, matched.columns, strict=True) if column is None]
    if absent:
        raise DataError(
            f"{call}(data): there is no column for {_listed(absent)}. Every variable of the network needs one."
        )
    holed = [
        f"{name!r} ({np.count_nonzero(column == MISSING)})"
        for name, column in zip(net.names, matched.columns, strict=True)
        if column is not None and np.any(column == MISSING)
    ]
    if holed:
        raise DataError(
            f"{call}(data): cells are missing, in {', '.join(holed[:_MOST_SHOWN])}. Leave out their rows, or fill "
            "them in."
        )


def _refuse_impossible(call: str, shares: FloatArray, start: int) -> None:
    lost = np.flatnonzero(np.isnan(shares[:, 0]))
    if len(lost):
        raise InputError(
            f"{call}(data): row {start + int(lost[0])} (from 0) and {len(lost) - 1} others contradict the network: "
            "the evidence in their other cells has probability zero. predict_proba(impossible='nan') marks them."
        )


def _listed(names: list[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:_MOST_SHOWN])
    return shown + (f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else "")
