"""Forward sampling: tables prepared for the core, which draws the rows.

Under evidence, the observed variables and their ancestors are drawn from the tables that
:mod:`qnml.model.inference.posterior` computes, the others from their own.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml import _core
from qnml._checks import checked_whole_number
from qnml._jobs import resolve_jobs
from qnml.data import Table
from qnml.errors import TooLargeError
from qnml.model.inference.posterior import posterior_tables
from qnml.model.inference.question import checked_settings
from qnml.model.inference.surgery import intervened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from qnml._types import FloatArray
    from qnml.model.inference.question import Settings
    from qnml.model.network import Network

__all__ = ["cumulative_rows", "draw_table"]

_LARGEST_SEED = 2**64 - 1
_CALL = "Network.sample"


@dataclass(frozen=True, slots=True)
class _Drawn:
    """How to draw one variable; `configs` lists configurations of its parents, or is None for all of them."""

    name: str
    parents: Sequence[str]
    rows: FloatArray
    configs: NDArray[np.int32] | None


def draw_table(
    net: Network,
    n: int,
    seed: int | None,
    n_jobs: int | None,
    evidence: Settings = None,
    do: Settings = None,
    memory_limit: float | None = None,
) -> Table:
    """Draw `n` rows; see :meth:`qnml.model.Network.sample`."""
    n = checked_whole_number(_CALL, "n", n, 1)
    seed = secrets.randbits(64) if seed is None else checked_whole_number(_CALL, "seed", seed, 0, _LARGEST_SEED)
    checked_settings(_CALL, net, evidence, do)
    threads = resolve_jobs(_CALL, n_jobs)

    drawn = _posterior(net, evidence, do, memory_limit) if evidence else []
    done = {one.name for one in drawn}
    cut = intervened(net, do) if do else net
    drawn += [_own(cut, name) for name in cut.dag.topological_order() if name not in done]

    position = {one.name: place for place, one in enumerate(drawn)}
    parents = [np.array([position[parent] for parent in one.parents], dtype=np.uint32) for one in drawn]
    arities = np.array([len(net.levels[one.name]) for one in drawn], dtype=np.uint32)
    columns = _empty_columns([int(arity) for arity in arities], n)
    cumulative = [cumulative_rows(one.rows) for one in drawn]
    _core.sample_rows(parents, arities, cumulative, columns, n, seed, threads, [one.configs for one in drawn])

    return Table.from_codes(
        [columns[position[name]] for name in net.names],
        names=net.names,
        levels=[net.levels[name] for name in net.names],
    )


def _own(net: Network, name: str) -> _Drawn:
    """Draw a variable from its own table."""
    table = net.conditional(name)
    if table.configs is None:
        return _Drawn(name, net.dag.parents(name), table.rows, None)
    # A sparse table has one more row than configurations, for those that are not listed.
    return _Drawn(name, net.dag.parents(name), np.vstack([table.rows, table.unseen]), table.configs.reshape(-1))


def _posterior(net: Network, evidence: Settings, do: Settings, memory_limit: float | None) -> list[_Drawn]:
    """Draw the observed variables and their ancestors given the evidence."""
    return [
        _Drawn(net.names[table.node], [net.names[parent] for parent in table.parents], table.weights, None)
        for table in posterior_tables(_CALL, net, evidence, do, memory_limit)
    ]


def cumulative_rows(table: FloatArray) -> FloatArray:
    """Cumulative distributions, flattened, each ending in exactly one.

    Dividing by the last sum renormalizes, and makes every cumulative value after the last possible level exactly one:
    a level of probability zero is never drawn, wherever it stands.
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
