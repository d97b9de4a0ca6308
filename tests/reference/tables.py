"""Random coded tables as plain lists, for the reference versions and the package."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

__all__ = ["PlainTable", "families", "plain_tables"]


@dataclass(frozen=True)
class PlainTable:
    """Columns of codes, declared numbers of levels, and weights or None."""

    columns: tuple[tuple[int, ...], ...]
    arities: tuple[int, ...]
    weights: tuple[int, ...] | None

    @property
    def rows(self) -> list[tuple[int, ...]]:
        """All rows, one of weight w listed w times."""
        stored = list(zip(*self.columns, strict=True))
        if self.weights is None:
            return stored
        return [row for row, weight in zip(stored, self.weights, strict=True) for _ in range(weight)]


@st.composite
def plain_tables(draw, max_columns: int = 5, max_arity: int = 5, max_rows: int = 30) -> PlainTable:
    """Small tables with unseen levels, one-level columns, single rows, repeated rows, and weights of 0."""
    n_columns = draw(st.integers(1, max_columns))
    arities = draw(st.lists(st.integers(1, max_arity), min_size=n_columns, max_size=n_columns))
    n_rows = draw(st.integers(1, max_rows))
    # Codes are drawn below a separate bound, so that declared levels often do not occur.
    columns = tuple(
        tuple(draw(st.lists(st.integers(0, draw(st.integers(0, arity - 1))), min_size=n_rows, max_size=n_rows)))
        for arity in arities
    )
    weights = None
    if draw(st.booleans()):
        weights = tuple(draw(st.lists(st.integers(0, 3), min_size=n_rows, max_size=n_rows)))
        if not any(weights):
            weights = (1, *weights[1:])
    return PlainTable(columns, tuple(arities), weights)


@st.composite
def families(draw, n_columns: int) -> tuple[int, tuple[int, ...]]:
    """A child and any set of other columns as its parents, in any order."""
    order = draw(st.permutations(range(n_columns)))
    return order[0], tuple(order[1 : 1 + draw(st.integers(0, n_columns - 1))])
