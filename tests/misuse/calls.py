"""One valid call of everything public, with every argument given; wrong arguments are tried in these calls."""

from __future__ import annotations

import inspect
import operator
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any

import networkx
import numpy as np
import openpyxl
import pandas as pd

import qnml
import qnml.datasets
import qnml.graph
import qnml.model
import qnml.sklearn
from qnml.data import Columnwise
from qnml.reports.heat_map import HeatMap
from qnml.reports.notebook import Picture

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["Call", "every_call", "public_names"]

MODULES = (qnml, qnml.datasets, qnml.graph, qnml.model)
CLASSES = (
    *(value for module in MODULES for name in module.__all__ if inspect.isclass(value := getattr(module, name))),
    *(getattr(qnml.sklearn, name) for name in qnml.sklearn.__all__),
    Columnwise,
    Picture,
    HeatMap,
)
OPERATORS = ("__call__", "__contains__", "__eq__", "__getitem__")


@dataclass(frozen=True)
class Call:
    """A valid call.

    Attributes
    ----------
    name : as in the documentation: ``learn``, ``Dag.parents``; a class stands for making one.
    function : what is called.
    arguments : all of them by name; positions count from 0 for functions without names.
    follows_sklearn : whether errors may be those of scikit-learn, too.
    """

    name: str
    function: Callable[..., Any]
    arguments: dict[str, Any] = field(default_factory=dict)
    follows_sklearn: bool = False


def public_names() -> set[str]:
    """Every function, class and method that a user may call."""
    found = {
        name
        for module in MODULES
        for name in module.__all__
        if inspect.isfunction(getattr(module, name)) or inspect.isclass(getattr(module, name))
    }
    for one in CLASSES:
        if issubclass(one, Exception):
            continue
        found.add(one.__name__)
        for name in dir(one):
            owner = next((base for base in one.__mro__ if name in vars(base)), object)
            is_public = not name.startswith("_") or name in OPERATORS
            value = getattr(vars(owner).get(name), "__func__", vars(owner).get(name))
            if is_public and owner.__module__.startswith("qnml") and inspect.isfunction(value):
                found.add(f"{one.__name__}.{name}")
    return found - {error.__name__ for error in CLASSES if issubclass(error, Exception)}


def every_call(folder: Path) -> dict[str, list[Call]]:
    """The calls in groups; files are written into the folder."""
    things = _Things(folder)
    groups = {
        "doors": _doors(things),
        "files": _files(things),
        "graphs": _graphs(things),
        "networks": _networks(things),
        "results": _results(things),
        "tables": _tables(things),
        "estimators": _estimators(things),
    }
    return {group: list(calls) for group, calls in groups.items()}


@dataclass
class _Things:
    """Small objects whose methods are called."""

    folder: Path

    @cached_property
    def frame(self) -> pd.DataFrame:
        generator = np.random.default_rng(1)
        a, noise = generator.integers(0, 2, 24), generator.integers(0, 6, (24, 2))
        return pd.DataFrame({"a": a, "b": np.where(noise[:, 0] > 0, a, 1 - a), "c": noise[:, 1] % 3}).astype(str)

    @cached_property
    def table(self) -> qnml.Table:
        return qnml.read_table(self.frame)

    @cached_property
    def dag(self) -> qnml.Dag:
        return qnml.Dag.from_arcs(["a", "b", "c"], [("a", "b"), ("c", "b")])

    @cached_property
    def network(self) -> qnml.Network:
        return qnml.fit(self.table, self.dag)

    @cached_property
    def dense(self) -> qnml.Network:
        dag = qnml.Dag.from_arcs(["a", "b"], [("a", "b")])
        return qnml.Network(dag, {"a": ["0", "1"], "b": ["0", "1"]}, {"a": [0.5, 0.5], "b": [[0.1, 0.9], [0.8, 0.2]]})

    @cached_property
    def preparation(self) -> qnml.Preparation:
        binned = {"levels": ("0", "1"), "cuts": (30.0,), "bins": ("0", "1")}
        merged = {"levels": ("0", "1"), "kept_levels": ("0",), "other": "1"}
        columns = [
            qnml.ColumnPreparation("a", "real", 9, 0, 9, "bin", "By hand.", **binned),
            qnml.ColumnPreparation("b", "text", 9, 0, 9, "merge", "By hand.", **merged),
        ]
        return qnml.Preparation(columns)

    @cached_property
    def result(self) -> qnml.SearchResult:
        return qnml.learn(self.table, n_jobs=1)

    @cached_property
    def numbers(self) -> qnml.Table:
        columns = {"a": [0.5 * i for i in range(20)], "b": [int(i > 8) for i in range(20)]}
        return qnml.read_table(columns, columns={"a": "bins"})

    @cached_property
    def binning(self) -> qnml.JointBinning:
        found = qnml.learn(self.numbers, discretize="joint", n_jobs=1).binning
        assert found is not None
        return found

    @cached_property
    def posterior(self) -> qnml.Posterior:
        return qnml.posterior(self.table, n_jobs=1)

    @cached_property
    def chains(self) -> qnml.Posterior:
        return qnml.posterior(self.table, method="mcmc", samples=20, n_jobs=1, guard="off")

    @cached_property
    def effect(self) -> qnml.Effect:
        return self.posterior.effect("a", "b")

    @cached_property
    def k_best(self) -> qnml.KBest:
        return qnml.k_best(self.table, 2, n_jobs=1)

    @cached_property
    def bootstrap(self) -> qnml.Bootstrap:
        return qnml.bootstrap(self.table, 2, seed=1, n_jobs=1)

    @cached_property
    def knowledge(self) -> qnml.Knowledge:
        return qnml.Knowledge(required=[("a", "b")], tiers=[["a"], ["b", "c"]])

    def path(self, name: str) -> str:
        return str(self.folder / name)

    def workbook(self) -> str:
        book = openpyxl.Workbook()
        for row in (["a", "b"], [1, "x"], [2, "y"]):
            book.active.append(row)
        book.save(self.folder / "table.xlsx")
        return self.path("table.xlsx")


