"""Data sets and networks by name."""

from pathlib import Path

import numpy as np
import pytest

from qnml import datasets
from qnml.data import Table
from qnml.errors import DataFolderError, InputError, UnknownNameError
from qnml.model import Network, read_network

# Variables, arcs and parameters as the Bayesian Network Repository lists them.
BUNDLED = {
    "asia": (8, 8, 18),
    "cancer": (5, 4, 10),
    "earthquake": (5, 4, 10),
    "sachs": (11, 17, 178),
    "survey": (6, 6, 21),
}

# Rows and columns of the data as the paper's prediction table and the UCI documentation give them.
UCI = {
    "post_operative": (90, 9),
    "iris": (150, 5),
    "wine": (178, 14),
    "glass": (214, 11),
    "thyroid": (215, 6),
    "heart_statlog": (270, 14),
    "breast_cancer": (286, 10),
    "heart_hungarian": (294, 14),
    "heart_cleveland": (303, 14),
    "ecoli": (336, 8),
    "liver": (345, 7),
    "balance": (625, 5),
    "bc_wisconsin": (699, 11),
    "diabetes": (768, 9),
    "tic_tac_toe": (958, 10),
    "yeast": (1484, 9),
    "abalone": (4177, 9),
    "page_blocks": (5473, 11),
    "adult": (32561, 15),
    "shuttle": (58000, 10),
}


@pytest.fixture
def no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    absent = tmp_path / "absent"
    monkeypatch.setenv("QNML_DATA", str(absent))
    return absent


@pytest.mark.usefixtures("no_folder")
@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_networks_need_no_folder(name: str) -> None:
    net = datasets.load(name)
    assert isinstance(net, Network)
    assert net == datasets.load_network(name)
    assert (len(net.names), len(net.dag.arcs), net.n_parameters) == BUNDLED[name]
    assert net.properties["name"] == name
    notes = " ".join(net.properties["network"])
    assert "bnlearn.com/bnrepository" in notes
    assert "CC BY-SA 3.0" in notes
    assert "reference = " in notes


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_networks_are_those_of_the_repository(data_folder: Path, name: str) -> None:
    assert datasets.load_network(name) == read_network(data_folder / "networks" / f"{name}.bif.gz")


def test_published_probabilities_of_asia() -> None:
    # Lauritzen and Spiegelhalter (1988), table 2.
    net = datasets.load_network("asia")
    yes = {name: net.levels[name].index("yes") for name in net.names}
    assert net.table("asia")[yes["asia"]] == 0.01
    assert net.table("tub")[yes["asia"], yes["tub"]] == 0.05
    assert net.table("lung")[yes["smoke"], yes["lung"]] == 0.1
    assert net.dag.parents("dysp") == ("bronc", "either")
    assert net.table("dysp")[yes["bronc"], yes["either"], yes["dysp"]] == 0.9
    assert net.table("dysp")[1 - yes["bronc"], yes["either"], yes["dysp"]] == 0.7
    assert net.table("dysp")[yes["bronc"], 1 - yes["either"], yes["dysp"]] == 0.8


@pytest.mark.usefixtures("no_folder")
def test_iris_and_wine_need_no_folder() -> None:
    iris = datasets.load_table("iris")
    assert iris.names == ("sepal_length", "sepal_width", "petal_length", "petal_width", "class")
    assert iris.n_rows == 150
    assert iris.arities == (3, 3, 3, 3, 3)
    assert iris.levels["class"] == ("setosa", "versicolor", "virginica")
    # By hand: sepal length is 4.3 to 7.9, so the cuts are 5.5 and 6.7; 5.1 is low and 7.0 high.
    assert iris.codes("sepal_length")[[0, 50]].tolist() == [0, 2]
    wine = datasets.load_table("wine")
    assert (wine.n_rows, len(wine.names), wine.names[-1]) == (178, 14, "class")


@pytest.mark.usefixtures("data_folder")
def test_iris_and_wine_have_the_codes_of_the_authors() -> None:
    for name, shift in (("iris", 0), ("wine", 1)):
        ours, theirs = datasets.load_table(name), datasets.load_table(f"uci/{name}")
        for place in range(len(ours.names)):
            other = (place + shift) % len(ours.names)
            assert np.array_equal(ours.codes(place), theirs.codes(other))


@pytest.mark.usefixtures("data_folder")
@pytest.mark.parametrize("name", UCI)
def test_uci_sets(name: str) -> None:
    table = datasets.load(f"uci/{name}")
    assert isinstance(table, Table)
    assert (table.n_rows, len(table.names)) == UCI[name]
    assert "class" in table.names


@pytest.mark.usefixtures("data_folder")
def test_folder_may_be_left_out_of_a_name() -> None:
    assert datasets.load("balance") == datasets.load("uci/balance")
    assert datasets.load("alarm") == datasets.load("networks/alarm")
    assert datasets.load_table("diabetes") == datasets.load("uci/diabetes")


def test_a_name_that_means_two_things_is_refused() -> None:
    with pytest.raises(InputError, match="'uci/diabetes' or 'networks/diabetes'"):
        datasets.load("diabetes")


@pytest.mark.parametrize(
    ("call", "name", "nearest"),
    [
        (datasets.load, "irys", "iris"),
        (datasets.load, "alrm", "alarm"),
        (datasets.load, "uci/adutl", "uci/adult"),
        (datasets.load_network, "asla", "asia"),
        (datasets.load_table, "wine2", "wine"),
    ],
)
def test_unknown_names_suggest_the_nearest(call: type, name: str, nearest: str) -> None:
    with pytest.raises(UnknownNameError, match=f"Did you mean '{nearest}'"):
        call(name)


def test_networks_are_no_tables_and_tables_no_networks() -> None:
    with pytest.raises(UnknownNameError):
        datasets.load_table("asia")
    with pytest.raises(UnknownNameError):
        datasets.load_network("uci/adult")


@pytest.mark.parametrize(
    ("name", "provider"), [("adult", r"archive\.ics\.uci\.edu"), ("alarm", r"bnlearn\.com/bnrepository")]
)
def test_absent_folder_says_where_to_get_the_files(no_folder: Path, name: str, provider: str) -> None:
    with pytest.raises(DataFolderError, match=provider) as caught:
        datasets.load(name)
    assert str(no_folder) in str(caught.value)
    assert "QNML_DATA" in str(caught.value)


def test_names_lists_everything_with_its_origin() -> None:
    listed = datasets.names()
    assert listed["iris"].startswith("table, bundled")
    assert listed["sachs"] == "network, bundled"
    assert {f"uci/{name}" for name in UCI} <= listed.keys()
    assert sum(name.startswith("networks/") for name in listed) == 24
    assert len(listed) == 2 + 5 + 20 + 24


def test_sample_draws_from_a_network_by_name() -> None:
    table = datasets.sample("survey", 500, seed=3)
    assert table == datasets.load_network("survey").sample(500, 3)
    assert table.levels["E"] == ("high", "uni")
    with pytest.raises(UnknownNameError):
        datasets.sample("iris", 10)
