"""Dag: construction, errors, relations, edits."""

from __future__ import annotations

import copy
import itertools
import pickle

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.errors import CycleError, InputError, UnknownNameError
from qnml.graph import Dag

ASIA_ARCS = [
    ("asia", "tub"),
    ("smoke", "lung"),
    ("smoke", "bronc"),
    ("tub", "either"),
    ("lung", "either"),
    ("either", "xray"),
    ("bronc", "dysp"),
    ("either", "dysp"),
]
ASIA_NAMES = ["asia", "tub", "smoke", "lung", "bronc", "either", "xray", "dysp"]


@pytest.fixture
def asia():
    return Dag.from_arcs(ASIA_NAMES, ASIA_ARCS)


class TestConstruction:
    def test_arcs_sorted_by_position(self):
        dag = Dag.from_arcs(["C", "A", "B"], [("A", "B"), ("C", "B"), ("C", "A")])
        assert dag.arcs == (("C", "A"), ("C", "B"), ("A", "B"))
        assert dag.parent_masks == (0, 0b001, 0b011)

    def test_isolated_nodes_are_kept(self):
        dag = Dag.from_arcs(["A", "B", "lonely"], [("A", "B")])
        assert dag.names == ("A", "B", "lonely")
        assert dag.n_nodes == 3
        assert Dag.from_networkx(dag.to_networkx()).names == dag.names
        assert Dag.from_modelstring(dag.to_modelstring()) == dag
        assert dag.to_cpdag().names == dag.names

    def test_all_ways_in_agree(self, asia):
        parents = {name: [tail for tail, head in ASIA_ARCS if head == name] for name in ASIA_NAMES}
        matrix = np.zeros((8, 8), dtype=int)
        for tail, head in ASIA_ARCS:
            matrix[ASIA_NAMES.index(tail), ASIA_NAMES.index(head)] = 1
        masks = [sum(1 << int(row) for row in np.flatnonzero(matrix[:, column])) for column in range(8)]
        assert Dag(ASIA_NAMES, ASIA_ARCS) == asia
        assert Dag.from_parents(parents) == asia
        assert Dag.from_masks(ASIA_NAMES, masks) == asia
        assert Dag.from_masks(ASIA_NAMES, np.array(masks)) == asia
        np.testing.assert_array_equal(asia.adjacency_matrix(), matrix)
        assert asia.adjacency_matrix().dtype == np.uint8

    def test_no_nodes(self):
        dag = Dag.empty([])
        assert (dag.n_nodes, dag.n_arcs, dag.topological_order()) == (0, 0, ())
        assert dag == Dag.from_modelstring("")

    def test_repeated_arc_counts_once(self):
        assert Dag.from_arcs(["A", "B"], [("A", "B"), ("A", "B")]).n_arcs == 1

    def test_a_single_parent_may_be_a_bare_string(self):
        assert Dag.from_parents({"rain": [], "wet": "rain"}).arcs == (("rain", "wet"),)

    def test_names_become_plain_strings(self):
        dag = Dag.empty(np.array(["A", "B"]))
        assert [type(name) for name in dag.names] == [str, str]


