"""Tables and networks as people read them, and as arrays they are computed with."""

import pickle

import numpy as np
import pytest

from qnml import datasets
from qnml.graph import Dag
from qnml.model import Network
from qnml.model.labelled_table import LabelledTable


@pytest.fixture
def asia():
    return datasets.load_network("asia")


def test_a_table_is_printed_with_names_and_levels(asia):
    assert str(asia.table("asia")) == "asia=yes asia=no\n0.01     0.99"
    lines = repr(asia.table("dysp")).splitlines()
    assert lines[0] == "bronc either | dysp=yes dysp=no"
    assert lines[1] == "yes   yes    | 0.9      0.1"
    assert len(lines) == 5


def test_long_tables_are_cut():
    dag = Dag.from_arcs(["a", "b"], [("a", "b")])
    levels = {"a": [f"l{number:02}" for number in range(50)], "b": ["x", "y"]}
    net = Network(dag, levels, {"a": [0.02] * 50, "b": [[0.5, 0.5]] * 50})
    lines = str(net.table("b")).splitlines()
    assert len(lines) == 42
    assert lines[-1] == "… 10 more rows"


def test_it_is_still_an_array(asia):
    table = asia.table("dysp")
    assert isinstance(table, LabelledTable)
    assert table.names == ("bronc", "either", "dysp")
    assert table.levels["dysp"] == ("yes", "no")
    assert type(table[0]) is np.ndarray
    assert type(2 * table) is np.ndarray
    assert type(table.sum(axis=-1)) is np.ndarray
    np.testing.assert_allclose(table.sum(axis=-1), 1.0)
    assert np.array(table).tolist() == table.tolist()
    flat = table.reshape(-1)
    assert flat.names == ()
    assert repr(flat) == repr(np.asarray(flat))
    total = np.zeros(table.shape)
    np.add(table, table, out=total)
    assert total.tolist() == (2 * table).tolist()
    with pytest.raises(ValueError, match="read-only"):
        table[0, 0, 0] = 1.0


def test_it_survives_pickle(asia):
    again = pickle.loads(pickle.dumps(asia.table("dysp")))
    assert repr(again) == repr(asia.table("dysp"))
    assert type(pickle.loads(pickle.dumps(asia.table("dysp").reshape(-1)))) is np.ndarray


def test_it_becomes_a_frame(asia):
    frame = asia.table("lung").to_frame()
    assert frame.columns == ["smoke", "lung", "probability"]
    assert frame.rows() == [("yes", "yes", 0.1), ("yes", "no", 0.9), ("no", "yes", 0.01), ("no", "no", 0.99)]


def test_a_network_is_printed_with_its_variables(asia):
    lines = str(asia).splitlines()
    assert lines[0] == repr(asia)
    assert "  lung: yes, no | smoke" in lines
    assert len(lines) == 9
    names = [f"v{number}" for number in range(60)]
    levels = {name: [f"l{level}" for level in range(10)] for name in names}
    wide = Network(Dag.empty(names), levels, {name: [0.1] * 10 for name in names})
    lines = str(wide).splitlines()
    assert lines[1] == "  v0: l0, l1, l2, l3, l4, l5, l6, l7 and 2 more"
    assert lines[-1] == "  … 20 more variables"