_SEARCH = {"knowledge": None, "max_parents": 2, "guard": "off", "memory_limit": 1e9, "n_jobs": 1}


def _doors(things: _Things) -> Iterator[Call]:
    table, dag = things.table, things.dag
    search = {**_SEARCH, "knowledge": things.knowledge}
    timed = {**search, "time_limit": 60.0, "progress": False}
    scored = {"score": "bdeu", "n_jobs": 1, "ess": 1.0}
    learning = {"data": table, "score": "bdeu", "method": "exact", "effort": "quick", "ess": 1.0}
    yield Call(
        "learn", qnml.learn, {**learning, **timed, "prior": "auto", "seed": 1, "ties": "canonical", "start": dag}
    )
    yield Call("learn", qnml.learn, {"data": table, "score": "bdq", "method": "order", "effort": "quick", "alpha": 0.5})
    yield Call("learn", qnml.learn, {"data": things.numbers, "score": "bic", "discretize": "joint", "n_jobs": 1})
    raw = {"data": things.frame, "prepare": "strict", "columns": {"a": "category"}, "n_jobs": 1}
    yield Call("learn", qnml.learn, raw)
    holed = {"a": ["x", "y", None, "x", "y", "x"], "b": ["u", "v", "u", "u", "v", "v"]}
    yield Call("learn", qnml.learn, {"data": holed, "missing": "em", "guard": "off", "n_jobs": 1})
    shaped = {"data": table, "shape": "tan", "target": "a", "max_parents": 2, "n_jobs": 1, "device": "cpu"}
    yield Call("learn", qnml.learn, shaped)
    yield Call("plan", qnml.plan, {**learning, **search, "prior": "sparse"})
    yield Call("plan", qnml.plan, shaped)
    listed = qnml.LocalScores({"a": {frozenset(): -1.0, frozenset("b"): -0.5}, "b": {frozenset(): -2.0}})
    yield Call("learn", qnml.learn, {"data": listed, "method": "exact", "time_limit": 60.0, "n_jobs": 1})
    yield Call("k_best", qnml.k_best, {"data": listed, "k": 2, "what": "dags", "n_jobs": 1})
    yield Call("LocalScores", qnml.LocalScores, {"families": dict(listed)})
    of_function = {"function": lambda *_: 0.0, "families": {"a": [["b"], []], "b": [[]]}}
    yield Call("LocalScores.of", qnml.LocalScores.of, of_function)
    named = {"function": lambda *_: 0.0, "families": None, "names": ["a", "b"], "max_parents": 1}
    yield Call("LocalScores.of", qnml.LocalScores.of, named)
    yield Call("LocalScores.total", listed.total, {"parents": {"a": ["b"], "b": []}})
    yield _operator("LocalScores.__getitem__", operator.getitem, listed, "a")
    yield _operator("LocalScores.__contains__", operator.contains, listed, "a")
    result = qnml.learn(listed)
    made = {
        "dag": result.dag,
        "score": -2.5,
        "certificate": result.certificate,
        "local_scores": listed,
        "knowledge": None,
    }
    yield Call(
        "LocalScoreResult",
        qnml.LocalScoreResult,
        {**made, "local_scores": listed, "prior": "uniform", "log_prior": 0.0},
    )
    yield _operator("LocalScores.__eq__", operator.eq, listed, listed)
    yield Call("LocalScoreResult.plot", result.plot, {"path": None})
    yield Call("LocalScoreResult.sentence", result.sentence)
    yield Call("LocalScoreResult.certificate_sentence", result.certificate_sentence)
    many = {"tables": [table, table], "score": ["bdeu", "bic"], "seed": [1, 2], "ties": "random", "ess": 1.0}
    many["prior"] = "auto"
    yield Call("learn_many", qnml.learn_many, {**many, **{k: v for k, v in search.items() if k != "memory_limit"}})
    listing = {"data": table, "k": 2, "score": "bdeu", "what": "dags", "prior": "sparse", "ess": 1.0}
    yield Call("k_best", qnml.k_best, {**listing, **timed})
    drawn = {
        "data": table,
        "replicates": 2,
        "method": "exact",
        "effort": "quick",
        "seed": 1,
        "threshold": 0.5,
        "prior": "auto",
    }
    yield Call("bootstrap", qnml.bootstrap, {**drawn, "score": "ebic", "gamma": 0.5, **timed})
    weighed = {"data": table, "score": "bdeu", "method": "auto", "prior": "uniform", "samples": 5, "seed": 1}
    yield Call("posterior", qnml.posterior, {**weighed, "state": None, "ess": 1.0, **timed})
    chains = {"data": table, "method": "mcmc", "samples": 20, "guard": "off", "n_jobs": 1}
    yield Call("posterior", qnml.posterior, {**chains, "state": dict(things.chains.state or {})})
    shown = {"source": table, "title": "x", "name": "x", "probabilities": "none", "parameters": "ml", "seed": 1}
    shown |= {"path": things.path("page.html"), "commands": ("qnml report x.csv",)}
    yield Call("report", qnml.report, {**shown, **{k: v for k, v in timed.items() if k != "memory_limit"}})
    yield Call("score", qnml.score, {"data": table, "dag": dag, **scored})
    yield Call("explain", qnml.explain, {"data": table, "dag": things.network, "prior": "sparse", **scored})
    yield Call("local_score", qnml.local_score, {"data": table, "child": "a", "parents": ["b", "c"], **scored})
    pair = {"x": "a", "y": ["b"], "given": ["c"], "n_jobs": 1}
    yield Call("independence", qnml.independence, {"data": things.table, **pair})
    yield Call("mutual_information", qnml.mutual_information, {"data": things.table, **pair})
    found = qnml.independence(things.table, "a", "b")
    yield Call("Independence", qnml.Independence, vars(found))
    yield Call("Independence.sentence", found.sentence)
    yield _operator("Independence.__eq__", operator.eq, found, found)
    yield Call("regret", qnml.regret, {"n": [10, 20], "r": [2.0, 3.5], "method": "exact"})
    yield Call("regret_table", qnml.regret_table, {"n": 10, "r": 3})
    yield Call("data_folder", qnml.datasets.data_folder)
    yield Call("names", qnml.datasets.names)
    yield Call("load", qnml.datasets.load, {"name": "asia"})
    yield Call("load_table", qnml.datasets.load_table, {"name": "iris"})
    yield Call("load_network", qnml.datasets.load_network, {"name": "cancer", "memory_limit": 1e9})
    yield Call("sample", qnml.datasets.sample, {"name": "cancer", "n": 5, "seed": 1})


