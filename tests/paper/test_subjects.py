"""Subjects are the same with and without the data folder, and random numbers depend on the repetition."""

import numpy as np

from qnml import datasets
from qnml.paper.seeds import generator
from qnml.paper.subjects import DATASETS, absent_datasets, load_dataset


def test_bundled_sets_have_the_codes_of_the_authors(data_folder):
    for name in ("iris", "wine"):
        ours, theirs = load_dataset(name), datasets.load_table(f"uci/{name}")
        columns = {tuple(column) for column in ours.columns}
        assert columns == {tuple(column) for column in theirs.columns}
        assert sorted(ours.arities) == sorted(theirs.arities)


def test_without_the_data_folder_two_sets_are_left(monkeypatch, tmp_path):
    monkeypatch.setenv("QNML_DATA", str(tmp_path / "nowhere"))
    assert set(DATASETS) - set(absent_datasets()) == {"iris", "wine"}
    load_dataset.cache_clear()
    assert load_dataset("iris").n_rows == 150


def test_generators_differ_by_everything_they_are_told():
    told = [(1, "a", "x", 0), (2, "a", "x", 0), (1, "b", "x", 0), (1, "a", "y", 0), (1, "a", "x", 1)]
    first = [tuple(generator(*one).integers(2**63, size=2).tolist()) for one in told]
    assert len(set(first)) == len(told)
    assert np.array_equal(generator(*told[0]).permutation(9), generator(*told[0]).permutation(9))
