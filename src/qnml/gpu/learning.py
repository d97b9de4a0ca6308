"""The candidate source of the core's exact search, on a card."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from qnml.gpu.candidates import list_candidates
from qnml.gpu.counting import count_sets
from qnml.gpu.forecast import forecast
from qnml.gpu.sample import check_sample
from qnml.gpu.streaming import stream_candidates

if TYPE_CHECKING:
    from qnml import _core
    from qnml.gpu.runtime import Runtime

__all__ = ["find_candidates"]


def find_candidates(runtime: Runtime, lattice: _core.DeviceLattice) -> bool:
    """Count the sets of a problem, and list its candidate parent sets; returns False when stopped.

    Parameters
    ----------
    runtime
        The card.
    lattice
        The problem, which receives the lists.
    """
    try:
        return _find(runtime, lattice)
    finally:
        runtime.release()


def _find(runtime: Runtime, lattice: _core.DeviceLattice) -> bool:
    needs = forecast(
        lattice.n_variables,
        lattice.rows,
        int(np.asarray(lattice.weights).sum()),
        lattice.config_classes,
        lattice.n_products,
        runtime.blocks,
        float(runtime.free_memory()),
    )
    if needs.stream is not None:
        return stream_candidates(runtime, lattice, needs.stream)
    values = count_sets(runtime, lattice)
    if values is None:
        return False
    check_sample(runtime, lattice, values, 0, 2**lattice.n_variables)
    lattice.counted(values.visits)
    return list_candidates(runtime, lattice, values)
