"""Random acyclic graphs on node numbers, for tests of layers and layouts."""

from hypothesis import strategies as st

__all__ = ["arc_lists"]


@st.composite
def arc_lists(draw, max_nodes=9):
    """A number of nodes and the arcs of an acyclic graph on them, numbered in any order."""
    n_nodes = draw(st.integers(1, max_nodes))
    order = draw(st.permutations(range(n_nodes)))
    pairs = [(order[i], order[j]) for j in range(n_nodes) for i in range(j)]
    return n_nodes, draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
