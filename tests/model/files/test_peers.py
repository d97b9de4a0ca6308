"""Our files read by pyAgrum and pgmpy, and their files read by us: the networks must be the same.

Known to differ, and therefore not compared: for variables with several parents pyAgrum takes the first parent as the
fastest in XDSL and UAI, against GeNIe's files and the competition's page; pgmpy has the variable itself slowest in UAI.
"""

import gzip
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from reference.peers import peer
from reference.preparations import entry

from qnml import Preparation
from qnml.model import Network, read_network, write_network

PYAGRUM = ["asia", "sachs", "insurance", "alarm", "hailfinder", "barley", "link", "munin"]
PGMPY = ["alarm", "asia", "cancer", "child", "earthquake", "hailfinder", "insurance", "sachs", "survey", "win95pts"]
# It takes seconds for each of these.
SLOW_FOR_PGMPY = ["andes", "barley", "diabetes", "hepar2", "link", "mildew", "munin", "munin1", "munin2", "munin3"]
SLOW_FOR_PGMPY += ["munin4", "pathfinder", "pigs", "water"]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Read without their warnings and without ours about rounded rows, which we rescale."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def difference(one: Network, other: Network) -> float:
    """The largest difference of two networks that may list variables, parents and levels in other orders."""
    assert set(one.names) == set(other.names)
    worst = 0.0
    for name in one.names:
        family, theirs = (*one.dag.parents(name), name), (*other.dag.parents(name), name)
        assert set(family) == set(theirs)
        turned = np.transpose(other.table(name), [theirs.index(member) for member in family])
        codes = [[other.levels[member].index(label) for label in one.levels[member]] for member in family]
        worst = max(worst, float(np.abs(one.table(name) - turned[np.ix_(*codes)]).max()))
    return worst


def from_pyagrum(bn: Any, net: Network, *, numbered: bool = False, reverse: bool = False) -> float:
    """The largest difference from a network of pyAgrum; its tables have their first variable fastest."""
    called = {name: bn.variable(i).name() if numbered else name for i, name in enumerate(net.names)}
    worst = 0.0
    for name in net.names:
        cpt = bn.cpt(called[name])
        given = net.dag.parents(name)
        axes = list(reversed(cpt.names))
        values = np.array(cpt.toarray()).reshape([cpt.variable(axis).domainSize() for axis in axes])
        found = np.transpose(values, [axes.index(called[member]) for member in (*given, name)])
        if reverse:  # what they read as the slowest parent is our fastest
            sizes = [len(net.levels[parent]) for parent in given]
            rows = np.moveaxis(found, -1, 0).reshape(len(net.levels[name]), -1, order="F")
            found = np.moveaxis(rows.reshape(-1, *sizes), 0, -1)
        worst = max(worst, float(np.abs(net.table(name) - found).max()))
        if not numbered:
            assert tuple(bn.variable(called[name]).labels()) == net.levels[name]
    return worst


@pytest.mark.parametrize("name", PYAGRUM)
def test_pyagrum_reads_our_files_and_we_read_its(data_folder: Path, tmp_path: Path, name: str) -> None:
    gum = peer("pyagrum")
    net = read_network(data_folder / "networks" / f"{name}.bif.gz")
    for ending, tolerance in ((".bif", 1e-7), (".bifxml", 1e-12), (".net", 1e-7)):
        write_network(net, tmp_path / f"ours{ending}")
        bn = gum.loadBN(str(tmp_path / f"ours{ending}"))
        assert from_pyagrum(bn, net) <= tolerance
        try:
            gum.saveBN(bn, str(tmp_path / f"theirs{ending}"))
        except gum.GumException:
            assert ending == ".bif"  # it refuses some labels there
            continue
        # It writes six digits.
        assert difference(net, read_network(tmp_path / f"theirs{ending}")) <= 2e-6


