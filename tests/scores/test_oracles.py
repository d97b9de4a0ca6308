"""Scores of whole networks against values computed by an independent program.

`scores.csv` holds, for samples of three networks and four graphs each, the textbook value with exact regret
(`exact_reference`). The rows whose score ends in `_bnlearn_regret` use the regret of bnlearn 5.2.1, which is
exact up to 1000 rows and 100 levels and else the smaller of the two approximations: they are put together
here from our counts and our approximations.
"""

from __future__ import annotations

import csv
import functools
import json
import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from qnml._api.scoring import score
from qnml.counts import MemoryCounts
from qnml.data import Table
from qnml.graph import Dag
from qnml.scores import regret

if TYPE_CHECKING:
    from pathlib import Path

NAMES = {
    "bde1": ("bdeu", {"ess": 1}),
    "bde10": ("bdeu", {"ess": 10}),
    "bds1": ("bds", {"ess": 1}),
    "bds10": ("bds", {"ess": 10}),
    **{name: (name, {}) for name in ("aic", "bdj", "bic", "fnml", "k2", "loglik", "qnml")},
}
APPROXIMATE = "_bnlearn_regret"


class Oracles:
    """The files of the folder, each read once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.networks = json.loads((folder / "dags.json").read_text())["networks"]
        with (folder / "scores.csv").open(newline="") as file:
            self.rows = list(csv.DictReader(file))

    @functools.cache  # noqa: B019 — one object per session
    def table(self, network: str, size: str, levels: str) -> Table:
        codes = np.loadtxt(self.folder / "data" / f"{network}_N{size}.csv", delimiter=",", skiprows=1, dtype=np.int64)
        about = self.networks[network]
        table = Table.from_codes(codes, names=about["variables"], levels=about["states"])
        return table if levels == "declared" else table.with_observed_levels()

    @functools.cache  # noqa: B019
    def dag(self, network: str, name: str) -> Dag:
        return Dag.from_parents(self.networks[network]["dags"][name])


@pytest.fixture(scope="module")
def oracles(oracles_folder: Path) -> Oracles:
    return Oracles(oracles_folder)


def with_regret_of_bnlearn(table: Table, dag: Dag, quotient: bool) -> float:
    def price(n: int, r: int) -> float:
        if n <= 1000 and r <= 100:
            return regret(n, r)
        return min(regret(n, r, "szpankowski"), regret(n, r, "szpankowski-weinberger"))

    counts = MemoryCounts(table)
    total = 0.0
    for name in dag.names:
        child, parents = table.index(name), [table.index(parent) for parent in dag.parents(name)]
        cells = counts.family_counts(child, parents)[1]
        joint, marginal = cells[cells > 0], cells.sum(axis=1)
        total += math.fsum(joint * np.log(joint)) - math.fsum(marginal * np.log(marginal))
        r, q = table.arities[child], math.prod(table.arities[p] for p in parents)
        if quotient:
            total -= price(table.total, r * q) - price(table.total, q)
        else:
            total -= math.fsum(price(int(n), r) for n in marginal)
    return total


@pytest.mark.parametrize("name", [*NAMES, "fnml" + APPROXIMATE, "qnml" + APPROXIMATE])
def test_every_row(oracles: Oracles, name: str) -> None:
    rows = [row for row in oracles.rows if row["score"] == name]
    # 3 networks, 4 sizes, 4 graphs, declared and observed levels.
    assert len(rows) == 96
    for row in rows:
        table = oracles.table(row["network"], row["N"], row["levels"])
        dag = oracles.dag(row["network"], row["dag"])
        if name.endswith(APPROXIMATE):
            value = with_regret_of_bnlearn(table, dag, quotient=name.startswith("qnml"))
        else:
            known, parameters = NAMES[name]
            value = score(table, dag, known, n_jobs=1, **parameters)
        assert value == pytest.approx(float(row["exact_reference"]), rel=1e-12, abs=1e-12), row


def test_no_score_is_left_out(oracles: Oracles) -> None:
    assert {row["score"].removesuffix(APPROXIMATE) for row in oracles.rows} == set(NAMES)
