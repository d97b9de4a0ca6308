"""Networks as objects of other packages, which are imported only when one of these functions is called."""

from __future__ import annotations

import importlib
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml._checks import checked_flag, checked_mapping
from qnml.errors import InputError, MissingExtraError, bad_argument
from qnml.graph import Cpdag, Dag, Mpdag
from qnml.model.network import Network

if TYPE_CHECKING:
    from collections.abc import Mapping

    import networkx

__all__ = ["from_networkx", "to_dowhy", "to_networkx", "to_pgmpy", "to_pyagrum"]


def to_networkx(
    net: Network,
    *,
    tables: bool = False,
    weights: Mapping[tuple[str, str], float] | None = None,
    probabilities: Mapping[tuple[str, str], float] | None = None,
) -> networkx.DiGraph:
    """Convert a network to a ``networkx.DiGraph``, isolated nodes included.

    Parameters
    ----------
    net
        The network. Every node gets the attribute ``levels``, a tuple of labels.
    tables
        Whether nodes also get the attribute ``table``, the array of conditional probabilities with the parents in the
        order of the nodes, which :func:`from_networkx` needs; and the graph the attributes ``preparation`` and
        ``mpdag``, if the network has them.
    weights
        Numbers by arc (parent, child), such as bits, for the edge attribute ``weight``.
    probabilities
        Numbers by arc for the edge attribute ``probability``.

    Examples
    --------
    >>> from qnml.graph import Dag
    >>> dag = Dag.from_arcs(["a", "b"], [("a", "b")])
    >>> net = Network(dag, {"a": [0, 1], "b": [0, 1]}, {"a": [0.5, 0.5], "b": np.eye(2)})
    >>> dict(to_networkx(net, weights={("a", "b"): 3.5}).edges)
    {('a', 'b'): {'weight': 3.5}}
    """
    _check_network("to_networkx", net)
    tables = checked_flag("to_networkx", "tables", tables)
    graph = net.dag.to_networkx()
    for name in net.names:
        graph.nodes[name]["levels"] = net.levels[name]
        if tables:
            graph.nodes[name]["table"] = net.table(name)
    if tables and net.preparation is not None:
        graph.graph["preparation"] = net.preparation
    if tables and net.mpdag is not None:
        graph.graph["mpdag"] = net.mpdag
    for argument, attribute, given in (
        ("weights", "weight", weights),
        ("probabilities", "probability", probabilities),
    ):
        by_arc = {} if given is None else checked_mapping("to_networkx", argument, given, "numbers by arc, or None")
        for arc, number in by_arc.items():
            if not (isinstance(arc, tuple) and len(arc) == 2 and arc in graph.edges):
                raise bad_argument("to_networkx", argument, arc, "by arcs (parent, child) of the network")
            graph.edges[arc][attribute] = number
    return graph


def from_networkx(graph: Any) -> Network:
    """Read a network from a networkx graph whose nodes have ``levels`` and ``table``.

    Parameters
    ----------
    graph
        A directed graph as returned by :func:`to_networkx` with ``tables=True``. To read the structure alone, use
        ``Dag.from_networkx``.
    """
    dag = Dag.from_networkx(graph)
    for attribute in ("levels", "table"):
        for name in dag.names:
            if attribute not in graph.nodes[name]:
                raise InputError(
                    f"from_networkx(graph): the node {name!r} has no attribute {attribute!r}. "
                    "to_networkx(net, tables=True) adds it; Dag.from_networkx reads the structure alone."
                )
    nodes = graph.nodes
    return Network(
        dag,
        {name: nodes[name]["levels"] for name in dag.names},
        {name: nodes[name]["table"] for name in dag.names},
        preparation=graph.graph.get("preparation"),
        mpdag=graph.graph.get("mpdag"),
    )


