"""Readers of networks: a network that was read survives writing and reading again, and can be used."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

import qnml
from fuzz.reader import Reader
from qnml.errors import QnmlError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["NETWORK_READERS"]

_MOST_VARIABLES, _MOST_CELLS, _ROWS = 30, 5_000, 20


def _network_check(ending: str) -> Callable[[bytes, Path], None]:
    def check(content: bytes, folder: Path) -> None:
        path = folder / f"input.{ending}"
        path.write_bytes(content)
        net = qnml.read_network(path)
        for kind in {ending, "json"}:
            _check_round_trip(net, folder / f"again.{kind}")
        _compute(net)

    return check


def _check_round_trip(net: qnml.Network, path: Path) -> None:
    try:
        qnml.write_network(net, path)
    except QnmlError:
        return  # the format cannot hold this network
    again = qnml.read_network(path)
    assert again.dag == net.dag or path.suffix == ".uai", "the structure changes when it is written and read"
    if path.suffix == ".json":
        assert again == net, "the network changes when it is written and read"
        assert again.preparation == net.preparation, "the preparation changes when it is written and read"
    elif path.suffix != ".uai":
        for name in net.names:
            assert list(map(str, again.levels[name])) == list(map(str, net.levels[name]))
        assert (again.preparation is None) == (net.preparation is None), "the preparation is lost"


def _compute(net: qnml.Network) -> None:
    if not 0 < len(net.names) <= _MOST_VARIABLES:
        return
    cells = (math.prod(len(net.levels[one]) for one in (name, *net.dag.parents(name))) for name in net.names)
    if max(cells) > _MOST_CELLS:
        return
    table = net.sample(_ROWS, seed=1)
    assert len(table) == _ROWS
    assert (net.log_prob(table, n_jobs=1) <= 1e-9).all(), "a row that was drawn has no probability"
    assert np.isfinite(qnml.score(table, net, n_jobs=1))
    if net.preparation is not None:
        _prepare(net, table, net.preparation)


def _prepare(net: qnml.Network, table: qnml.Table, preparation: qnml.Preparation) -> None:
    assert net.prepare(table) == table, "rows of levels change when they are prepared"
    raw = {column.name: [*(column.cuts or ()), 0.5, None, "x"][:3] for column in preparation.columns}
    shares = net.predict_proba({name: list(map(str, cells)) for name, cells in raw.items()}, net.names[0], n_jobs=1)
    assert shares.shape == (3, len(net.levels[net.names[0]]))
    for column in preparation.columns:
        for cut in column.cuts or ():
            if column.name in net.levels:
                _check_value(net, column, cut)


def _check_value(net: qnml.Network, column: qnml.ColumnPreparation, cut: float) -> None:
    try:
        level = net.level_of(column.name, cut)
    except UnknownNameError:
        return  # the network has fewer levels than bins
    assert str(level) in map(str, (*(column.bins or ()), *net.levels[column.name]))


def _check_modelstring(content: bytes, folder: Path) -> None:
    path = folder / "input.txt"
    path.write_bytes(content)
    dag, _ = qnml.read_structure(path)
    again = qnml.Dag.from_modelstring(dag.to_modelstring())
    assert set(again.names) == set(dag.names), "names change when a structure is written and read"
    assert set(again.arcs) == set(dag.arcs), "the structure changes when it is written and read"
    if len(dag.names) <= _MOST_VARIABLES:
        assert qnml.shd(dag, dag) == 0


def _check_dagitty(content: bytes, folder: Path) -> None:
    graph = qnml.model.read_dagitty(content.decode("utf-8", "replace"))
    path = folder / "again.dagitty"
    try:
        qnml.write_structure(graph, path)
    except QnmlError:
        return  # a name that dagitty cannot hold
    assert qnml.model.read_dagitty(path.read_text(encoding="utf-8")) == graph, "the graph changes when it is read again"


NETWORK_READERS = (
    Reader("bif", _network_check("bif")),
    Reader("json", _network_check("json"), "json"),
    Reader("xmlbif", _network_check("xmlbif")),
    Reader("net", _network_check("net")),
    Reader("dsc", _network_check("dsc")),
    Reader("xdsl", _network_check("xdsl")),
    Reader("uai", _network_check("uai")),
    Reader("modelstring", _check_modelstring),
    Reader("dagitty", _check_dagitty),
)