class TestErrors:
    def test_duplicate_names(self):
        with pytest.raises(InputError, match=r"names='A'.*more than once"):
            Dag.empty(["A", "B", "A"])

    def test_unknown_name_suggests_the_nearest(self):
        with pytest.raises(UnknownNameError, match=r"Dag\.from_arcs.*'smoking'.*Did you mean 'smoke'\?"):
            Dag.from_arcs(["smoke", "lung"], [("smoking", "lung")])
        with pytest.raises(UnknownNameError, match=r"Dag\.from_parents.*Did you mean 'lung'\?"):
            Dag.from_parents({"lung": [], "cough": ["lungs"]})

    def test_self_loop(self):
        with pytest.raises(InputError, match="self-loop"):
            Dag.from_arcs(["A", "B"], [("A", "A")])

    @pytest.mark.parametrize("bad", [[("A",)], [("A", "B", "C")], ["AB"], [None], "AB", 3])
    def test_arcs_that_are_no_pairs(self, bad):
        with pytest.raises(InputError, match=r"arcs=.*pairs of node names"):
            Dag.from_arcs(["A", "B"], bad)

    @pytest.mark.parametrize("bad", ["AB", 3, None])
    def test_names_that_are_no_sequence(self, bad):
        with pytest.raises(InputError, match="a sequence of node names"):
            Dag.empty(bad)

    def test_names_that_are_no_strings(self):
        with pytest.raises(InputError, match=r"names=1.*strings"):
            Dag.empty([1, 2])

    @pytest.mark.parametrize("bad", [[0, 4], [0, -1], [1, 0], [0], [0, 0.5], 7])
    def test_bad_masks(self, bad):
        with pytest.raises(InputError, match=r"Dag\.from_masks\(masks="):
            Dag.from_masks(["A", "B"], bad)

    @pytest.mark.parametrize("bad", [[("A", "B")], {"A": None}])
    def test_bad_parents(self, bad):
        with pytest.raises(InputError, match=r"Dag\.from_parents\(parents="):
            Dag.from_parents(bad)

    def test_cycle_is_printed(self):
        arcs = [("root", "C"), ("C", "A"), ("A", "B"), ("B", "C"), ("C", "below"), ("below", "leaf")]
        with pytest.raises(CycleError, match="A -> B -> C -> A") as caught:
            Dag.from_arcs(["root", "A", "B", "C", "below", "leaf"], arcs)
        assert caught.value.cycle == ("A", "B", "C", "A")

    def test_two_cycle(self):
        with pytest.raises(CycleError, match="A -> B -> A"):
            Dag.from_arcs(["A", "B"], [("A", "B"), ("B", "A")])

    @given(data=st.data())
    def test_printed_cycle_follows_arcs(self, data):
        names = [f"n{position}" for position in range(data.draw(st.integers(2, 7)))]
        pairs = [(tail, head) for tail in names for head in names if tail != head]
        arcs = data.draw(st.lists(st.sampled_from(pairs), unique=True))
        if networkx.is_directed_acyclic_graph(networkx.DiGraph(arcs)):
            assert set(Dag.from_arcs(names, arcs).arcs) == set(arcs)
            return
        with pytest.raises(CycleError) as caught:
            Dag.from_arcs(names, arcs)
        cycle = caught.value.cycle
        assert cycle[0] == cycle[-1]
        assert len(set(cycle)) == len(cycle) - 1
        assert set(itertools.pairwise(cycle)) <= set(arcs)

    def test_asking_for_an_unknown_node(self, asia):
        for ask in (
            asia.index,
            asia.parents,
            asia.children,
            asia.ancestors,
            asia.descendants,
            asia.markov_blanket,
        ):
            with pytest.raises(UnknownNameError, match=r"Dag\.\w+\(name='lungs'\).*Did you mean 'lung'"):
                ask("lungs")


class TestRelations:
    def test_by_hand(self, asia):
        assert asia.n_arcs == 8
        assert asia.index("lung") == 3
        assert asia.parents("either") == ("tub", "lung")
        assert asia.children("smoke") == ("lung", "bronc")
        assert asia.ancestors("xray") == ("asia", "tub", "smoke", "lung", "either")
        assert asia.descendants("smoke") == ("lung", "bronc", "either", "xray", "dysp")
        assert asia.markov_blanket("bronc") == ("smoke", "either", "dysp")
        assert asia.v_structures() == (("tub", "either", "lung"), ("bronc", "dysp", "either"))
        assert asia.covered_arcs() == (("asia", "tub"), ("smoke", "lung"), ("smoke", "bronc"))
        assert asia.has_arc("asia", "tub")
        assert not asia.has_arc("tub", "asia")

    @given(data=st.data())
    def test_against_networkx(self, dags, data):
        dag = data.draw(dags(max_nodes=8))
        graph = networkx.DiGraph()
        graph.add_nodes_from(dag.names)
        graph.add_edges_from(dag.arcs)
        for name in dag.names:
            assert set(dag.ancestors(name)) == networkx.ancestors(graph, name)
            assert set(dag.descendants(name)) == networkx.descendants(graph, name)
            assert set(dag.parents(name)) == set(graph.predecessors(name))
            assert set(dag.children(name)) == set(graph.successors(name))
        expected = networkx.lexicographical_topological_sort(graph, key=dag.index)
        assert dag.topological_order() == tuple(expected)

    @given(data=st.data())
    def test_markov_blanket_separates_and_is_minimal(self, dags, data):
        dag = data.draw(dags(max_nodes=6))
        for name in dag.names:
            blanket = set(dag.markov_blanket(name))
            assert dag.d_separated(name, set(dag.names) - blanket - {name}, blanket)
            for member in blanket:
                smaller = blanket - {member}
                assert not dag.d_separated(name, set(dag.names) - smaller - {name}, smaller)