def _files(things: _Things) -> Iterator[Call]:
    table, net = things.table, things.network
    table.to_frame(kind="polars").write_csv(things.path("table.csv"))
    qnml.write_network(net, things.path("net.bif"))
    scores = {"score": "bdeu", "max_parents": 1, "style": "names", "n_jobs": 1, "ess": 1.0}
    qnml.write_local_scores(table, things.path("scores.jkl"), **scores)
    (things.folder / "known.json").write_text('{"required": [["a", "b"]]}')
    (things.folder / "structure.txt").write_text("[a][b|a]")
    yield Call(
        "read_table",
        qnml.read_table,
        {
            "source": things.path("table.csv"),
            "prepare": "auto",
            "columns": {"a": "bins", "b": "category", "c": [0.5]},
            "discretize": "frequency",
            "bins": 3,
            "levels": "declared",
            "missing": "drop",
            "weights": None,
            "separator": ",",
            "decimal": ".",
            "missing_words": ["NA"],
            "encoding": "utf-8",
            "header": True,
            "memory_limit": 1e9,
        },
    )
    things.table.to_frame(kind="polars").write_parquet(things.path("table.parquet"))
    queried = {"source": things.path("table.parquet"), "sql": "SELECT a, b FROM data"}
    yield Call("read_table", qnml.read_table, {**queried, "way": "rows"})
    yield Call("inspect_table", qnml.inspect_table, queried)
    was_set = {"a": [place == 3 for place in range(24)]}
    yield Call("read_table", qnml.read_table, {"source": things.frame, "interventions": was_set})
    yield Call("inspect_table", qnml.inspect_table, {"source": things.frame, "interventions": was_set})
    yield Call("read_table", qnml.read_table, {"source": things.workbook(), "sheet": "Sheet", "header": True})
    yield Call(
        "read_table",
        qnml.read_table,
        {"source": {"a": [1, 2], "b": ["x", "y"]}, "levels": {"a": [1, 2, 3]}, "weights": [1, 2]},
    )
    looked = {"source": things.path("table.csv"), "columns": {"a": "drop"}, "discretize": "width", "bins": 3}
    options = {"missing": "category", "weights": None, "memory_limit": 1e9}
    written = {"separator": ",", "decimal": ".", "missing_words": ["NA"], "encoding": "utf-8", "header": True}
    yield Call("inspect_table", qnml.inspect_table, {**looked, **options, **written})
    yield Call("inspect_table", qnml.inspect_table, {"source": things.workbook(), "sheet": "Sheet", "missing": "em"})
    yield Call(
        "read_network",
        qnml.read_network,
        {"path": things.path("net.bif"), "format": "bif", "names": "identifiers", "memory_limit": None},
    )
    yield Call("write_network", qnml.write_network, {"net": net, "path": things.path("out.json"), "format": "json"})
    yield Call("read_structure", qnml.read_structure, {"source": things.path("structure.txt"), "memory_limit": None})
    yield Call("write_structure", qnml.write_structure, {"graph": net, "path": things.path("out.dot"), "format": "dot"})
    yield Call("read_local_scores", qnml.read_local_scores, {"path": things.path("scores.jkl")})
    yield Call("write_local_scores", qnml.write_local_scores, {"data": table, "path": things.path("out.jkl"), **scores})
    yield Call("write_local_scores", qnml.write_local_scores, {"data": things.result, "path": things.path("out.jkl")})
    yield Call("Knowledge.from_file", qnml.Knowledge.from_file, {"path": things.path("known.json")})
    yield Call("Picture.save", Picture(things.dag).save, {"path": things.path("out.svg")})
    yield Call("Picture", _showing(Picture), {"graph": net, "strengths": {("a", "b"): 1.0}, "tables": True})
    yield Call("HeatMap", HeatMap, {"posterior": things.posterior})
    yield Call("HeatMap.save", HeatMap(things.posterior).save, {"path": things.path("out.png")})


