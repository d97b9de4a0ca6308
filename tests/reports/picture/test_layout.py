"""The layout without Graphviz: arcs point down, nothing overlaps, no line crosses another node's box."""

import itertools

import numpy as np
import pytest
from graph.arc_lists import arc_lists
from hypothesis import given
from hypothesis import strategies as st

from qnml.reports.picture.layout import layered


def curve_points(route, steps=12):
    """Points along a chain of cubic curves, by the textbook formula."""
    for start in range(0, len(route) - 1, 3):
        a, b, c, d = (np.array(point) for point in route[start : start + 4])
        for t in np.linspace(0.0, 1.0, steps):
            yield (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d


@given(arc_lists(max_nodes=12), st.data())
def test_nothing_overlaps_and_lines_avoid_foreign_boxes(graph, data):
    n_nodes, arcs = graph
    widths = data.draw(st.lists(st.floats(20, 200), min_size=n_nodes, max_size=n_nodes))
    sizes = [(width, 28.0) for width in widths]
    layout = layered(sizes, arcs)
    corners = [
        (x - w / 2, y - h / 2, x + w / 2, y + h / 2) for (x, y), (w, h) in zip(layout.centres, sizes, strict=True)
    ]
    for left, top, right, bottom in corners:
        assert left >= -1e-6
        assert top >= -1e-6
        assert right <= layout.width + 1e-6
        assert bottom <= layout.height + 1e-6
    for (l1, t1, r1, b1), (l2, t2, r2, b2) in itertools.combinations(corners, 2):
        assert r1 <= l2 or r2 <= l1 or b1 <= t2 or b2 <= t1
    for (upper, lower), route in zip(arcs, layout.routes, strict=True):
        points = list(curve_points(route))
        heights = [y for _, y in points]
        assert heights == sorted(heights)
        # From the lower side of one box to the upper side of the other.
        assert corners[upper][0] < route[0][0] < corners[upper][2]
        assert route[0][1] == pytest.approx(corners[upper][3])
        assert corners[lower][0] < route[-1][0] < corners[lower][2]
        assert route[-1][1] == pytest.approx(corners[lower][1])
        for node, (left, top, right, bottom) in enumerate(corners):
            if node not in (upper, lower):
                assert not any(left < x < right and top < y < bottom for x, y in points)


def test_a_graph_with_too_many_bends_is_still_drawn():
    # All 1225 arcs among 50 nodes: 19600 possible bends, of which only some are drawn.
    arcs = list(itertools.combinations(range(50), 2))
    layout = layered([(50.0, 28.0)] * 50, arcs)
    heights = [y for _, y in layout.centres]
    assert all(heights[upper] < heights[lower] for upper, lower in arcs)


def test_many_single_nodes_fill_a_page_and_not_a_line():
    layout = layered([(60.0, 28.0)] * 200, [])
    assert layout.width < 3 * layout.height
    assert layout.height < 3 * layout.width


def test_nothing_to_draw():
    layout = layered([], [])
    assert (layout.width, layout.height, layout.centres, layout.routes) == (0.0, 0.0, [], [])
