"""Exact learning on a GPU: the lattice of all sets counted and compared there, in the core's whole numbers.

The core prepares the tables of a problem (`_core.DeviceLattice`), this package runs kernels over them and hands back
the candidate parent sets, and the search over orders in the core goes on as on the CPU. Results are the same to the
last bit. The kernels are compiled when they are first needed; neither building nor installing qnml takes CUDA. See
``docs/gpu.md``.
"""

from qnml.gpu.card import NoCardError, open_card
from qnml.gpu.forecast import Forecast, forecast
from qnml.gpu.learning import find_candidates
from qnml.gpu.runtime import Runtime
from qnml.gpu.self_check import check_runtime, checked_card

__all__ = [
    "Forecast",
    "NoCardError",
    "Runtime",
    "check_runtime",
    "checked_card",
    "find_candidates",
    "forecast",
    "open_card",
]
