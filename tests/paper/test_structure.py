"""The experiment on structures: the same rows for any chunks, and learned as documented."""

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from qnml import datasets, learn, shd
from qnml.paper import structure, structure_published
from qnml.paper.criteria import CRITERIA
from qnml.paper.seeds import generator
from qnml.paper.subjects import SIZES


@pytest.fixture(scope="module")
def found():
    return structure.run_chunk("cancer", 0, 2, 5)


def test_chunks_do_not_matter(found):
    apart = [structure.run_chunk("cancer", 0, 1, 5), structure.run_chunk("cancer", 1, 2, 5)]
    assert_frame_equal(found, pl.concat(apart))


def test_rows_are_the_learnings_told(found):
    assert len(found) == structure.learnings("cancer", 2) == 2 * 28 * 4 * 2
    assert dict(found.schema) == structure.SCHEMA
    assert found.select("repetition", "size", "criterion", "ties").n_unique() == len(found)


def test_distances_are_those_of_networks_learned_one_by_one(found):
    seeds = generator(5, "structure", "cancer", 1).integers(2**63, size=(2, len(SIZES)))
    truth = datasets.load_network("cancer")
    for place in (0, 9, 18):
        sample = truth.sample(SIZES[place], int(seeds[0, place]))
        for criterion, score in CRITERIA.items():
            for ties in structure.TIES:
                result = learn(sample, score, guard="off", ties=ties, seed=int(seeds[1, place]))
                row = found.row(
                    by_predicate=(pl.col("repetition") == 1)
                    & (pl.col("size") == SIZES[place])
                    & (pl.col("criterion") == criterion)
                    & (pl.col("ties") == ties),
                    named=True,
                )
                assert row["shd"] == shd(truth.dag, result.dag)
                assert row["arcs"] == len(result.dag.arcs)


def test_regrets_as_published_change_little(found):
    published = structure_published.run_chunk("cancer", 0, 2, 5)
    assert len(published) == structure_published.learnings("cancer", 2) == len(found) // 2
    keys = ["repetition", "size", "criterion", "ties"]
    joined = published.join(found, on=keys)
    assert len(joined) == len(published)
    # Five binary variables have at most 32 cells, so that qNML is the exact one.
    assert (joined.filter(criterion="qNML", ties="canonical").select(same=pl.col("shd") == pl.col("shd_right")))[
        "same"
    ].all()
