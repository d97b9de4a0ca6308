"""Predictions summed over families, against the networks that `fit` gives."""

import numpy as np
import pytest

from qnml import fit
from qnml.data import Table
from qnml.graph import Dag
from qnml.paper.families import FamilyCodes, Split
from qnml.paper.subjects import load_dataset


@pytest.mark.parametrize("rule", ["bpp", "snml"])
@pytest.mark.parametrize("size", [18, 90])
def test_it_is_the_mean_of_the_fitted_network(rule, size):
    table = load_dataset("wine")
    order = np.random.default_rng(3).permutation(table.n_rows)
    names = table.names
    chain = Dag(names, [(names[i], names[j]) for i in range(6) for j in range(i + 1, min(i + 5, 9))])
    full = Dag(names, [(names[i], names[-1]) for i in range(12)])
    split = Split(FamilyCodes(table), order, size)
    train, test = table.take(order[:size]), table.take(order[size:])
    for dag in (Dag(names, []), chain, full):
        expected = fit(train, dag, parameters=rule).log_prob(test, n_jobs=1).mean()
        assert split.mean_log_prob(dag, rule) == pytest.approx(expected, rel=1e-13)


def test_codes_survive_products_of_levels_beyond_integers():
    rng = np.random.default_rng(5)
    levels = [5000] * 7
    table = Table.from_codes([rng.integers(r, size=40) for r in levels], levels=levels)
    codes = FamilyCodes(table)
    seen = codes.configs((0, 1, 2, 3, 4, 5))
    assert sorted(seen) == list(range(40))
    assert codes.configs((0, 1, 2, 3, 4, 5)) is seen
