"""Layers of a graph: rows of least total length, few crossings, positions that keep the order and the distances."""

import itertools
from itertools import pairwise

import networkx
import numpy as np
import pytest
from graph.arc_lists import arc_lists
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from qnml.graph.layered import column_positions, components, ordered_layers, rows_of


def length(rows, arcs):
    return sum(rows[lower] - rows[upper] for upper, lower in arcs)


def crossings(layers):
    """Pairs of segments between the same rows whose upper and lower ends are in opposite orders."""
    place = {vertex: (row, k) for row, members in enumerate(layers.order) for k, vertex in enumerate(members)}
    ends = [(place[upper], place[lower]) for upper, lower in layers.pieces]
    return sum(
        (a[0][1] - b[0][1]) * (a[1][1] - b[1][1]) < 0 for a, b in itertools.combinations(ends, 2) if a[0][0] == b[0][0]
    )


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


@given(arc_lists())
def test_ordering_keeps_every_node_in_its_row(graph):
    n_nodes, arcs = graph
    rows = rows_of(n_nodes, arcs)
    ordered = ordered_layers(rows, arcs)
    for row, members in enumerate(ordered.order):
        assert sorted(v for v in members if v < n_nodes) == [v for v in range(n_nodes) if rows[v] == row]
    for (upper, lower), chain in zip(arcs, ordered.chains, strict=True):
        assert (chain[0], chain[-1]) == (upper, lower)
        assert len(chain) == rows[lower] - rows[upper] + 1


def test_a_tree_is_drawn_without_crossings():
    # Children are numbered such that the order of the nodes would cross all arcs.
    arcs = [(0, 1), (0, 2), (1, 6), (1, 4), (2, 5), (2, 3)]
    ordered = ordered_layers(rows_of(7, arcs), arcs)
    assert crossings(ordered) == 0


@pytest.mark.parametrize("seed", range(3))
def test_no_order_of_two_small_rows_has_fewer_crossings(seed):
    random = np.random.default_rng(seed)
    arcs = [(a, b) for a in range(4) for b in range(4, 8) if random.random() < 0.5]
    orders = list(itertools.permutations(range(4)))
    pairs = list(itertools.combinations(arcs, 2))
    fewest = min(
        sum((upper[a] - upper[c]) * (lower[b - 4] - lower[d - 4]) < 0 for (a, b), (c, d) in pairs)
        for upper in orders
        for lower in orders
    )
    assert crossings(ordered_layers([0] * 4 + [1] * 4, arcs)) == fewest


@given(arc_lists(), st.data())
def test_columns_keep_the_order_and_the_distances(graph, data):
    n_nodes, arcs = graph
    layers = ordered_layers(rows_of(n_nodes, arcs), arcs)
    widths = data.draw(st.lists(st.floats(2, 200), min_size=layers.n_vertices, max_size=layers.n_vertices))
    xs = column_positions(layers, widths, 20.0)
    assert min(x - width / 2 for x, width in zip(xs, widths, strict=True)) == pytest.approx(0, abs=1e-9)
    for row in layers.order:
        for left, right in pairwise(row):
            assert xs[right] - xs[left] >= (widths[left] + widths[right]) / 2 + 20 - 1e-6


def test_a_parent_stands_above_the_middle_of_its_children():
    layers = ordered_layers([0, 1, 1, 1], [(0, 1), (0, 2), (0, 3)])
    xs = column_positions(layers, [50.0, 40.0, 60.0, 80.0], 20.0)
    assert xs[0] == pytest.approx(np.mean(xs[1:]), abs=0.1)