def _graphs(things: _Things) -> Iterator[Call]:
    dag, cpdag = things.dag, things.dag.to_cpdag()
    names, arcs = ["a", "b", "c"], [("a", "b"), ("c", "b")]
    graph = networkx.DiGraph(arcs)
    yield Call("Dag", qnml.Dag, {"names": names, "arcs": arcs})
    yield Call("Dag.from_arcs", qnml.Dag.from_arcs, {"names": names, "arcs": arcs})
    yield Call("Dag.empty", qnml.Dag.empty, {"names": names})
    yield Call("Dag.from_parents", qnml.Dag.from_parents, {"parents": {"a": [], "b": ["a"]}})
    yield Call("Dag.from_masks", qnml.Dag.from_masks, {"names": names, "masks": [0, 1, 0]})
    yield Call("Dag.from_modelstring", qnml.Dag.from_modelstring, {"text": "[a][b|a]"})
    yield Call("Dag.from_networkx", qnml.Dag.from_networkx, {"graph": graph})
    for method in ("parents", "children", "ancestors", "descendants", "markov_blanket", "index"):
        yield Call(f"Dag.{method}", getattr(dag, method), {"name": "b"})
    yield Call("Dag.has_arc", dag.has_arc, {"parent": "a", "child": "b"})
    yield Call("Dag.interventional_class", dag.interventional_class, {"targets": [["a"]]})
    yield Call("Dag.instruments", dag.instruments, {"x": "b", "y": "c", "unobserved": ["a"], "most_given": 1})
    yield Call("Dag.add_arc", dag.add_arc, {"parent": "a", "child": "c"})
    yield Call("Dag.remove_arc", dag.remove_arc, {"parent": "a", "child": "b"})
    yield Call("Dag.reverse_arc", dag.reverse_arc, {"parent": "a", "child": "b"})
    yield Call("Dag.d_separated", dag.d_separated, {"x": ["a"], "y": ["c"], "given": ["b"]})
    yield Call("Dag.is_equivalent", dag.is_equivalent, {"other": dag})
    yield Call("Dag.reorder", dag.reorder, {"names": ["c", "b", "a"]})
    yield Call("Dag.relabel", dag.relabel, {"new_names": {"a": "d"}})
    yield Call("Dag.n_parameters", dag.n_parameters, {"levels": {"a": 2, "b": 2, "c": 3}})
    for method in ("adjacency_matrix", "covered_arcs", "to_cpdag", "to_modelstring", "to_networkx"):
        yield Call(f"Dag.{method}", getattr(dag, method))
    yield Call("Dag.topological_order", dag.topological_order)
    yield Call("Dag.v_structures", dag.v_structures)
    yield _operator("Dag.__eq__", operator.eq, dag, dag)
    yield Call("Cpdag", qnml.Cpdag, {"names": names, "directed": arcs, "undirected": []})
    edges = {"names": names, "directed": [("a", "b")], "undirected": [("b", "c")], "complete": True}
    yield Call("Cpdag.from_edges", qnml.Cpdag.from_edges, edges)
    yield Call("Cpdag.from_dag", qnml.Cpdag.from_dag, {"dag": dag})
    yield Call("Cpdag.from_networkx", qnml.Cpdag.from_networkx, {"graph": graph, "complete": True})
    for method in ("parents", "neighbours", "index"):
        yield Call(f"Cpdag.{method}", getattr(cpdag, method), {"name": "b"})
    yield Call("Cpdag.is_equivalent", cpdag.is_equivalent, {"other": dag})
    yield Call("Cpdag.reorder", cpdag.reorder, {"names": ["c", "b", "a"]})
    for method in ("chain_components", "consistent_extension", "to_networkx"):
        yield Call(f"Cpdag.{method}", getattr(cpdag, method))
    yield _operator("Cpdag.__eq__", operator.eq, cpdag, cpdag)
    mpdag = cpdag.orient([])
    made = {"names": names, "directed": mpdag.directed, "undirected": mpdag.undirected}
    yield Call("Mpdag", qnml.Mpdag, made)
    yield Call("Mpdag.from_edges", qnml.Mpdag.from_edges, {**made, "complete": True})
    yield Call("Mpdag.from_networkx", qnml.Mpdag.from_networkx, {"graph": graph, "complete": True})
    for one in (cpdag, mpdag):
        kind = type(one).__name__
        yield Call(f"{kind}.orient", one.orient, {"arcs": []})
        yield Call(f"{kind}.d_separated", one.d_separated, {"x": "a", "y": "c", "given": ["b"]})
        yield _operator(f"{kind}.__contains__", operator.contains, one, dag)
        yield Call(f"{kind}.to_cpdag", one.to_cpdag)
    for one in (dag, cpdag, mpdag):
        kind = type(one).__name__
        sets = {"x": "a", "y": "c", "criterion": "generalized", "unobserved": ["b"], "most": 3}
        yield Call(f"{kind}.adjustment_sets", one.adjustment_sets, sets)
        yield Call(f"{kind}.plot", one.plot, {"path": None})
        yield Call(f"{kind}.is_valid_adjustment", one.is_valid_adjustment, {"x": "a", "y": "c", "adjusted": ["b"]})
    for method in ("parents", "neighbours", "index"):
        yield Call(f"Mpdag.{method}", getattr(mpdag, method), {"name": "b"})
    yield Call("Mpdag.reorder", mpdag.reorder, {"names": ["c", "b", "a"]})
    for method in ("chain_components", "consistent_extension", "to_networkx"):
        yield Call(f"Mpdag.{method}", getattr(mpdag, method))
    yield _operator("Mpdag.__eq__", operator.eq, mpdag, mpdag)
    yield Call("Knowledge.orient", qnml.Knowledge().orient, {"graph": dag})
    yield Call("sample_class", qnml.sample_class, {"graph": mpdag, "m": 2, "seed": 1})
    yield Call("sid", qnml.sid, {"reference": dag, "other": mpdag})
    yield Call("Sid", qnml.graph.Sid, {"lower": 0, "upper": 1, "is_exact": True})
    yield Call("Agreement", qnml.graph.Agreement, {"precision": 0.5, "recall": None})
    yield Call("shd", qnml.shd, {"a": dag, "b": cpdag, "on": "cpdag"})
    yield Call("compare", qnml.compare, {"reference": dag, "other": dag, "on": "dag"})
    compared = qnml.compare(dag, cpdag)
    yield Call("Comparison.to_frame", compared.to_frame)
    comparison = qnml.compare(dag, dag.remove_arc("a", "b"))
    yield Call("Comparison", qnml.graph.Comparison, dict(vars(comparison)))
    yield _operator("Comparison.__eq__", operator.eq, comparison, comparison)
    yield Call("Edge", qnml.graph.Edge, {"first": "a", "second": "b", "directed": True})
    yield Call("class_size", qnml.class_size, {"graph": dag})
    yield Call("enumerate_class", _listing(qnml.enumerate_class), {"graph": cpdag, "limit": 2})
    yield Call(
        "consistent_extension", qnml.graph.consistent_extension, {"names": names, "directed": arcs, "undirected": []}
    )
    yield Call("all_dags", _listing(qnml.graph.all_dags), {"names": ["a", "b"]})
    yield Call("count_dags", qnml.graph.count_dags, {"n": 4})
    yield Call("count_tournament_networks", qnml.count_tournament_networks, {"n": 5})
    yield Call("is_tournament_union", qnml.graph.is_tournament_union, {"dag": dag})
    yield Call("to_dowhy", qnml.to_dowhy, {"graph": dag})


