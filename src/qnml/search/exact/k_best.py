"""Running the search for the k best networks: forecast, limits, interruption. See ``docs/k-best.md``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from qnml import _core
from qnml._memory import format_bytes
from qnml.errors import TooLargeError
from qnml.search.exact.exact import make_constraints
from qnml.search.running.interruptible import Watch, interruptible

if TYPE_CHECKING:
    from qnml.search.knowledge.knowledge import CompiledKnowledge

__all__ = ["Forecast", "Found", "KBestRequest", "forecast", "run_k_best"]

Found = _core.KBestResult
STAGES = {0: "starting", 1: "counting", 2: "families", 3: "bounds", 4: "networks"}

_MOST_VARIABLES = 24
_DIRECT_UP_TO = 8  # variables: the first networks are there before a thread could be worth it


@dataclass(frozen=True)
class Forecast:
    """What the search needs before the first network, known before it starts.

    Attributes
    ----------
    n_variables : number of variables.
    families : families that may have to be ranked.
    memory_bytes : memory without the table and without the networks that are then listed.
    memory_limit : memory that may be used.
    seconds : a rough forecast of the time until the first network.
    """

    n_variables: int
    families: int
    memory_bytes: float
    memory_limit: float
    seconds: float

    @property
    def fits(self) -> bool:
        """Whether it may start."""
        return self.n_variables <= _MOST_VARIABLES and self.memory_bytes <= self.memory_limit

    def sentence(self) -> str:
        """The forecast in words, with what would fit when it does not."""
        if self.n_variables > _MOST_VARIABLES:
            return (
                f"{self.n_variables} variables are too many, at most {_MOST_VARIABLES} are taken: select fewer "
                "columns, or use learn for the best network alone."
            )
        text = (
            f"{self.n_variables} variables: {self.families:,} families to rank, "
            f"{format_bytes(self.memory_bytes)} of memory ({format_bytes(self.memory_limit)} may be used), "
            f"about {self.seconds:.2g} s to the first network"
        )
        if self.fits:
            return f"{text}: fits."
        return f"{text}: does not fit. Select fewer columns, or use learn for the best network alone."


@dataclass(frozen=True)
class KBestRequest:
    """One search: a score on counted columns, what is admitted, how many networks or classes are wanted."""

    call: str
    columns: _core.Columns
    kind: _core.ScoreKind
    parameter: float
    compiled: CompiledKnowledge
    most_cells: float
    k: int
    by_class: bool
    n_jobs: int
    forecast: Forecast


def forecast(
    n_variables: int, n_rows: int, config_classes: int, is_direct: bool, n_jobs: int, memory_limit: float
) -> Forecast:
    """Forecast memory and time.

    Parameters
    ----------
    n_variables, n_rows : size of the table.
    config_classes : arrays of sums for parent configurations, as for the exact search.
    is_direct : whether families are counted one by one.
    n_jobs : threads.
    memory_limit : bytes that may be used.
    """
    n = n_variables
    families = n * 2 ** (n - 1)
    # Seconds a family, measured on a laptop: to rank it, to bound it for each other variable, to count it alone.
    each = 2.5e-7 + 1e-8 * n + (2e-8 * n_rows if is_direct else 0.0)
    # The sizes of sets are held in 32 bits; beyond that the number of variables is refused anyway.
    memory = _core.k_best_bytes(min(n, 64), config_classes, n_jobs)
    return Forecast(n, families, memory, memory_limit, families * each / n_jobs)


def run_k_best(request: KBestRequest, time_limit: float | None, watch: Watch | None) -> tuple[Found, str | None]:
    """Run the core and say why it stopped early, if it did; what it has listed by then is proven all the same.

    Raises
    ------
    TooLargeError
        Before any work, when the forecast does not fit.
    """
    if not request.forecast.fits:
        raise TooLargeError(f"{request.call}: {request.forecast.sentence()}")
    control = _core.Control()
    if time_limit is not None:
        control.set_deadline(time_limit)
    options = _core.KBestOptions()
    options.k = request.k
    options.by_class = request.by_class
    options.threads = request.n_jobs
    options.memory_limit = request.forecast.memory_limit
    constraints = make_constraints(request.compiled, request.most_cells)

    def work() -> Found:
        return _core.k_best(request.columns, request.kind, request.parameter, constraints, options, control)

    is_quick = request.forecast.n_variables <= _DIRECT_UP_TO and request.k <= 1000 and watch is None
    memory = f"{request.call}: memory ran out during the search. Set memory_limit, max_parents or guard='cap'."
    found, interrupted = (work(), False) if is_quick else interruptible(work, control, watch, STAGES, memory)
    if len(found.scores) == request.k or found.is_exhausted:
        return found, None
    if interrupted:
        return found, "interrupted"
    if found.is_out_of_range:
        return found, "score limit"
    return found, "time limit" if control.is_timed_out else "memory limit"
