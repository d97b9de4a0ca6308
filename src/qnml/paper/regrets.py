"""The regrets of Table 1 by its three methods."""

from __future__ import annotations

import polars as pl

from qnml.paper.printed import REGRETS
from qnml.scores import regret

__all__ = ["METHODS", "SCHEMA", "learnings", "run_chunk"]

METHODS = ("szpankowski", "szpankowski-weinberger", "exact")
"""Methods to compute a regret, in the order of the table's columns: eq. (6), eq. (7), exact."""

SCHEMA = {"n": pl.Int64, "r": pl.Int64, "method": pl.String, "value": pl.Float64}
"""Columns of the results."""


def run_chunk(subject: str, first: int, last: int, seed: int) -> pl.DataFrame:
    """Compute the table; nothing in it is random, and no network is learned.

    Parameters
    ----------
    subject
        ``"all"``.
    first
        Not used.
    last
        Not used.
    seed
        Not used.
    """
    rows = [(n, r, method, regret(n, r, method)) for n, r in REGRETS for method in METHODS]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def learnings(subject: str, repetitions: int) -> int:
    """No network is learned.

    Parameters
    ----------
    subject
        ``"all"``.
    repetitions
        Not used.
    """
    return 0