def _networks(things: _Things) -> Iterator[Call]:
    net, dense, table = things.network, things.dense, things.table
    levels = {name: list(dense.levels[name]) for name in dense.names}
    tables = {name: dense.table(name).tolist() for name in dense.names}
    yield Call(
        "Network",
        qnml.Network,
        {
            "dag": dense.dag,
            "levels": levels,
            "tables": tables,
            "properties": {"name": "n"},
            "parameters": None,
            "preparation": things.preparation,
            "mpdag": dense.dag.to_cpdag().orient([]),
        },
    )
    prepared = qnml.Network(dense.dag, levels, tables, preparation=things.preparation)
    raw = {"a": [1.5, 40.0], "b": ["0", "x"]}
    yield Call("Network.level_of", prepared.level_of, {"name": "a", "value": 54.2})
    yield Call(
        "Network.prepare", prepared.prepare, {"data": raw, "weights": [1, 2], "missing": "drop", "interventions": None}
    )
    yield Call("Network.log_prob", prepared.log_prob, {"data": raw, "unknown": "raise", "n_jobs": 1})
    yield Call("Network.query", prepared.query, {"targets": "b", "evidence": {"a": 54.2}, "do": None})
    limit = {"memory_limit": 1e9}
    asked = {"evidence": {"a": "0"}, "do": {"c": "0"}, "on_unidentified": "warn", **limit}
    yield Call("Network.table", net.table, {"name": "b"})
    yield Call("Network.conditional", net.conditional, {"name": "b"})
    yield Call("Network.factor", net.factor, {"name": "b", "fixed": {"a": 0}})
    rows = {"data": table, "unknown": "uniform", "n_jobs": 1}
    yield Call("Network.log_prob", net.log_prob, rows)
    yield Call("Network.score", net.score, rows)
    yield Call("Network.predict", net.predict, {**rows, "target": "b"})
    yield Call("Network.predict_proba", net.predict_proba, {**rows, "target": "b", "impossible": "nan"})
    yield Call("Network.evaluate", net.evaluate, {**rows, "target": "b"})
    yield Call("Network.update", net.update, {"data": table})
    yield Call("Network.sample", net.sample, {"n": 5, "seed": 1, "n_jobs": 1, **asked})
    soft = {**asked, "likelihood": {"b": {"0": 0.5, "1": 1.0}}}
    yield Call("Network.query", net.query, {"targets": ["b"], "impossible": "raise", **soft})
    yield Call("Network.marginals", net.marginals, {"targets": ["b"], "impossible": "raise", **soft})
    yield Call("Network.row_marginals", net.row_marginals, {**rows, "targets": ["b"], "impossible": "nan", **limit})
    yield Call("Network.most_probable", net.most_probable, {"targets": ["b"], **soft})
    yield Call("Network.k_most_probable", net.k_most_probable, {"k": 2, "targets": ["b"], **soft})
    drawn = {**soft, "samples": 200, "seed": 1, "n_jobs": 1, "targets": ["b"]}
    del drawn["memory_limit"]
    yield Call("Network.sampled_marginals", net.sampled_marginals, drawn)
    yield Call("Network.entropy", net.entropy, {"targets": ["b"], **soft})
    yield Call("Network.mutual_information", net.mutual_information, {"first": ["a"], "second": "b", **soft})
    looked = {"target": "b", "candidates": ["a"], **asked, "evidence": None, "likelihood": None}
    yield Call("Network.value_of_information", net.value_of_information, looked)
    numbers = {"target": "b", "level": "0", "most": 3, **asked, "likelihood": None}
    yield Call("Network.sensitivity", net.sensitivity, numbers)
    yield Call("Network.log_evidence", net.log_evidence, soft)
    yield Call("Network.do", net.do, {"settings": {"a": "0"}, "on_unidentified": "ignore"})
    members = net.dag.to_cpdag().orient([])
    yield Call("Network.with_mpdag", net.with_mpdag, {"mpdag": members})
    learned = net.with_mpdag(members)
    yield Call("Network.effect", learned.effect, {"cause": "a", "target": "b", "memory_limit": 1e9})
    effect = learned.effect("a", "b")
    yield Call("CausalEffect", qnml.CausalEffect, dict(vars(effect)))
    yield Call("EffectVariant", qnml.EffectVariant, dict(vars(effect.variants[0])))
    yield Call("CausalEffect.average", effect.average, {"values": {"0": 1.0, "1": 2.0}})
    numbers = {"to": "1", "baseline": "0", "values": {"0": 1.0, "1": 2.0}}
    yield Call("CausalEffect.average_effect", effect.average_effect, numbers)
    yield _operator("CausalEffect.__getitem__", operator.getitem, net.effect("a", "b"), "0")
    yield Call("CausalEffect.sentence", effect.sentence)
    yield Call("CausalEffect.to_frame", effect.to_frame)
    asked = {"evidence": {"a": "0"}, "do": {"b": "0"}, "memory_limit": 1e9}
    yield Call("Network.class_marginals", net.class_marginals, asked)
    yield Call("Network.plot", _showing(net.plot), {"strengths": {("a", "b"): 1.0}, "tables": True})
    yield Call("Network.allclose", net.allclose, {"other": net, "tolerance": 1e-9})
    yield Call("Network.to_networkx", net.to_networkx)
    yield Call("Network.to_pgmpy", dense.to_pgmpy)
    yield Call("Network.to_pyagrum", dense.to_pyagrum)
    yield _operator("Network.__eq__", operator.eq, net, net)
    chosen = {"parameters": "bpp", "ess": 1.0, "missing": "em", "n_jobs": 1}
    yield Call("fit", qnml.fit, {"data": table, "dag": things.dag, **chosen})
    weights = {("a", "b"): 1.0}
    yield Call(
        "to_networkx",
        qnml.model.to_networkx,
        {"net": net, "tables": True, "weights": weights, "probabilities": weights},
    )
    yield Call("from_pgmpy", qnml.model.from_pgmpy, {"model": dense.to_pgmpy()})
    yield Call("from_pyagrum", qnml.model.from_pyagrum, {"model": dense.to_pyagrum()})
    yield Call("read_dagitty", qnml.model.read_dagitty, {"text": "dag { a -> b }"})
    yield Call("from_networkx", qnml.model.from_networkx, {"graph": qnml.model.to_networkx(dense, tables=True)})
    yield Call("to_pgmpy", qnml.model.to_pgmpy, {"net": dense})
    yield Call("to_pyagrum", qnml.model.to_pyagrum, {"net": dense})
    made = qnml.model.DenseTable([[0.5, 0.5], [0.1, 0.9]])
    yield Call("DenseTable", qnml.model.DenseTable, {"values": [[0.5, 0.5]]})
    yield Call("DenseTable.array", made.array, {"parent_levels": [2]})
    yield Call("DenseTable.sliced", made.sliced, {"parent_levels": [2], "fixed": {0: 1}})
    sparse = net.conditional("b")
    parts = {"configs": sparse.configs, "rows": sparse.rows, "unseen": sparse.unseen, "counts": sparse.counts}
    yield Call("SparseTable", qnml.model.SparseTable, parts)
    yield Call("SparseTable.array", sparse.array, {"parent_levels": [2, 3]})
    yield Call("SparseTable.sliced", sparse.sliced, {"parent_levels": [2, 3], "fixed": {0: 1}})
    yield Call("SparseTable.places", sparse.places, {"parent_levels": [2, 3], "configs": sparse.configs})
    yield Call("SparseTable.rows_of", sparse.rows_of, {"parent_levels": [2, 3], "configs": sparse.configs})
    yield Call("Parameters", qnml.model.Parameters, {"rule": "bpp", "options": {"ess": 1.0}})
    yield _operator("Parameters.__eq__", operator.eq, net.parameters, net.parameters)
    rule = qnml.model.RULES["snml"]
    yield Call("ParameterRule", qnml.model.ParameterRule, dict(vars(rule)))
    yield _operator("ParameterRule.__eq__", operator.eq, rule, rule)


