"""The slip of the authors' fNML: its regrets, and local scores without it against those of the core."""

import math

import numpy as np
import pytest

from qnml import learn, regret
from qnml.paper import slip
from qnml.paper.seeds import generator
from qnml.paper.subjects import load_dataset


def test_the_slip_is_five_for_a_half():
    found = slip.slipped_regrets(2500, 3)
    assert found[2000] == pytest.approx(regret(2000, 3), rel=1e-12)
    assert found[2001] == pytest.approx(regret(2001, 3, "szpankowski") + 4.5 * math.log(math.pi), rel=1e-12)
    assert slip.slipped_regrets(2500, 1).tolist() == [0.0] * 2501
    assert len(slip.slipped_regrets(10, 3)) == 11


def test_without_the_slip_it_is_fnml(data_folder, monkeypatch):
    monkeypatch.setattr(slip, "_EXCESS", 0.0)
    monkeypatch.setitem(slip.FRACTIONS, "abalone", (8,))
    (row,) = slip.run_chunk("abalone", 0, 1, 3).iter_rows(named=True)
    table = load_dataset("abalone")
    order = generator(3, "prediction", "abalone", 0).permutation(table.n_rows)
    sample = table.take(order[: row["n_train"]])
    assert row["parameters"] == learn(sample, "fnml", guard="off").dag.n_parameters(table.arities)


def test_with_it_models_are_larger(data_folder, monkeypatch):
    monkeypatch.setitem(slip.FRACTIONS, "abalone", (9,))
    found = slip.run_chunk("abalone", 0, 2, 3)["parameters"].to_numpy()
    monkeypatch.setattr(slip, "_EXCESS", 0.0)
    assert np.all(found > slip.run_chunk("abalone", 0, 2, 3)["parameters"].to_numpy())
