"""Standard errors of the matrices of a posterior."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from qnml._types import FloatArray
    from qnml.search.posterior.interface import Estimate

__all__ = ["StandardErrors", "errors_of"]


@dataclass(frozen=True, eq=False)
class StandardErrors:
    """Standard errors of a posterior's matrices, zero for exact values."""

    edges: FloatArray
    adjacencies: FloatArray
    ancestors: FloatArray


def errors_of(estimate: Estimate) -> FloatArray:
    """Standard errors of an estimate; zeros if it is exact."""
    errors = estimate.standard_errors
    return np.zeros_like(estimate.values) if errors is None else errors
