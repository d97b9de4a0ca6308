"""Some of the values of every problem are counted on the CPU as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from qnml.errors import QnmlError

if TYPE_CHECKING:
    from qnml.gpu.counting import SetValues
    from qnml.gpu.permuted import Lattice
    from qnml.gpu.runtime import Runtime

__all__ = ["check_sample"]


def check_sample(
    runtime: Runtime, lattice: Lattice, values: SetValues, first: int, size: int, number: int = 64
) -> None:
    """Compare values on the card with those of the CPU; raise an error where one differs.

    Parameters
    ----------
    runtime
        The card.
    lattice
        The problem.
    values
        The values of the sets from `first` on.
    first, size
        These sets.
    number
        How many to compare, the first and the last of them included.
    """
    sample = np.random.default_rng(first).integers(0, size, number, dtype=np.uint64)
    sample[0], sample[1] = 0, size - 1
    for kind, array in enumerate([values.cells, *values.configs]):
        expected = lattice.counted_values(sample + np.uint64(first), kind - 1)
        for chosen, value in zip(sample, expected, strict=True):
            if int(runtime.download(array, int(chosen), 1)[0]) != value:
                raise QnmlError(
                    f"The card {runtime.name} counted a set of variables otherwise than the CPU. Nothing was learned "
                    "on it. Say device='cpu', and please report the card and the versions of its driver and of CuPy."
                )
