"""Optima of the paper's small data sets, as its authors discretised them.

The values are those of the authors' program bene, from the files of its own regression tests
(https://github.com/tomisilander/bene, tests/regression/expected/<data>/<score>/stdout.txt, printed to three
decimals), and the qNML networks beside them (net.txt). bene approximates the regret of more than 100 cells,
but no family of these optima has that many.
"""

from __future__ import annotations

import pytest
from reference.exact import best_network

import qnml

SETS = {"iris": 5, "liver": 7, "ecoli": 8}
BENE = [
    ("iris", "bic", {}, -465.435),
    ("iris", "aic", {}, -425.685),
    ("iris", "hqc", {}, -442.197),
    ("iris", "fnml", {}, -450.901),
    ("iris", "qnml", {}, -448.697),
    ("iris", "bdeu", {"ess": 0.5}, -457.880),
    ("iris", "bdeu", {"ess": 1}, -452.214),
    ("iris", "bdeu", {"ess": 2}, -449.710),
    ("iris", "bdq", {"alpha": 1}, -464.491),
    ("liver", "bic", {}, -1321.963),
    ("liver", "aic", {}, -1262.216),
    ("liver", "hqc", {}, -1287.472),
    ("liver", "fnml", {}, -1299.383),
    ("liver", "qnml", {}, -1305.010),
    ("liver", "bdeu", {"ess": 0.5}, -1320.609),
    ("liver", "bdeu", {"ess": 1}, -1309.673),
    ("liver", "bdeu", {"ess": 2}, -1302.292),
    ("liver", "bdq", {"alpha": 1}, -1320.676),
    ("ecoli", "bic", {}, -1778.743),
    ("ecoli", "aic", {}, -1599.910),
    ("ecoli", "hqc", {}, -1674.610),
    ("ecoli", "fnml", {}, -1643.643),
    ("ecoli", "qnml", {}, -1672.799),
    ("ecoli", "bdeu", {"ess": 0.5}, -1750.347),
    ("ecoli", "bdeu", {"ess": 1}, -1715.923),
    ("ecoli", "bdeu", {"ess": 2}, -1686.984),
    ("ecoli", "bdq", {"alpha": 1}, -1735.937),
]


# Parent and child, by the number of the variable.
BENE_NETWORKS = {
    "iris": [(1, 0), (2, 0), (4, 2), (1, 3), (3, 4)],
    "liver": [(5, 0), (6, 1), (3, 2), (3, 4), (3, 5), (5, 6)],
    "ecoli": [(7, 1), (7, 2), (2, 3), (7, 4), (6, 5), (7, 5), (7, 6), (0, 7)],
}


@pytest.fixture(scope="module")
def tables(data_folder) -> dict[str, qnml.Table]:
    return {name: qnml.read_table(data_folder / "uci" / "authors" / f"{name}.vd") for name in SETS}


@pytest.mark.parametrize(
    ("name", "score", "parameters", "optimum"),
    BENE,
    ids=[f"{name}-{score}-{'-'.join(map(str, parameters.values()))}" for name, score, parameters, _ in BENE],
)
def test_optima_of_bene(name, score, parameters, optimum, tables, checked_learn) -> None:
    result = checked_learn(tables[name], score, **parameters)
    assert result.certificate.optimal
    assert result.score == pytest.approx(optimum, abs=0.0006)


@pytest.mark.parametrize("name", SETS)
def test_networks_of_bene(name, tables, checked_learn) -> None:
    table = tables[name]
    names = table.names
    theirs = qnml.Dag.from_arcs(names, [(names[parent], names[child]) for parent, child in BENE_NETWORKS[name]])
    result = checked_learn(table)
    assert result.certificate.ties is False
    assert result.dag.is_equivalent(theirs)


@pytest.mark.parametrize("score", ["qnml", "fnml", "bdeu", "bic"])
@pytest.mark.parametrize("name", SETS)
def test_optima_of_the_plain_dynamic_programme(name, score, tables, local_of, checked_learn) -> None:
    table = tables[name]
    assert len(table.names) == SETS[name]
    best, _ = best_network(len(table.names), local_of(table, score))
    assert checked_learn(table, score).score == pytest.approx(best, rel=1e-12)
