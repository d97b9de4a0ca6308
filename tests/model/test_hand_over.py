"""Networks converted for other packages: nothing is lost, and nothing is imported before it is needed."""

import subprocess
import sys
import warnings
from pathlib import Path

import networkx
import numpy as np
import pytest
from reference.peers import peer

import qnml
from qnml.errors import InputError, MissingExtraError
from qnml.graph import Dag
from qnml.model import (
    Network,
    from_networkx,
    read_network,
    to_dowhy,
    to_networkx,
    to_pgmpy,
    to_pyagrum,
)

NET = Network(
    Dag.from_arcs(["wet", "rain", "hose", "alone"], [("rain", "wet"), ("hose", "wet")]),
    {"wet": ["dry", "damp", "wet"], "rain": [False, True], "hose": [0, 1], "alone": ["only"]},
    {
        "wet": [[[0.9, 0.1, 0.0], [0.2, 0.3, 0.5]], [[0.1, 0.1, 0.8], [0.0, 0.25, 0.75]]],
        "rain": [0.8, 0.2],
        "hose": [0.6, 0.4],
        "alone": [1.0],
    },
)


def test_networkx_and_back() -> None:
    graph = to_networkx(NET, tables=True, weights={("rain", "wet"): 3.5}, probabilities={("hose", "wet"): 0.9})
    assert list(graph.nodes) == list(NET.names)
    assert graph.nodes["wet"]["levels"] == ("dry", "damp", "wet")
    assert dict(graph.edges) == {("rain", "wet"): {"weight": 3.5}, ("hose", "wet"): {"probability": 0.9}}
    assert from_networkx(graph) == NET
    assert "table" not in to_networkx(NET).nodes["wet"]


def test_networkx_graphs_that_do_not_fit() -> None:
    with pytest.raises(InputError, match=r"'wet' has no attribute 'table'.*tables=True"):
        from_networkx(to_networkx(NET))
    with pytest.raises(InputError, match=r"weights=\('wet', 'rain'\)"):
        to_networkx(NET, weights={("wet", "rain"): 1.0})
    with pytest.raises(InputError, match=r"must be a qnml\.Network"):
        to_networkx(NET.dag)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"a Network, a Dag, a Cpdag or an Mpdag"):
        to_dowhy("graph")  # type: ignore[arg-type]


def test_dowhy_gets_a_member_and_a_warning() -> None:
    for given in (NET, NET.dag, NET.dag.to_cpdag()):  # a collider: every edge has its direction
        graph = to_dowhy(given)
        assert Dag.from_networkx(graph) == NET.dag
    chain = Dag.from_modelstring("[A][B|A][C|B][D]").to_cpdag()
    with pytest.warns(UserWarning, match=r"2 edges .*: A -- B, B -- C\. Other members"):
        graph = to_dowhy(chain)
    assert networkx.is_directed_acyclic_graph(graph)
    assert Dag.from_networkx(graph).to_cpdag() == chain


def test_nothing_is_imported_before_it_is_needed() -> None:
    names = ("cotengra", "networkx", "pgmpy", "pyagrum")
    code = f"import sys, qnml, qnml.model; print([m for m in {names} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(("call", "name"), [(to_pgmpy, "pgmpy"), (to_pyagrum, "pyagrum")])
def test_a_missing_package_is_named(call: object, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [key for key in sys.modules if key.split(".")[0] == name]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtraError, match=f"needs {name}, which is not installed"):
        call(NET)  # type: ignore[operator]


def test_pgmpy_says_the_same() -> None:
    peer("pgmpy.models")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = to_pgmpy(NET)
        assert model.check_model()
    assert set(model.nodes) == set(NET.names)
    cpd = model.get_cpds("wet")
    assert cpd.get_value(wet="damp", rain=False, hose=1) == 0.3
    assert cpd.get_value(wet="wet", rain=True, hose=0) == 0.8


@pytest.mark.parametrize("name", ["asia", "child", "alarm"])
def test_pyagrum_says_the_same(data_folder: Path, name: str) -> None:
    peer("pyagrum")
    for net in (NET, read_network(data_folder / "networks" / f"{name}.bif.gz")):
        model = to_pyagrum(net)
        assert model.dim() == net.n_parameters
        sample = net.sample(20, seed=1)
        for row in range(20):
            place = model.completeInstantiation()
            place.fromdict({v: str(net.levels[v][sample.codes(v)[row]]) for v in net.names})
            expected = net.log_prob(sample.take([row]))[0]
            assert model.log2JointProbability(place) * np.log(2) == pytest.approx(expected, rel=1e-6)


def test_networks_hand_themselves_over() -> None:
    network = qnml.datasets.load_network("asia")
    graph = network.to_networkx()
    assert set(graph.edges) == set(network.dag.arcs)
    assert set(graph.nodes) == set(network.names)


def test_dowhy_is_told_of_the_directions_of_a_learned_network():
    dag = Dag.from_modelstring("[A][B|A]")
    given = {"A": [0.5, 0.5], "B": [[0.5, 0.5], [0.25, 0.75]]}
    net = Network(dag, {"A": [0, 1], "B": [0, 1]}, given, mpdag=dag.to_cpdag().orient([]))
    with pytest.warns(UserWarning, match=r"to_dowhy: 1 edges have no direction .* A -- B"):
        graph = to_dowhy(net)
    assert list(graph.edges) == [("A", "B")]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(to_dowhy(net.dag).edges) == [("A", "B")]
        to_dowhy(net.with_mpdag(net.mpdag.orient([("A", "B")])))