def _results(things: _Things) -> Iterator[Call]:
    result, posterior, table = things.result, things.posterior, things.table
    explanation, plan = result.explanation, qnml.plan(table)
    binning = things.binning
    for one in (result.certificate, binning, explanation, plan, things.k_best, things.k_best[0], things.knowledge):
        yield _operator(f"{type(one).__name__}.__eq__", operator.eq, one, one)
    for one in (
        result,
        result.certificate,
        binning,
        plan,
        explanation,
        things.k_best,
        things.k_best[0],
        posterior,
        things.effect,
        things.bootstrap,
    ):
        yield Call(type(one).__name__, type(one), {key: getattr(one, key) for key in type(one).__dataclass_fields__})
    for one in (result, result.certificate, binning, plan, things.k_best, posterior, things.bootstrap):
        yield Call(f"{type(one).__name__}.sentence", one.sentence)
    yield Call("SearchResult.certificate_sentence", result.certificate_sentence)
    yield Call("SearchResult.fit", result.fit, {"parameters": "bpp", "ess": 1.0})
    yield Call("SearchResult.plot", result.plot, {"path": things.path("found.svg")})
    yield Call("Explanation.plot", result.explanation.plot, {"path": None})
    yield Call("Bootstrap.plot", things.bootstrap.plot, {"path": None})
    yield Call("KBest.plot", things.k_best.plot, {"rank": 1, "path": None})
    for one in (things.bootstrap, things.k_best, result.explanation):
        yield Call(f"{type(one).__name__}.to_frame", one.to_frame, {"kind": "pandas"})
    yield _operator("KBest.__getitem__", operator.getitem, things.k_best, 0)
    yield _operator("Effect.__getitem__", operator.getitem, things.effect, "0")
    yield Call("Effect.sentence", things.effect.sentence)
    yield Call("Posterior.parent_sets", posterior.parent_sets, {"name": "a", "most": 2})
    yield Call("Posterior.top_dags", posterior.top_dags, {"k": 2})
    yield Call("Posterior.top_classes", posterior.top_classes, {"k": 2})
    yield Call("Posterior.ranking_is_proven", posterior.ranking_is_proven, {"what": "dags", "k": 1})
    for one in (posterior, things.chains):
        yield Call("Posterior.sample_dags", one.sample_dags, {"m": 2, "seed": 1})
    averaged = {"parameters": "bpp", "ess": 1.0}
    yield Call(
        "Posterior.predict_log_prob",
        posterior.predict_log_prob,
        {"data": table, "unknown": "uniform", "errors": True, **averaged},
    )
    yield Call("Posterior.effect", posterior.effect, {"cause": "a", "target": "b", **averaged})
    yield Call("Posterior.plot", posterior.plot, {"kind": "graph", "threshold": 0.1})
    yield Call("Posterior.to_frame", posterior.to_frame, {"kind": "polars"})
    yield _operator("Posterior.edge_probabilities", operator.getitem, posterior.edge_probabilities, ("a", "b"))
    yield _operator("Bootstrap.edge_frequencies", operator.getitem, things.bootstrap.edge_frequencies, ("a", "b"))
    yield Call("AnyBut", lambda label: qnml.AnyBut(label), {"label": "0"})
    yield _operator("AnyBut.__eq__", operator.eq, qnml.AnyBut("0"), qnml.AnyBut("0"))
    yield from _marginals(things)
    seen = things.network.query(["a", "b"])
    yield Call("Distribution", qnml.Distribution, {"levels": seen.levels, "values": seen.values})
    yield _operator("Distribution.__getitem__", operator.getitem, seen, ("0", "1"))
    yield _operator("Distribution.__eq__", operator.eq, seen, seen)
    yield Call("Distribution.argmax", seen.argmax)
    yield Call("Distribution.to_dict", seen.to_dict)
    yield Call("Distribution.to_frame", seen.to_frame, {"probability": "p", "kind": "polars"})
    demands = {"required": [("a", "b")], "forbidden": [("b", "c")], "tiers": [["a"], ["b", "c"]]}
    yield Call("Knowledge", qnml.Knowledge, {**demands, "max_parents": {"b": 2}, "roots": ["a"], "leaves": ["b"]})
    known = things.knowledge
    yield Call("Knowledge.admits", known.admits, {"dag": things.dag})
    yield Call("Knowledge.violations", known.violations, {"dag": things.dag})
    yield Call("Knowledge.compile", known.compile, {"names": ["a", "b", "c"], "max_parents": {"b": 2}})
    yield Call("Knowledge.with_leaves", known.with_leaves, {"names": ["c"]})
    yield Call("Knowledge.to_dict", known.to_dict)
    yield Call("Knowledge.from_expert_knowledge", qnml.Knowledge.from_expert_knowledge, {"knowledge": _Expert()})