def to_pgmpy(net: Network) -> Any:
    """Convert a network to a ``pgmpy.models.DiscreteBayesianNetwork``.

    Parameters
    ----------
    net
        The network. Labels keep their type: a state that is a number here is a number there.
    """
    _check_network("to_pgmpy", net)
    models = _imported("to_pgmpy", "pgmpy.models", "pgmpy")
    factors = _imported("to_pgmpy", "pgmpy.factors.discrete", "pgmpy")
    # The class had another name before pgmpy 1.0.
    model = getattr(models, "DiscreteBayesianNetwork", None) or models.BayesianNetwork
    made = model()
    made.add_nodes_from(net.names)
    made.add_edges_from(net.dag.arcs)
    for name in net.names:
        parents = net.dag.parents(name)
        rows = net.table(name).reshape(-1, len(net.levels[name]))
        made.add_cpds(
            factors.TabularCPD(
                name,
                len(net.levels[name]),
                rows.T,
                evidence=list(parents) or None,
                evidence_card=[len(net.levels[parent]) for parent in parents] or None,
                state_names={member: list(net.levels[member]) for member in (name, *parents)},
            )
        )
    return made


def to_pyagrum(net: Network) -> Any:
    """Convert a network to a ``pyagrum.BayesNet``.

    Parameters
    ----------
    net
        The network. Labels become text, the only type that pyAgrum has.
    """
    _check_network("to_pyagrum", net)
    # If warnings are errors, a warning that pyAgrum raises on import ends the whole process.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gum = _imported("to_pyagrum", "pyagrum", "pyagrum")
    made = gum.BayesNet(str(net.properties.get("name", "qnml")))
    nodes = {
        name: made.add(gum.LabelizedVariable(name, name, [str(label) for label in net.levels[name]]))
        for name in net.names
    }
    for parent, child in net.dag.arcs:
        made.addArc(nodes[parent], nodes[child])
    for name in net.names:
        table = made.cpt(nodes[name])
        family = [*net.dag.parents(name), name]
        # In pyAgrum the first variable changes fastest, in numpy the last.
        axes = [family.index(member) for member in reversed(table.names)]
        table.fillWith(np.transpose(net.table(name), axes).ravel().tolist())
    return made


def to_dowhy(graph: Network | Dag | Cpdag | Mpdag) -> networkx.DiGraph:
    """Convert a graph to a ``networkx.DiGraph`` without cycles, as DoWhy needs.

    Parameters
    ----------
    graph
        A network, a Dag, a Cpdag or an Mpdag. Of the latter two, one member is returned, and a warning lists the edges
        whose direction is not determined: what DoWhy concludes from their directions is an assumption. So it does for a
        network that was learned (:attr:`Network.mpdag`), whose own graph is returned. Pass ``net.dag`` to take the
        directions at their word.
    """
    members = graph.mpdag if isinstance(graph, Network) else graph
    if isinstance(members, Cpdag | Mpdag) and members.undirected:
        _warn_of_directions(members.undirected)
    if isinstance(graph, Cpdag | Mpdag):
        return graph.consistent_extension().to_networkx()
    if isinstance(graph, Network):
        graph = graph.dag
    if not isinstance(graph, Dag):
        raise bad_argument("to_dowhy", "graph", graph, "a Network, a Dag, a Cpdag or an Mpdag")
    return graph.to_networkx()


def _warn_of_directions(free: tuple[tuple[str, str], ...]) -> None:
    listed = ", ".join(f"{first} -- {second}" for first, second in free[:10])
    more = f" and {len(free) - 10} more" if len(free) > 10 else ""
    warnings.warn(
        f"to_dowhy: {len(free)} edges have no direction in the class and were directed arbitrarily: "
        f"{listed}{more}. Other members of the class may give other effects.",
        stacklevel=3,
    )


def _check_network(call: str, net: object) -> None:
    if not isinstance(net, Network):
        raise bad_argument(call, "net", net, "a qnml.Network")


def _imported(call: str, module: str, package: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise MissingExtraError(
            f"{call}: needs {package}, which is not installed. Install it with: pip install {package}"
        ) from None
