"""How many threads a call may use."""

from __future__ import annotations

import os

from qnml.errors import bad_argument

__all__ = ["resolve_jobs"]


def resolve_jobs(call: str, n_jobs: int | None) -> int:
    """``None`` and −1 mean all cores this process may use; results never depend on the number."""
    if n_jobs is None or n_jobs == -1:
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1
    if not isinstance(n_jobs, int) or isinstance(n_jobs, bool) or n_jobs < 1:
        raise bad_argument(call, "n_jobs", n_jobs, "a whole number of at least 1, or None for all cores")
    return n_jobs
