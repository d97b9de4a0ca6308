"""The experiment on prediction, against parameters counted by hand."""

import math
from collections import Counter

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from qnml import enumerate_class, learn
from qnml.paper import prediction
from qnml.paper.criteria import CRITERIA
from qnml.paper.seeds import generator
from qnml.paper.subjects import load_dataset


@pytest.fixture(scope="module")
def found():
    return prediction.run_chunk("iris", 0, 3, 4)


def test_chunks_do_not_matter(found):
    apart = [prediction.run_chunk("iris", first, first + 1, 4) for first in range(3)]
    assert_frame_equal(found, pl.concat(apart))


def test_rows_are_the_learnings_told(found):
    assert len(found) == prediction.learnings("iris", 3) == 3 * 9 * 4
    assert dict(found.schema) == prediction.SCHEMA
    assert (found["n_train"] + found["n_test"] == 150).all()
    assert found["n_train"].unique(maintain_order=True).to_list() == [15, 30, 45, 60, 75, 90, 105, 120, 135]


def mean_log_prob(dag, train, test, criterion):
    """The paper's two formulas, with counts in plain dictionaries."""
    total = 0.0
    for child, name in enumerate(dag.names):
        parents = [dag.index(parent) for parent in dag.parents(name)]
        seen = Counter((tuple(row[p] for p in parents), row[child]) for row in train)
        for row in test:
            counts = [seen[tuple(row[p] for p in parents), level] for level in range(3)]
            if criterion == "BDeu":
                weights = [n + 1 / (3 * 3 ** len(parents)) for n in counts]
            else:
                weights = [(n + 1) * ((n + 1) / n) ** n if n else 1.0 for n in counts]
            total += math.log(weights[row[child]] / sum(weights))
    return total / len(test)


def test_the_other_member_is_one_for_criteria_blind_to_members(found):
    apart = found.filter(pl.col("log_prob") != pl.col("log_prob_other"))["criterion"].unique().to_list()
    assert set(apart) == {"BIC", "qNML"}


@pytest.mark.parametrize("tenths", [1, 6])
def test_log_probabilities_are_those_of_counts(found, tenths):
    table = load_dataset("iris")
    order = generator(4, "prediction", "iris", 2).permutation(150)
    rows = [tuple(int(column[i]) for column in table.columns) for i in order]
    train, test = rows[: 15 * tenths], rows[15 * tenths :]
    for criterion, score in CRITERIA.items():
        dag = learn(table.take(order[: 15 * tenths]), score, guard="off").dag
        chosen = found.filter(
            (pl.col("repetition") == 2) & (pl.col("fraction") == tenths) & (pl.col("criterion") == criterion)
        )
        assert chosen["log_prob"].item() == pytest.approx(mean_log_prob(dag, train, test, criterion), rel=1e-12)
        members = [mean_log_prob(one, train, test, criterion) for one in enumerate_class(dag)]
        assert min(abs(chosen["log_prob_other"].item() - one) for one in members) < 1e-12
        assert chosen["parameters"].item() == sum(2 * 3 ** len(dag.parents(name)) for name in dag.names)
