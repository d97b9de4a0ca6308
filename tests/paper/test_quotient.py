"""Appendix D against scores of tables with one more row, and log-gammas written out."""

import math
from collections import Counter

import numpy as np
import polars as pl
import pytest

from qnml import Dag, Table, enumerate_class, score
from qnml.paper import quotient
from qnml.paper.subjects import load_dataset
from qnml.paper.summary import summarize


@pytest.fixture(scope="module")
def raw():
    return quotient.run_chunk("all", 0, 1, 0)


def values(raw, alpha, quantity):
    return raw.filter((pl.col("alpha") == alpha) & (pl.col("quantity") == quantity))["value"].to_numpy()


def test_there_are_185_classes_of_543_networks(raw):
    members = values(raw, 0.5, "members")
    assert len(members) == 185
    assert members.sum() == 543


def test_everything_that_should_sums_to_one(raw):
    for alpha in quotient.ALPHAS:
        for quantity in raw["quantity"].unique():
            if quantity not in ("log_score", "members"):
                assert values(raw, alpha, quantity).sum() == pytest.approx(1.0, abs=1e-12)


def test_predictive_is_the_score_of_one_more_row():
    iris = load_dataset("iris")
    table = iris.select(iris.names[:4])
    dag = Dag.from_arcs(table.names, [(table.names[0], table.names[2]), (table.names[3], table.names[2])])
    before = score(table, dag, "bdq", alpha=0.3)
    ratios = []
    for cell in np.ndindex(3, 3, 3, 3):
        columns = [np.append(column, level) for column, level in zip(table.columns, cell, strict=True)]
        longer = Table.from_codes(columns, names=table.names, levels=[3] * 4)
        ratios.append(math.exp(score(longer, dag, "bdq", alpha=0.3) - before))
    assert quotient.predictive(table, dag, 0.3) == pytest.approx(np.array(ratios) / sum(ratios), rel=1e-9)
    # BDq is a quotient whose denominator is not one.
    assert abs(sum(ratios) - 1.0) > 0.01


def test_predictive_is_the_same_for_the_whole_class():
    iris = load_dataset("iris")
    table = iris.select(iris.names[:4])
    a, b, c, d = table.names
    chain = Dag.from_arcs(table.names, [(a, b), (b, c), (c, d)])
    found = [quotient.predictive(table, dag, 0.5) for dag in enumerate_class(chain)]
    assert len(found) == 4
    for one in found[1:]:
        assert one == pytest.approx(found[0], rel=1e-12)


def _program_score(table, dag, alpha):
    """BDq with parent configurations that never occur left out of the sum over cells, all others as in the paper."""
    total, n = 0.0, table.n_rows
    for child, name in enumerate(dag.names):
        parents = [dag.index(parent) for parent in dag.parents(name)]
        configurations = list(zip(*(table.columns[p] for p in parents), strict=True)) if parents else [()] * n
        seen = Counter(configurations)
        cells = Counter(zip(configurations, table.columns[child], strict=True))
        q, r = 3 ** len(parents), 3
        total += math.lgamma(q * r * alpha) + math.lgamma(n + q * alpha)
        total -= math.lgamma(q * alpha) + math.lgamma(n + q * r * alpha)
        total += sum(math.lgamma(alpha + cells[config, level]) for config in seen for level in range(r))
        total -= sum(math.lgamma(alpha + count) for count in seen.values())
        total -= q * (r - 1) * math.lgamma(alpha)
    return total


def test_the_program_reading_is_the_sum_over_seen_configurations(raw):
    iris = load_dataset("iris")
    table = iris.select(iris.names[:4])
    names = raw.filter((pl.col("alpha") == 0.2) & (pl.col("quantity") == "log_score"))["name"]
    scores = np.array([_program_score(table, Dag.from_modelstring(name).reorder(table.names), 0.2) for name in names])
    weights = np.exp(scores - scores.max())
    assert values(raw, 0.2, "posterior_program") == pytest.approx(weights / weights.sum(), rel=1e-8)


def test_winners_change_where_the_paper_says_with_the_program_only(raw):
    summary = summarize("appendix-d", {"quotient": raw})
    verdicts = {finding.statement: finding.holds for finding in summary.findings}
    start = "BDq selects different networks for α = 0.2, 0.3 and 0.5"
    assert verdicts[f"{start} (as programmed)."] is True
    assert verdicts[f"{start} (uniform over classes)."] is False
    assert verdicts[f"{start} (uniform over networks)."] is False
    winners = summary.tables[0].extra_columns["winner, uniform over classes"]
    assert len(set(winners)) == 3
