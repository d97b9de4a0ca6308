"""What a problem needs on a card, known before anything is allocated there."""

from __future__ import annotations

from dataclasses import dataclass

from qnml._memory import format_bytes
from qnml.gpu.counting import MOST_OBSERVATIONS, MOST_ROWS, counting_bytes
from qnml.gpu.streaming import Stream

__all__ = ["MOST_VARIABLES", "Forecast", "forecast"]

# Bits of a set that the kernels and the core's order search take; memory ends long before.
MOST_VARIABLES = 40
_LISTS = 2**20 * 17 + 2**25  # candidates of a child, tables of prices
_STREAM_LISTS = 2**22 * 24 + 2**25
# Seconds for a set with 1,000 rows, and for a set and a child of the transforms: what the issue that asked for this
# measured on an H200 with plain kernels. Not measured with these.
_SECONDS_PER_SET = 9e-9
_SECONDS_PER_FAMILY = 1.5e-11


@dataclass(frozen=True)
class Forecast:
    """Memory and time on a card.

    Attributes
    ----------
    memory_bytes : on the card, at the peak.
    free_bytes : that are free there.
    seconds : a rough forecast, without the search over orders.
    problem : why it cannot be done there, or nothing.
    stream : how the lattice is cut, where its values do not fit at once.
    """

    memory_bytes: float
    free_bytes: float
    seconds: float
    problem: str = ""
    stream: Stream | None = None

    @property
    def fits(self) -> bool:
        """Whether it can be done there."""
        return not self.problem


def forecast(
    n: int, rows: int, total: int, config_classes: int, n_products: int, blocks: int, free_bytes: float
) -> Forecast:
    """Forecast the memory and the time of a problem.

    Parameters
    ----------
    n : variables.
    rows : distinct rows, or a bound on them.
    total : observations.
    config_classes : arrays of values beside that of the cells.
    n_products : different products of levels.
    blocks : blocks of threads that the card runs at the same time.
    free_bytes : free memory of the card.
    """
    work = counting_bytes(rows, blocks) + 64.0 * n_products + _LISTS
    values, gains = 8.0 * (1 + config_classes) * 2.0**n, 4.0 * 2.0 ** (n - 1)
    needed, counted, stream = values + gains + work, 1, None
    if needed > free_bytes:
        stream = _stream(n, values, gains, free_bytes - work - _STREAM_LISTS)
        if stream is not None:
            needed = values / 2**stream.high_bits + stream.together * gains + work + _STREAM_LISTS
            counted = sum(1 for _ in stream.groups(n))
    seconds = 2.0**n * (counted * _SECONDS_PER_SET * max(rows, 50) / 1000 + n * _SECONDS_PER_FAMILY)
    problem = ""
    if total > MOST_OBSERVATIONS:
        problem = f"A card takes at most {MOST_OBSERVATIONS:,} observations; these are {total:,}."
    elif rows > MOST_ROWS:
        problem = f"A card takes at most {MOST_ROWS:,} distinct rows; these are {rows:,}."
    elif n > MOST_VARIABLES:
        problem = f"A card takes at most {MOST_VARIABLES} variables; these are {n}."
    elif needed > free_bytes:
        problem = (
            f"It would need {format_bytes(needed)} of the card's memory, and {format_bytes(free_bytes)} are free. "
            "Select fewer columns, or say device='cpu' with max_parents."
        )
    return Forecast(needed, free_bytes, seconds, problem, stream)


def _stream(n: int, values: float, gains: float, free_bytes: float) -> Stream | None:
    """How to cut a lattice that does not fit: a slice takes little beside the gains of a child."""
    for high_bits in range(1, (n - 6) // 2 + 1):
        part = values / 2**high_bits
        if part > gains / 4 and high_bits < (n - 6) // 2:
            continue
        together = min(int((free_bytes - part) // gains), n)
        return Stream(high_bits, together) if together >= 1 else None
    return None
