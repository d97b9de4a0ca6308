"""Averaged networks: the threshold against a search over all heights, and arcs without a cycle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.graph.averaging import averaged_network, significance_threshold


def test_six_strengths_against_a_search_on_a_grid() -> None:
    """The norm of Scutari and Nagarajan 2013 by plain sums over a grid of strengths, for every height of a grid."""
    values = [0.0460, 0.2242, 0.3921, 0.7689, 0.8935, 0.9439]
    cells = 2_000
    found = [sum(value <= (cell + 0.5) / cells for value in values) / 6 for cell in range(cells)]

    def norm(height: float) -> float:
        return sum(abs(share - height) for share in found) / cells

    norms = {step / 240: norm(step / 240) for step in range(241)}
    nearest = min(norms, key=norms.__getitem__)
    assert nearest == 0.5
    # Conclusive: the next values of the distribution are further away than the spacing of the grid.
    assert min(norms[80 / 240], norms[160 / 240]) > norms[0.5] + 10 / cells
    quantile = next(value for k, value in enumerate(values, 1) if k / 6 >= nearest)
    assert significance_threshold(values) == quantile == 0.3921


@given(st.lists(st.integers(0, 20), min_size=1, max_size=12))
def test_no_flat_line_is_nearer(tenths) -> None:
    values = sorted(value / 20 for value in tenths)
    points = np.unique([0.0, *values, 1.0])
    heights = np.array([np.mean(np.array(values) <= point) for point in points[:-1]])

    def distance(height: float) -> float:
        return float(np.sum(np.diff(points) * np.abs(heights - height)))

    best = min(distance(k / len(values)) for k in range(len(values) + 1))
    nearest = [k for k in range(len(values) + 1) if distance(k / len(values)) <= best + 1e-12]
    # The inverse of the empirical distribution function: the smallest value that at least this share does not exceed.
    allowed = {values[max(k - 1, 0)] for k in nearest}
    assert significance_threshold(values) in allowed


def test_no_pairs() -> None:
    assert significance_threshold([]) == 0.0


def test_arcs_enter_by_strength_and_close_no_cycle() -> None:
    edges = np.zeros((3, 3))
    edges[0, 1], edges[1, 2], edges[2, 0] = 0.9, 0.8, 0.7
    averaged = averaged_network(["a", "b", "c"], edges, 0.5)
    assert averaged.dag.arcs == (("a", "b"), ("b", "c"))
    assert averaged.left_out == (("c", "a"),)
    assert averaged.undecided == ()


def test_undecided_pairs_go_where_there_is_room() -> None:
    edges = np.zeros((3, 3))
    edges[2, 1], edges[1, 0] = 0.9, 0.8
    edges[0, 2] = edges[2, 0] = 0.5
    averaged = averaged_network(["a", "b", "c"], edges, 0.6)
    assert set(averaged.dag.arcs) == {("c", "b"), ("b", "a"), ("c", "a")}
    assert averaged.undecided == (("c", "a"),)


@pytest.mark.parametrize(("threshold", "arcs"), [(0.0, 2), (0.5, 1), (0.85, 1), (0.999, 1), (1.0, 1)])
def test_what_was_always_found_is_always_in(threshold, arcs) -> None:
    edges = np.zeros((3, 3))
    edges[0, 1], edges[1, 2] = 1.0, 0.5
    assert averaged_network(["a", "b", "c"], edges, threshold).dag.n_arcs == arcs
