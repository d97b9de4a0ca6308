"""How many threads a call may use."""

from __future__ import annotations

import os

from qnml._checks import checked_whole_number
from qnml.errors import InputError, bad_argument

__all__ = ["available_cores", "resolve_jobs"]

_MOST_JOBS = 4096  # more than any machine has cores: a typing error


def available_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def resolve_jobs(call: str, n_jobs: object) -> int:
    """``None`` and −1 mean all cores this process may use; larger numbers are reduced to that.

    Results never depend on the number of threads, only the running time does.
    """
    if n_jobs is None:
        return available_cores()
    try:
        number = checked_whole_number(call, "n_jobs", n_jobs, -1, _MOST_JOBS)
    except InputError:
        number = 0
    if number == 0:
        allowed = f"a whole number from 1 to {_MOST_JOBS}, or None or -1 for all cores"
        raise bad_argument(call, "n_jobs", n_jobs, allowed)
    return available_cores() if number == -1 else min(number, available_cores())