def _marginals(things: _Things) -> Iterator[Call]:
    net = things.network
    one, rows = net.marginals(), net.row_marginals(things.table)
    parts = {"levels": {"a": ["0", "1"]}, "values": [0.5, 0.5], "log_evidence": 0.0}
    yield Call("Marginals", qnml.Marginals, parts)
    yield Call("RowMarginals", qnml.RowMarginals, {**parts, "values": [[0.5, 0.5]], "log_evidence": [0.0]})
    for name, found in (("Marginals", one), ("RowMarginals", rows)):
        yield _operator(f"{name}.__getitem__", operator.getitem, found, "a")
        yield _operator(f"{name}.__eq__", operator.eq, found, found)
        yield Call(f"{name}.to_frame", found.to_frame, {"kind": "polars"})
    yield Call("Marginals.values_of", one.values_of, {"name": "a"})
    yield Call("RowMarginals.labels", rows.labels, {"name": "a"})


class _Expert:
    """Background knowledge as pgmpy's expert knowledge."""

    required_edges = (("a", "b"),)


def _tables(things: _Things) -> Iterator[Call]:
    table = things.table
    codes = {"columns": [[0, 1, 1], [0, 0, 1]], "names": ["a", "b"], "levels": [["x", "y"], 2], "weights": [1, 2, 3]}
    yield Call("Table", qnml.Table.from_codes, codes)
    yield Call("Table.from_codes", qnml.Table.from_codes, codes)
    yield Call("Table.from_codes", qnml.Table.from_codes, {"columns": {"a": [0, 1]}, "levels": {"a": ["x", "y"]}})
    for method in ("index", "codes", "labels"):
        yield Call(f"Table.{method}", getattr(table, method), {"name": "a"})
    yield Call("Table.select", table.select, {"names": ["b", "a"]})
    yield Call("Table.take", table.take, {"rows": [0, 1, 2]})
    yield Call("Table.with_levels", table.with_levels, {"levels": {"a": ["1", "0", "z"]}})
    yield Call("Table.with_weights", table.with_weights, {"weights": [1] * table.n_rows})
    yield Call("Table.with_missing_level", table.with_missing_level)
    yield Call("Table.with_observed_levels", table.with_observed_levels)
    yield Call("Table.merged", table.merged)
    yield Call("Table.to_frame", table.merged().to_frame, {"weights": "w", "interventions": "i", "kind": "polars"})
    yield _operator("Table.__eq__", operator.eq, table, table)
    set_rows = [place == 3 for place in range(table.n_rows)]
    yield Call("Table.with_interventions", table.with_interventions, {"interventions": {"a": set_rows}})
    yield Call("Table.observational", table.with_interventions({"a": set_rows}).observational)
    table.to_frame(kind="polars").write_parquet(things.path("planned.parquet"))
    planned = {"source": things.path("planned.parquet"), "sql": "SELECT a, b FROM data", "way": "auto"}
    how = {"prepare": "auto", "columns": {"a": "category"}, "discretize": "nml", "bins": 3, "missing": "em"}
    yield Call("plan_reading", qnml.plan_reading, {**planned, **how, "weights": None, "memory_limit": 1e9})
    plan = qnml.plan_reading(**planned)
    yield Call("ReadingPlan", qnml.ReadingPlan, {name: getattr(plan, name) for name in plan.__dataclass_fields__})
    yield Call("ReadingPlan.sentence", plan.sentence)
    yield _operator("ReadingPlan.__eq__", operator.eq, plan, plan)
    yield from _preparations()
    yield Call("Columnwise", Columnwise, {"names": ["a", "b"], "entries": [1, 2]})
    yield _operator("Columnwise.__getitem__", operator.getitem, table.arities, "a")
    yield Call("Columnwise.as_dict", table.arities.as_dict)


