"""Forward sampling: the tables of a network made ready for the core, which does the drawing."""

from __future__ import annotations

import operator
import secrets
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml import _core
from qnml._jobs import resolve_jobs
from qnml.data import Table
from qnml.errors import TooLargeError, bad_argument

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from qnml._types import FloatArray, Label
    from qnml.graph import Dag

__all__ = ["cumulative_rows", "draw_table"]

_LARGEST_SEED = 2**64 - 1
_CALL = "Network.sample"


def draw_table(
    dag: Dag,
    levels: Mapping[str, Sequence[Label]],
    tables: Mapping[str, FloatArray],
    n: int,
    seed: int | None,
    n_jobs: int | None,
) -> Table:
    """Draw `n` rows; see :meth:`qnml.model.Network.sample`."""
    n = _whole("n", n, 1, None)
    seed = secrets.randbits(64) if seed is None else _whole("seed", seed, 0, _LARGEST_SEED)
    threads = resolve_jobs(_CALL, n_jobs)

    order = dag.topological_order()
    position = {name: i for i, name in enumerate(order)}
    parents = [np.array([position[p] for p in dag.parents(name)], dtype=np.uint32) for name in order]
    arities = np.array([len(levels[name]) for name in order], dtype=np.uint32)
    cumulative = [cumulative_rows(tables[name]) for name in order]
    columns = _empty_columns([int(arity) for arity in arities], n)
    _core.sample_rows(parents, arities, cumulative, columns, n, seed, threads)

    drawn = dict(zip(order, columns, strict=True))
    return Table.from_codes(
        [drawn[name] for name in dag.names], names=dag.names, levels=[levels[name] for name in dag.names]
    )


def cumulative_rows(table: FloatArray) -> FloatArray:
    """Cumulative distributions, flattened, each ending in exactly one.

    Dividing by the last sum renormalises, and makes every cumulative value after the last possible level
    exactly one: a level of probability zero is never drawn, wherever it stands.
    """
    sums = np.cumsum(table, axis=-1)
    return np.ascontiguousarray(sums / sums[..., -1:]).reshape(-1)


def _empty_columns(arities: Sequence[int], n: int) -> list[NDArray[Any]]:
    try:
        return [np.empty(n, dtype=np.uint8 if arity <= 256 else np.uint16) for arity in arities]
    except (MemoryError, ValueError, OverflowError) as error:
        size = n * sum(1 if arity <= 256 else 2 for arity in arities)
        raise TooLargeError(
            f"{_CALL}(n={n}): the {len(arities)} columns would take {size / 2**30:.1f} GiB of memory, "
            "more than there is. Draw fewer rows at a time."
        ) from error


def _whole(argument: str, value: object, least: int, most: int | None) -> int:
    allowed = f"a whole number of at least {least}" if most is None else f"a whole number from {least} to {most}"
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError as error:
        raise bad_argument(_CALL, argument, value, allowed) from error
    if number < least or (most is not None and number > most):
        raise bad_argument(_CALL, argument, value, allowed)
    return number
