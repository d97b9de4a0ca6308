"""Problems in the form of the core, and exact searches of them on the CPU and on a card."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from qnml import _core
from qnml.gpu import find_candidates

__all__ = ["dependent_columns", "on_card", "on_cpu", "problem_of"]

# What must be the same; the rest of a result tells of the work.
FIELDS = ("optimal", "parents", "score", "bound", "ties_examined", "has_ties", "candidates", "states")


def dependent_columns(levels: list[int], rows: int, seed: int, noise: float = 0.4) -> list[np.ndarray[Any, Any]]:
    """Columns that depend on an earlier one."""
    generator = np.random.default_rng(seed)
    columns = [generator.integers(0, levels[0], rows)]
    for place, arity in enumerate(levels[1:], start=1):
        source = columns[int(generator.integers(place))]
        columns.append(np.where(generator.random(rows) < noise, generator.integers(0, arity, rows), source % arity))
    return columns


def problem_of(
    columns: list[np.ndarray[Any, Any]],
    levels: list[int],
    score: str = "qnml",
    *,
    parameter: float = 1.0,
    weights: np.ndarray[Any, Any] | None = None,
    prior: str = "uniform",
    required: dict[int, int] | None = None,
    forbidden: dict[int, int] | None = None,
    max_parents: int | None = None,
    most_cells: float = np.inf,
) -> _core.SearchProblem:
    """A problem; `required` and `forbidden` are masks of parents by child."""
    n = len(columns)
    codes = [
        np.ascontiguousarray(one, np.uint8 if arity <= 256 else np.uint16)
        for one, arity in zip(columns, levels, strict=True)
    ]
    table = _core.Columns(codes, levels, None if weights is None else np.asarray(weights, np.uint64))
    everyone = 2**n - 1
    allowed = [[everyone & ~(1 << child) & ~(forbidden or {}).get(child, 0)] for child in range(n)]
    wanted = [[(required or {}).get(child, 0)] for child in range(n)]
    limits = [max(n if max_parents is None else max_parents, mask[0].bit_count()) for mask in wanted]
    rules = _core.Rules(np.array(allowed, np.uint64), np.array(wanted, np.uint64), limits, most_cells)
    kind = getattr(_core.ScoreKind, score)
    how = getattr(_core.PriorKind, prior)
    return _core.SearchProblem(table, kind, parameter, rules, np.inf, 1, 0, 1, how)


def _options() -> _core.ExactOptions:
    return _core.ExactOptions(_core.TieRule.simplest, True, [], np.inf, np.inf)


def on_cpu(problem: _core.SearchProblem) -> dict[str, Any]:
    found = _core.learn_exact(problem, _options(), _core.Control())
    return {name: getattr(found, name) for name in FIELDS}


def on_card(problem: _core.SearchProblem, runtime: Any, source: Any = find_candidates) -> dict[str, Any]:
    found = _core.learn_exact_from(problem, _options(), _core.Control(), partial(source, runtime))
    return {name: getattr(found, name) for name in FIELDS}