@pytest.mark.parametrize("name", ["asia", "sachs", "alarm"])
def test_pyagrum_has_parents_the_other_way_round_in_xdsl_and_uai(data_folder: Path, tmp_path: Path, name: str) -> None:
    gum = peer("pyagrum")
    net = read_network(data_folder / "networks" / f"{name}.bif.gz")
    for ending in (".xdsl", ".uai"):
        write_network(net, tmp_path / f"ours{ending}")
        bn = gum.loadBN(str(tmp_path / f"ours{ending}"))
        assert from_pyagrum(bn, net, numbered=ending == ".uai", reverse=True) <= 1e-7


def same_as_pgmpy(net: Network, model: Any) -> bool:
    """Whether all tables of a pgmpy model, with their rows divided by their sums, are ours."""
    for variable in net.names:
        cpd = model.get_cpds(variable)
        family = (*net.dag.parents(variable), variable)
        values = np.transpose(cpd.values, [cpd.variables.index(member) for member in family])
        codes = [[cpd.state_names[m].index(label) for label in net.levels[m]] for m in family]
        theirs = values[np.ix_(*codes)]
        if not np.allclose(theirs / theirs.sum(axis=-1, keepdims=True), net.table(variable), rtol=1e-14, atol=0.0):
            return False
    return set(model.nodes) == set(net.names)


@pytest.mark.parametrize("name", [*PGMPY, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW_FOR_PGMPY)])
def test_pgmpy_reads_published_networks_as_we_do(data_folder: Path, tmp_path: Path, name: str) -> None:
    packed = data_folder / "networks" / f"{name}.bif.gz"
    plain = tmp_path / f"{name}.bif"
    plain.write_bytes(gzip.decompress(packed.read_bytes()))
    assert same_as_pgmpy(read_network(packed), peer("pgmpy.readwrite").BIFReader(str(plain)).get_model())


@pytest.mark.parametrize("name", ["asia", "survey", "sachs"])
def test_pgmpy_reads_our_files_and_we_read_its(data_folder: Path, tmp_path: Path, name: str) -> None:
    files = peer("pgmpy.readwrite")
    net = read_network(data_folder / "networks" / f"{name}.bif.gz")
    for ending, kind in ((".bif", "BIF"), (".xmlbif", "XMLBIF"), (".net", "NET"), (".xdsl", "XDSL")):
        ours, theirs = tmp_path / f"ours{ending}", tmp_path / f"theirs{ending}"
        write_network(net, ours)
        model = getattr(files, f"{kind}Reader")(str(ours)).get_model()
        assert same_as_pgmpy(net, model)
        getattr(files, f"{kind}Writer")(model).write(str(theirs))
        # NET files of pgmpy have eight digits.
        assert difference(net, read_network(theirs)) <= (1e-8 if kind == "NET" else 1e-15)


def test_other_programs_read_files_with_a_preparation(data_folder: Path, tmp_path: Path) -> None:
    gum, files = peer("pyagrum"), peer("pgmpy.readwrite")
    plain = read_network(data_folder / "networks" / "asia.bif.gz")
    odd = 'a; variable "b" { x } // c /* d */ probability ( a | b ) <k> & % é\n'
    columns = [entry(odd, "drop"), entry("smoke", "keep", levels=plain.levels["smoke"], missing_label=odd)]
    tables = {name: plain.table(name) for name in plain.names}
    net = Network(plain.dag, plain.levels, tables, preparation=Preparation(columns))
    for ending, kind in ((".bif", "BIF"), (".bifxml", "XMLBIF"), (".net", "NET"), (".xdsl", "XDSL")):
        path = tmp_path / f"ours{ending}"
        write_network(net, path)
        assert read_network(path).preparation == net.preparation
        assert same_as_pgmpy(net, getattr(files, f"{kind}Reader")(str(path)).get_model())
        assert from_pyagrum(gum.loadBN(str(path)), net, reverse=ending == ".xdsl") <= 1e-7
