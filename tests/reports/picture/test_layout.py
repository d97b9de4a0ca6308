"""The layout without Graphviz: arcs point down, nothing overlaps, no line crosses another node's box."""

import itertools

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn.isotonic import IsotonicRegression

from qnml.reports.picture.layering import components, neighbours, rows_of
from qnml.reports.picture.layout import layered
from qnml.reports.picture.ordering import crossings, ordered_rows
from qnml.reports.picture.placing import nearest_ordered


@st.composite
def arc_lists(draw, max_nodes=9):
    """A number of nodes and the arcs of an acyclic graph on them, numbered in any order."""
    n_nodes = draw(st.integers(1, max_nodes))
    order = draw(st.permutations(range(n_nodes)))
    pairs = [(order[i], order[j]) for j in range(n_nodes) for i in range(j)]
    return n_nodes, draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []


def length(rows, arcs):
    return sum(rows[lower] - rows[upper] for upper, lower in arcs)


def curve_points(route, steps=12):
    """Points along a chain of cubic curves, by the textbook formula."""
    for start in range(0, len(route) - 1, 3):
        a, b, c, d = (np.array(point) for point in route[start : start + 4])
        for t in np.linspace(0.0, 1.0, steps):
            yield (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d


@given(arc_lists())
def test_pieces_are_those_of_networkx(graph):
    n_nodes, arcs = graph
    other = networkx.Graph(arcs)
    other.add_nodes_from(range(n_nodes))
    assert {frozenset(piece) for piece in components(n_nodes, arcs)} == set(
        map(frozenset, networkx.connected_components(other))
    )


@given(arc_lists(max_nodes=6))
def test_rows_lead_down_and_are_no_longer_than_highest_rows(graph):
    n_nodes, arcs = graph
    rows = rows_of(n_nodes, arcs)
    assert min(rows) == 0
    assert all(rows[upper] < rows[lower] for upper, lower in arcs)
    longest = dict.fromkeys(range(n_nodes), 0)
    for _ in range(n_nodes):
        for upper, lower in arcs:
            longest[lower] = max(longest[lower], longest[upper] + 1)
    assert length(rows, arcs) <= length(longest, arcs)


@given(arc_lists(max_nodes=9))
def test_the_total_length_is_the_smallest_there_is(graph):
    n_nodes, arcs = graph
    if not arcs:
        return
    cost = np.zeros(n_nodes)
    drops = np.zeros((len(arcs), n_nodes))
    for which, (upper, lower) in enumerate(arcs):
        cost[upper] -= 1
        cost[lower] += 1
        drops[which, [upper, lower]] = 1, -1
    best = linprog(cost, A_ub=drops, b_ub=-np.ones(len(arcs)), bounds=(None, None))
    assert length(rows_of(n_nodes, arcs), arcs) == pytest.approx(best.fun)


def test_a_root_stands_right_above_its_child():
    # 0 → 1 → 2 → 3 and 4 → 3: as high as possible, 4 would be three rows above its only child.
    rows = rows_of(5, [(0, 1), (1, 2), (2, 3), (4, 3)])
    assert rows == [0, 1, 2, 3, 2]


def test_a_group_moves_as_one():
    # 4 → 5 hang on 3 by two arcs of 4; neither can come closer alone.
    arcs = [(0, 1), (1, 2), (2, 3), (4, 5), (4, 3), (5, 3)]
    rows = rows_of(6, arcs)
    assert rows[5] == 2
    assert rows[4] == 1


@given(arc_lists(), st.randoms(use_true_random=False))
def test_crossings_are_counted_as_by_hand(graph, random):
    n_nodes, arcs = graph
    half = (n_nodes + 1) // 2
    upper, lower = list(range(half)), list(range(half, n_nodes))
    random.shuffle(upper)
    random.shuffle(lower)
    between = [(a, b) for a, b in (sorted(arc) for arc in arcs) if a < half <= b]
    _, below = neighbours(n_nodes, between)
    expected = sum(
        (upper.index(a) - upper.index(c)) * (lower.index(b) - lower.index(d)) < 0
        for (a, b), (c, d) in itertools.combinations(between, 2)
    )
    assert crossings([upper, lower], below) == expected


@given(arc_lists())
def test_ordering_keeps_every_node_in_its_row(graph):
    n_nodes, arcs = graph
    rows = rows_of(n_nodes, arcs)
    ordered = ordered_rows(rows, arcs)
    for row, members in enumerate(ordered.order):
        assert sorted(v for v in members if v < n_nodes) == [v for v in range(n_nodes) if rows[v] == row]
    for (upper, lower), chain in zip(arcs, ordered.chains, strict=True):
        assert (chain[0], chain[-1]) == (upper, lower)
        assert len(chain) == rows[lower] - rows[upper] + 1


def test_a_tree_is_drawn_without_crossings():
    # Children are numbered such that the order of the nodes would cross all arcs.
    arcs = [(0, 1), (0, 2), (1, 6), (1, 4), (2, 5), (2, 3)]
    ordered = ordered_rows(rows_of(7, arcs), arcs)
    _, below = neighbours(7, arcs)
    assert crossings(ordered.order, below) == 0


@given(
    st.lists(st.tuples(st.floats(-100, 100), st.floats(0.1, 10)), min_size=1, max_size=12),
)
def test_nearest_ordered_is_isotonic_regression(pairs):
    targets, weights = zip(*pairs, strict=True)
    expected = IsotonicRegression().fit_transform(range(len(targets)), targets, sample_weight=weights)
    assert nearest_ordered(targets, weights) == pytest.approx(expected.tolist(), abs=1e-9)


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
