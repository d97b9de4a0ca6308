"""All DAGs as arrays: their number, that they equal those of `all_dags`, and what is computed from them."""

from __future__ import annotations

import numpy as np
import pytest

from qnml.errors import InputError
from qnml.graph import Dag
from qnml.graph.enumerate import all_dags
from qnml.graph.masks import bits
from qnml.graph.structure_arrays import all_parent_masks, ancestor_masks, class_keys

# OEIS A003024 and A007984: DAGs and equivalence classes on n named nodes.
DAGS = [1, 1, 3, 25, 543, 29281, 3781503]
NAMES = ["a", "b", "c", "d"]
CLASSES = [1, 1, 2, 11, 185, 8782, 1067825]


@pytest.mark.parametrize("n", range(7))
def test_there_are_as_many_as_there_should_be(n):
    masks = all_parent_masks(n)
    assert masks.shape == (DAGS[n], n)
    assert len(np.unique(class_keys(masks))) == CLASSES[n]


@pytest.mark.parametrize("n", range(1, 5))
def test_they_are_those_that_are_made_one_by_one(n):
    one_by_one = [dag.parent_masks for dag in all_dags([str(place) for place in range(n)])]
    assert list(map(tuple, all_parent_masks(n).tolist())) == one_by_one


def test_keys_are_equal_exactly_for_equivalent_graphs():
    masks = all_parent_masks(4)
    classes = [Dag.from_masks(NAMES, row).to_cpdag() for row in masks.tolist()]
    keys = class_keys(masks).tolist()
    assert len(set(zip(keys, classes, strict=True))) == len(set(keys)) == len(set(classes))


def test_ancestors():
    masks = all_parent_masks(4)
    for row, above in zip(masks.tolist(), ancestor_masks(masks).tolist(), strict=True):
        dag = Dag.from_masks(NAMES, row)
        assert [{"abcd"[place] for place in bits(mask)} for mask in above] == [
            set(dag.ancestors(name)) for name in "abcd"
        ]


@pytest.mark.parametrize("n", [-1, 7, 2.0])
def test_more_nodes_are_refused(n):
    with pytest.raises(InputError, match="from 0 to 6"):
        all_parent_masks(n)
