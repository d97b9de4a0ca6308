"""Marginals of many variables given each of many rows, on the cells that are present.

Rows are sorted by which cells are missing, and the core answers each with the junction tree of its pattern. Rows whose
tree does not fit are answered one variable at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from qnml._checks import checked_list
from qnml._jobs import resolve_jobs
from qnml._memory import resolve_memory_limit
from qnml.errors import InputError, bad_argument, unknown_name
from qnml.model.inference.engine import BYTES_PER_ENTRY, engine_of
from qnml.model.inference.marginal_answers import RowMarginals
from qnml.model.inference.marginals import marginals
from qnml.model.matching import MISSING, UNKNOWN, match_columns
from qnml.model.prediction import without

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from qnml._types import FloatArray
    from qnml.model.matching import Unknown
    from qnml.model.network import Network
    from qnml.model.prediction import Impossible

__all__ = ["predict_many", "row_marginals"]

_TOO_LARGE = 2  # as the core says it


def row_marginals(
    net: Network,
    data: Any,
    targets: str | Iterable[str] | None,
    unknown: Unknown,
    impossible: Impossible,
    n_jobs: int | None,
    memory_limit: float | None,
) -> RowMarginals:
    """Marginals given every cell of each row; see :meth:`Network.row_marginals`."""
    call = "Network.row_marginals"
    names = list(net.names) if targets is None else _checked_names(call, "targets", net, targets)
    return _answered(call, net, data, names, (), unknown, impossible, n_jobs, memory_limit)


def predict_many(
    net: Network, data: Any, targets: Sequence[str], unknown: Unknown, impossible: Impossible, n_jobs: int | None
) -> dict[str, FloatArray]:
    """Marginals given the cells of all variables but the targets; see :meth:`Network.predict_proba`."""
    call = "Network.predict_proba"
    names = _checked_names(call, "target", net, targets)
    found = _answered(call, net, data, names, names, unknown, impossible, n_jobs, None)
    return {name: np.ascontiguousarray(found[name]) for name in names}


def _answered(
    call: str,
    net: Network,
    data: Any,
    names: Sequence[str],
    ignored: Sequence[str],
    unknown: Unknown,
    impossible: Impossible,
    n_jobs: int | None,
    memory_limit: float | None,
) -> RowMarginals:
    if not isinstance(impossible, str) or impossible not in ("raise", "nan"):
        raise bad_argument(call, "impossible", impossible, "'raise' or 'nan'")
    threads = resolve_jobs(call, n_jobs)
    allowed = resolve_memory_limit(call, memory_limit)
    matched = match_columns(net, data, call, unknown=unknown, ignored=ignored)
    codes = np.full((matched.n_rows, len(net.names)), MISSING, dtype=np.int32)
    for place, column in enumerate(matched.columns):
        if column is not None and net.names[place] not in ignored:
            codes[:, place] = column
    wanted = np.array([name in names for name in net.names], np.uint8)
    width = sum(len(net.levels[name]) for name in names)
    values, totals = np.empty((len(codes), width)), np.empty(len(codes))
    patterns, group = np.unique(codes == UNKNOWN, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        # Children of a variable with an unknown label lose their parents, as in all predictions.
        rows = np.flatnonzero(group.reshape(-1) == number)
        unknown_names = [net.names[node] for node in np.flatnonzero(pattern)]
        known = np.where(codes[rows] == UNKNOWN, MISSING, codes[rows])
        cut = without(net, unknown_names)
        values[rows], totals[rows] = _rows_of(call, cut, known, wanted, threads, allowed)
        totals[rows] -= sum(np.log(len(net.levels[name])) for name in unknown_names)
    _refuse_impossible(call, totals, impossible)
    return RowMarginals._made({name: net.levels[name] for name in names}, _in_order(net, names, values), totals)


def _rows_of(
    call: str, net: Network, codes: NDArray[np.int32], wanted: NDArray[np.uint8], threads: int, allowed: float
) -> tuple[FloatArray, FloatArray]:
    """Marginals in the order of the network, and log-probabilities of the cells."""
    # Rows that miss the same cells come one after another.
    packed = np.packbits(codes >= 0, axis=1)
    _, group = np.unique(packed, axis=0, return_inverse=True)
    order = np.argsort(group.reshape(-1), kind="stable")
    sorted_groups = group.reshape(-1)[order]
    starts = np.flatnonzero(np.r_[True, sorted_groups[1:] != sorted_groups[:-1]]) if len(codes) else np.zeros(0)
    flat, totals, states = engine_of(net).tables.marginals_of_rows(
        wanted,
        np.ascontiguousarray(codes[order]).reshape(-1),
        starts.astype(np.uint64),
        allowed / BYTES_PER_ENTRY / threads,
        threads,
    )
    values, logs = np.empty((len(codes), len(flat) // max(len(codes), 1))), np.empty(len(codes))
    values[order], logs[order] = flat.reshape(values.shape), totals
    for row in order[states == _TOO_LARGE]:
        values[row], logs[row] = _alone(net, codes[row], wanted, allowed)
    return values, logs


def _alone(
    net: Network, codes: NDArray[np.int32], wanted: NDArray[np.uint8], allowed: float
) -> tuple[FloatArray, float]:
    """One row whose junction tree does not fit into the share of memory of a thread."""
    seen = {name: net.levels[name][code] for name, code in zip(net.names, codes, strict=True) if code >= 0}
    targets = [name for name, is_wanted in zip(net.names, wanted, strict=True) if is_wanted]
    bare = type(net)(net.dag, net.levels, {name: net.conditional(name) for name in net.names})
    found = marginals(bare, seen, targets=targets, impossible="nan", memory_limit=allowed)
    return np.concatenate([found.values_of(name) for name in targets]), found.log_evidence


def _in_order(net: Network, names: Sequence[str], values: FloatArray) -> FloatArray:
    """The columns of the core are in the order of the network."""
    places, start = {}, 0
    for name in net.names:
        if name in names:
            places[name] = range(start, start + len(net.levels[name]))
            start += len(net.levels[name])
    order = [place for name in names for place in places[name]]
    return values if order == sorted(order) else values[:, order]


def _checked_names(call: str, argument: str, net: Network, targets: object) -> list[str]:
    given = [targets] if isinstance(targets, str) else checked_list(call, argument, targets, "names of variables")
    if not given:
        raise bad_argument(call, argument, targets, "at least one variable")
    for name in given:
        if not isinstance(name, str) or name not in net.levels:
            raise unknown_name(call, argument, name, net.names)
        if given.count(name) > 1:
            raise bad_argument(call, argument, targets, f"different variables; {name!r} is there twice")
    return given


def _refuse_impossible(call: str, totals: FloatArray, impossible: Impossible) -> None:
    lost = np.flatnonzero(np.isneginf(totals))
    if impossible == "raise" and len(lost):
        raise InputError(
            f"{call}(data): row {int(lost[0])} (from 0) and {len(lost) - 1} others contradict the network: the "
            "evidence in their cells has probability zero. impossible='nan' marks them."
        )
