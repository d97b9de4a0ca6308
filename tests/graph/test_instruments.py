"""Conditional instruments against their definition, with the d-separation of networkx."""

import itertools

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.errors import InputError, UnknownNameError
from qnml.graph import Dag


def by_definition(dag: Dag, x: str, y: str, hidden: set[str], most: int) -> set[tuple[str, frozenset[str]]]:
    graph = dag.to_networkx()
    cut = graph.copy()
    before_y = networkx.ancestors(graph, y) | {y}
    cut.remove_edges_from([(x, node) for node in graph.successors(x) if node in before_y])
    late = networkx.descendants(graph, x) | networkx.descendants(graph, y) | {x, y} | hidden
    usable = [name for name in dag.names if name not in late]
    found: set[tuple[str, frozenset[str]]] = set()
    for z in usable:
        for size in range(most + 1):
            for chosen in map(frozenset, itertools.combinations([name for name in usable if name != z], size)):
                moves = not networkx.is_d_separator(graph, {z}, {x}, set(chosen))
                alone = networkx.is_d_separator(cut, {z}, {y}, set(chosen))
                is_minimal = not any(other == z and known < chosen for other, known in found)
                if moves and alone and is_minimal:
                    found.add((z, chosen))
    return found


@given(data=st.data())
def test_against_the_definition(dags, data):
    dag = data.draw(dags(min_nodes=3, max_nodes=6))
    x, y, *others = data.draw(st.permutations(dag.names))
    hidden = set(data.draw(st.lists(st.sampled_from(others), unique=True)))
    found = dag.instruments(x, y, unobserved=sorted(hidden), most_given=2)
    assert {(z, frozenset(chosen)) for z, chosen in found} == by_definition(dag, x, y, hidden, 2)
    assert len(set(found)) == len(found)


def test_from_the_books():
    # Figure 7.8 of Pearl (2009), and one that needs a condition: Brito and Pearl (2002), figure 1.
    plain = Dag.from_modelstring("[z][u][x|z:u][y|x:u]")
    assert plain.instruments("x", "y", unobserved="u") == (("z", ()),)
    given = Dag.from_modelstring("[w][u][z|w][x|z:u][y|x:u:w]")
    assert given.instruments("x", "y", unobserved="u") == (("z", ("w",)),)
    assert given.instruments("x", "y", unobserved="u", most_given=0) == ()
    assert Dag.from_modelstring("[z][u][x|z:u][y|x:u:z]").instruments("x", "y", unobserved="u") == ()


def test_bad_arguments():
    dag = Dag.from_modelstring("[z][x|z][y|x]")
    with pytest.raises(InputError, match="another node than x"):
        dag.instruments("x", "x")
    with pytest.raises(UnknownNameError, match="unobserved='u'"):
        dag.instruments("x", "y", unobserved="u")
    with pytest.raises(InputError, match="most_given"):
        dag.instruments("x", "y", most_given=-1)