class TestEdits:
    def test_add_remove_reverse(self):
        chain = Dag.from_modelstring("[A][B|A][C|B]")
        assert chain.add_arc("A", "C") == Dag.from_modelstring("[A][B|A][C|A:B]")
        assert chain.remove_arc("A", "B") == Dag.from_modelstring("[A][B][C|B]")
        assert chain.reverse_arc("A", "B") == Dag.from_modelstring("[B][A|B][C|B]")
        assert chain == Dag.from_modelstring("[A][B|A][C|B]")

    def test_edits_are_checked(self):
        triangle = Dag.from_modelstring("[A][B|A][C|A:B]")
        with pytest.raises(CycleError, match=r"Dag\.reverse_arc.*A -> B -> C -> A"):
            triangle.reverse_arc("A", "C")
        with pytest.raises(CycleError, match=r"Dag\.add_arc.*A -> C -> A"):
            triangle.add_arc("C", "A")
        with pytest.raises(InputError, match=r"Dag\.add_arc: the arc A -> B already exists"):
            triangle.add_arc("A", "B")
        with pytest.raises(InputError, match=r"Dag\.remove_arc: there is no arc B -> A\. The opposite arc exists"):
            triangle.remove_arc("B", "A")
        with pytest.raises(InputError, match="no arc C -> B"):
            triangle.reverse_arc("C", "B")
        with pytest.raises(InputError, match="self-loop"):
            triangle.add_arc("A", "A")
        with pytest.raises(UnknownNameError, match=r"Dag\.add_arc"):
            triangle.add_arc("A", "D")

    def test_reorder(self, asia):
        turned = asia.reorder(ASIA_NAMES[::-1])
        assert turned.names == tuple(ASIA_NAMES[::-1])
        assert set(turned.arcs) == set(ASIA_ARCS)
        assert turned == asia
        assert turned.parent_masks != asia.parent_masks
        with pytest.raises(InputError, match=r"Dag\.reorder.*another order.*Only in the graph: dysp"):
            asia.reorder(ASIA_NAMES[:-1])

    def test_relabel(self):
        chain = Dag.from_modelstring("[A][B|A][C|B]")
        assert chain.relabel({"A": "B", "B": "A"}) == Dag.from_modelstring("[B][A|B][C|A]")
        with pytest.raises(InputError, match=r"Dag\.relabel.*more than once"):
            chain.relabel({"A": "B"})
        with pytest.raises(UnknownNameError, match=r"Dag\.relabel"):
            chain.relabel({"D": "E"})


class TestValue:
    def test_equality_ignores_node_order(self):
        one = Dag.from_arcs(["A", "B", "C"], [("A", "B")])
        two = Dag.from_arcs(["C", "B", "A"], [("A", "B")])
        assert one == two
        assert hash(one) == hash(two)
        assert len({one, two}) == 1

    def test_inequality(self):
        one = Dag.from_arcs(["A", "B"], [("A", "B")])
        assert one != Dag.from_arcs(["A", "B"], [("B", "A")])
        assert one != Dag.from_arcs(["B", "A"], [("B", "A")])
        assert one != Dag.from_arcs(["A", "B", "C"], [("A", "B")])
        assert one != Dag.from_arcs(["A", "X"], [("A", "X")])
        assert one != "[A][B|A]"

    def test_immutable(self, asia):
        for attribute in ("names", "arcs", "parent_masks", "something_new"):
            with pytest.raises(AttributeError):
                setattr(asia, attribute, ())

    def test_pickle_and_copy(self, asia):
        for clone in (pickle.loads(pickle.dumps(asia)), copy.copy(asia), copy.deepcopy(asia)):
            assert clone == asia
            assert clone.names == asia.names

    def test_shown(self, asia):
        assert repr(Dag.from_modelstring("[A][B|A][C]")) == "Dag(3 nodes, 1 arc: A -> B)"
        assert repr(Dag.empty(["A"])) == "Dag(1 node, 0 arcs)"
        assert repr(Dag.from_masks([f"n{i}" for i in range(9)], [(1 << i) - 1 for i in range(9)])).endswith(
            "… and 26 more)"
        )
        assert str(asia).startswith("[asia][smoke][tub|asia]")


class TestParameters:
    def test_by_hand(self, asia):
        # bnlearn's repository lists 18 parameters for asia.
        assert asia.n_parameters(dict.fromkeys(ASIA_NAMES, 2)) == 18
        assert Dag.empty(["A", "B"]).n_parameters({"A": 1, "B": 7}) == 6

    def test_exact_beyond_64_bits(self):
        names = [f"n{position}" for position in range(41)]
        star = Dag.from_arcs(names, [(name, names[0]) for name in names[1:]])
        assert star.n_parameters(dict.fromkeys(names, np.uint8(100))) == 99 * 100**40 + 40 * 99

    @pytest.mark.parametrize("bad", [{"A": 2}, {"A": 2, "B": 0}, {"A": 2, "B": 2.5}, {"A": 2, "B": ("x", "y")}, [2, 2]])
    def test_bad_levels(self, bad):
        with pytest.raises(InputError, match=r"Dag\.n_parameters\(levels="):
            Dag.from_modelstring("[A][B|A]").n_parameters(bad)
