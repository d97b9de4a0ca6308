"""Values copied from the paper are consistent in the ways that the paper states."""

import gzip

import numpy as np
import pytest

from qnml.paper.authors import authors_distances, authors_predictions, authors_ranks
from qnml.paper.printed import PARAMETERS, RANK_MEANS, RANK_SPREADS, RANKS, REGRETS, SETS
from qnml.paper.subjects import NETWORKS, SIZES, load_dataset, training_rows

CRITERIA = ("BDeu", "BIC", "fNML", "qNML")


def test_every_row_of_ranks_sums_to_ten():
    for name in SETS:
        assert sum(RANKS[name, c] for c in CRITERIA) == pytest.approx(10.0, abs=0.0201), name


def test_means_and_spreads_of_the_columns_are_those_of_the_text():
    for criterion in CRITERIA:
        column = [RANKS[name, criterion] for name in SETS]
        assert np.mean(column) == pytest.approx(RANK_MEANS[criterion], abs=0.0051)
        assert np.std(column) == pytest.approx(RANK_SPREADS[criterion], abs=0.0051)


def test_sizes_of_table_3_are_one_or_two_tenths():
    tenths = {
        name: [k for k in (1, 2) if training_rows(one.rows, k) == one.parsimony_rows] for name, one in SETS.items()
    }
    assert all(tenths.values())
    assert sum(found == [1] for found in tenths.values()) == 10
    assert sum(found == [2] for found in tenths.values()) == 10


def test_training_rows_are_those_of_ten_parts():
    for rows in (90, 214, 699, 32561):
        parts = [len(part) for part in np.array_split(np.arange(rows), 10)]
        assert [training_rows(rows, k) for k in range(1, 10)] == np.cumsum(parts)[:9].tolist()


def test_counts_in_the_text_are_those_of_table_3():
    rows = {name: {c: PARAMETERS[name, c] for c in CRITERIA} for name in SETS}
    assert sum(row["qNML"] < row["fNML"] for row in rows.values()) == 19
    assert sum(row["fNML"] == max(row.values()) for row in rows.values()) == 7


def test_all_is_there():
    assert len(SETS) == 20
    assert len(RANKS) == len(PARAMETERS) == 80
    assert len(REGRETS) == 12
    assert len(SIZES) == 28
    assert set(authors_distances()) == {(n, c, size) for n in NETWORKS for c in CRITERIA for size in SIZES}
    assert len(authors_predictions()) == 20 * 4 * 9 * 2


def test_the_drawn_parameters_are_those_of_table_3():
    """Read off drawings to four digits; the printed ones are rounded."""
    for name, one in SETS.items():
        for c in CRITERIA:
            drawn = authors_predictions()[name, c, one.parsimony_rows, "parameters"].mean
            assert drawn == pytest.approx(PARAMETERS[name, c], abs=0.51, rel=1e-3)


@pytest.mark.parametrize("network", NETWORKS)
def test_the_authors_means_are_those_of_their_repetitions(data_folder, network):
    source = data_folder.parent / "paper" / "authors" / f"shd_{network}.txt.gz"
    if not source.exists():
        pytest.skip("the authors' repetitions are not there")
    with gzip.open(source, "rt") as file:
        head = file.readline().split()
        table = np.loadtxt(file)
    assert head == ["N", "bic", "bdeu", "fnml", "qnml"]
    for size in (10, 300, 10_000):
        values = table[table[:, 0] == size][:, 1:]
        dense = np.array([[sorted(set(row)).index(value) + 1 for value in row] for row in values.tolist()])
        for column, criterion in enumerate(("BIC", "BDeu", "fNML", "qNML")):
            theirs, rank = authors_distances()[network, criterion, size], authors_ranks()[network, criterion, size]
            assert theirs.mean == pytest.approx(values[:, column].mean(), rel=1e-4)
            assert theirs.variance == pytest.approx(values[:, column].var(ddof=1), rel=1e-4)
            assert rank.mean == pytest.approx(dense[:, column].mean(), rel=1e-4)


def test_data_sets_have_the_rows_of_the_paper(data_folder):
    for name, one in SETS.items():
        assert load_dataset(name).n_rows == one.rows
