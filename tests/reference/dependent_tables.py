"""Random tables whose columns depend on each other in ways that are hard for searches."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from reference.tables import PlainTable

__all__ = ["dependent_tables"]

KINDS = ("fresh", "noisy", "noisy", "sum", "copy", "relabelled", "constant", "one level", "unseen levels")


@st.composite
def dependent_tables(draw, min_columns: int = 1, max_columns: int = 5, max_rows: int = 60) -> PlainTable:
    """Noisy or exact copies and sums of earlier columns, constants, unseen levels, single rows, weights."""
    n_columns = draw(st.integers(min_columns, max_columns))
    n_rows = draw(st.one_of(st.integers(1, 8), st.integers(8, max_rows)))
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=n_columns, max_size=n_columns))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    columns: list[np.ndarray] = []
    arities: list[int] = []
    for kind in kinds:
        arity = int(generator.integers(2, 5))
        source = int(generator.integers(len(columns))) if columns else None
        fresh = generator.integers(0, arity, n_rows)
        if kind == "one level":
            column, arity = np.zeros(n_rows, dtype=int), 1
        elif kind == "constant":
            column = np.full(n_rows, generator.integers(arity))
        elif kind == "unseen levels":
            column, arity = fresh, arity + int(generator.integers(1, 4))
        elif kind == "fresh" or source is None:
            column = fresh
        elif kind == "copy":
            column, arity = columns[source], arities[source]
        elif kind == "relabelled":
            column, arity = arities[source] - 1 - columns[source], arities[source]
        elif kind == "sum":
            other = int(generator.integers(len(columns)))
            column = (columns[source] + columns[other]) % arity
        else:
            column = np.where(generator.random(n_rows) < 0.3, fresh, columns[source] % arity)
        columns.append(column)
        arities.append(arity)
    weights = tuple(generator.integers(0, 4, n_rows).tolist()) if draw(st.booleans()) else None
    if weights is not None and not any(weights):
        weights = None
    return PlainTable(tuple(tuple(column.tolist()) for column in columns), tuple(arities), weights)