def _preparations() -> Iterator[Call]:
    raw = {"x": [1.5, 2.5, 3.5, None, 5.5, 6.5], "y": ["a", "b", "a", "b", None, "a"], "z": [1] * 6}
    made = qnml.read_table(raw, prepare="auto", missing="indicator").preparation
    column = made.columns["x"]
    yield Call("Preparation", qnml.Preparation, {"columns": [*made.columns], **_counts(made), "notes": ["read"]})
    yield Call("Preparation.to_frame", made.to_frame)
    yield Call("Preparation.apply", made.apply, {"source": raw, "weights": [1] * 6})
    yield Call("Preparation.restricted", made.restricted, {"names": ["y"]})
    yield Call("Preparation.with_levels", made.with_levels, {"levels": {"y": ["a", "b", "c"]}})
    yield Call("Preparation.with_missing_labels", made.with_missing_labels, {"labels": {"y": "?"}})
    yield Call("Preparation.to_dict", made.to_dict)
    yield Call("Preparation.from_dict", qnml.Preparation.from_dict, {"document": made.to_dict()})
    yield _operator("Preparation.__eq__", operator.eq, made, made)
    yield Call("ColumnPreparation", qnml.ColumnPreparation, vars(column))
    yield Call("ColumnPreparation", qnml.ColumnPreparation, vars(made.columns["x is missing"]))
    yield Call("ColumnPreparation.with_levels", column.with_levels, {"levels": ["a", "b"]})
    yield Call("ColumnPreparation.with_missing_label", column.with_missing_label, {"label": "?"})
    yield Call("ColumnPreparation.to_dict", column.to_dict)
    yield Call("ColumnPreparation.from_dict", qnml.ColumnPreparation.from_dict, {"fields": column.to_dict()})
    yield _operator("ColumnPreparation.__eq__", operator.eq, column, column)


def _counts(preparation: qnml.Preparation) -> dict[str, Any]:
    return {name: getattr(preparation, name) for name in ("missing", "n_rows", "n_kept")}


def _estimators(things: _Things) -> Iterator[Call]:
    frame, y = things.frame, things.frame["c"].to_numpy()
    X = frame[["a", "b"]]
    numbers = pd.DataFrame({"u": np.linspace(0, 1, 24), "v": np.arange(24) % 5})
    for cls in (qnml.sklearn.BayesNet, qnml.sklearn.BayesNetClassifier, qnml.sklearn.MarkovBlanketSelector):
        options = {name: one.default for name, one in inspect.signature(cls).parameters.items()}
        needs = {} if cls is qnml.sklearn.BayesNet else {"y": y}
        yield Call(cls.__name__, _Fitted(cls, X, needs), options, follows_sklearn=True)
        fitted = cls(guard="off").fit(X, **needs)
        weighted = {"X": X, "y": y, "sample_weight": np.ones(24, dtype=int)}
        yield Call(f"{cls.__name__}.fit", cls(guard="off").fit, weighted, follows_sklearn=True)
        for method in ("predict", "predict_proba", "predict_log_proba", "score_samples", "score", "transform"):
            if f"{cls.__name__}.{method}" in public_names():
                rows = {"X": X, "y": y} if method == "score" else {"X": X}
                yield Call(f"{cls.__name__}.{method}", getattr(fitted, method), rows, follows_sklearn=True)
        if hasattr(fitted, "sample"):
            yield Call(f"{cls.__name__}.sample", fitted.sample, {"n_samples": 3}, follows_sklearn=True)
    cut = {"method": "cuts", "bins": 3, "cuts": {"u": [0.2, 0.5]}}
    yield Call("Discretizer", _Fitted(qnml.Discretizer, numbers, {}), cut, follows_sklearn=True)
    yield Call(
        "Discretizer",
        _Fitted(qnml.Discretizer, numbers, {}),
        {"method": "frequency", "bins": 3, "cuts": None},
        follows_sklearn=True,
    )
    nml = {"method": "nml", "precision": 0.01}
    yield Call("Discretizer", _Fitted(qnml.Discretizer, numbers, {}), nml, follows_sklearn=True)
    yield Call("Discretizer.fit", qnml.Discretizer().fit, {"X": numbers, "y": None}, follows_sklearn=True)
    ready = qnml.Discretizer().fit(numbers)
    yield Call("Discretizer.transform", ready.transform, {"X": numbers}, follows_sklearn=True)
    yield Call(
        "Discretizer.get_feature_names_out", ready.get_feature_names_out, {"input_features": None}, follows_sklearn=True
    )


@dataclass(frozen=True)
class _Fitted:
    """Making an estimator and fitting it: by scikit-learn's convention only the latter looks at what was given."""

    cls: Callable[..., Any]
    X: Any
    needs: dict[str, Any]

    def __call__(self, **options: Any) -> Any:
        return self.cls(**options).fit(self.X, **self.needs)


def _listing(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that returns an iterator, run to its end: errors may come late."""

    @wraps(function)
    def listed(*positional: Any, **named: Any) -> list[Any]:
        return list(function(*positional, **named))

    return listed


def _showing(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that returns a picture, together with drawing it: pictures are drawn when they are displayed."""

    @wraps(function)
    def shown(*positional: Any, **named: Any) -> str:
        return str(function(*positional, **named)._repr_html_())

    return shown


def _operator(name: str, function: Callable[..., Any], one: Any, other: Any) -> Call:
    return Call(name, lambda **given: function(one, *given.values()), {"other": other})
