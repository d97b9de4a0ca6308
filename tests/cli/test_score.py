"""``qnml score``: the numbers are those of the library; a few are computed by hand."""

import math

import pytest

import qnml

NETWORK = "[A][B|A][C|A:B]"


@pytest.fixture
def network_file(tmp_path):
    """A network over A and B that declares a level of A that never occurs, in its own order."""
    dag = qnml.Dag.from_arcs(["A", "B"], [("A", "B")])
    tables = {"A": [0.5, 0.25, 0.25], "B": [[0.5, 0.5]] * 3}
    path = tmp_path / "declared.bif"
    qnml.write_network(qnml.Network(dag, {"A": ["c", "b", "a"], "B": ["x", "y"]}, tables), path)
    return path


def test_json_has_the_numbers_of_the_library(qnml_command, table_file):
    asked = "qnml,fnml,nml,bic,bdeu:ess=10,bdq:alpha=watanabe-roos,ebic"
    network = "[A][B|A]"
    document = qnml_command("score", table_file, network, "--score", asked, "--json").document
    table, dag = qnml.read_table(table_file), qnml.Dag.from_modelstring(network)
    parameters = {"bdeu": {"ess": 10}, "bdq": {"alpha": "watanabe-roos"}}
    assert [score["name"] for score in document["scores"]] == [word.split(":")[0] for word in asked.split(",")]
    for score in document["scores"]:
        name = score["name"]
        assert score["value"] == qnml.score(table, dag, name, **parameters.get(name, {}))
        assert score["explanation"] is None
    assert document["scores"][4]["parameters"] == {"ess": 10}
    assert document["scores"][6]["label"] == "ebic(gamma=0.5)"
    assert document["command"] == "score"
    assert document["version"] == qnml.__version__
    data = {"source": str(table_file), "rows": 8, "total": 8, "variables": 3, "preparation": None, "prepared": False}
    assert document["data"] == data
    assert document["network"] == {"source": network, "variables": 2, "arcs": 1, "levels": "data"}


def test_the_likelihood_worked_out_by_hand(qnml_command, tmp_path):
    path = tmp_path / "coins.csv"
    path.write_text("H\nyes\nyes\nyes\nno\n", encoding="utf-8")
    likelihood = 3 * math.log(3 / 4) + math.log(1 / 4)
    document = qnml_command("score", path, "[H]", "--score", "loglik,bic", "--json").document
    assert [score["value"] for score in document["scores"]] == pytest.approx(
        [likelihood, likelihood - math.log(4) / 2], rel=1e-12
    )


def test_people_see_each_score_and_where_it_comes_from(qnml_command, table_file):
    outcome = qnml_command("score", table_file, NETWORK, "--score", "qnml,bdeu:ess=10")
    value = qnml.score(qnml.read_table(table_file), qnml.Dag.from_modelstring(NETWORK))
    assert outcome.code == 0
    assert f"{value:.4f}" in outcome.out
    assert f"{value / 8:.4f}" in outcome.out
    for words in ("bdeu(ess=10)", "8 rows, 3 columns", "3 variables, 3 arcs", "nats", "taken from the data"):
        assert words in " ".join(outcome.out.split())


def test_levels_declared_by_the_network_count(qnml_command, table_file, network_file):
    document = qnml_command("score", table_file, network_file, "--json").document
    value = document["scores"][0]["value"]
    table, net = qnml.read_table(table_file), qnml.read_network(network_file)
    assert document["network"]["levels"] == "network"
    assert value == qnml.score(table, net)
    # The unseen third level of A costs something.
    assert value < qnml.score(table, net.dag) - 0.1
    assert "declared by the network" in " ".join(qnml_command("score", table_file, network_file).out.split())


@pytest.mark.parametrize("word", ["observed", "declared"])
def test_what_the_user_says_about_levels_stands_above_the_network(qnml_command, table_file, network_file, word):
    document = qnml_command("score", table_file, network_file, "--levels", word, "--json").document
    expected = qnml.score(qnml.read_table(table_file), qnml.Dag.from_modelstring("[A][B|A]"))
    assert document["scores"][0]["value"] == expected
    assert document["network"]["levels"] == "data"


def test_levels_given_for_single_columns(qnml_command, table_file, network_file):
    levels = {"A": ["a", "b", "c", "d"], "C": ["1", "2", "3", "4"]}
    given = [word for name, labels in levels.items() for word in ("--levels", f"{name}={','.join(labels)}")]
    document = qnml_command("score", table_file, "[A][C|A]", *given, "--json").document
    dag = qnml.Dag.from_modelstring("[A][C|A]")
    assert document["scores"][0]["value"] == qnml.score(qnml.read_table(table_file, levels=levels), dag)
    # With a network that declares levels itself, the columns not named keep the network's.
    with_network = qnml_command("score", table_file, network_file, *given, "--json").document
    four = qnml.read_table(table_file, levels={"A": levels["A"]})
    assert with_network["scores"][0]["value"] == qnml.score(four, qnml.read_network(network_file).dag)


def test_rows_weighted_by_a_column(qnml_command, tmp_path):
    weighted, repeated = tmp_path / "weighted.csv", tmp_path / "repeated.csv"
    weighted.write_text("A,B,times\na,x,3\nb,y,2\na,y,1\nb,x,0\n", encoding="utf-8")
    repeated.write_text("A,B\n" + "a,x\n" * 3 + "b,y\n" * 2 + "a,y\n", encoding="utf-8")
    one = qnml_command("score", weighted, "[A][B|A]", "--weights", "times", "--json").document
    other = qnml_command("score", repeated, "[A][B|A]", "--json").document
    assert one["scores"][0]["value"] == pytest.approx(other["scores"][0]["value"], rel=1e-12)
    assert (one["data"]["rows"], one["data"]["total"], other["data"]["total"]) == (3, 6, 6)


def test_missing_cells_by_policy(qnml_command, tmp_path, network_file):
    path = tmp_path / "holes.csv"
    path.write_text("A,B\nb,?\n" + "a,x\na,y\nb,x\n" * 2, encoding="utf-8")
    strict = ["--prepare", "strict"]
    qnml_command("score", path, "[A][B|A]", *strict).assert_refused("missing", "'B' (1)", "drop", "category")
    assert "a level of their own" in qnml_command("score", path, "[A][B|A]").out
    for policy in ("drop", "category"):
        document = qnml_command("score", path, "[A][B|A]", "--missing", policy, "--json").document
        table = qnml.read_table(path, missing=policy)
        assert document["scores"][0]["value"] == qnml.score(table, qnml.Dag.from_modelstring("[A][B|A]"))
    # A network cannot have declared the level that stands for missing cells; it is added to the network's.
    document = qnml_command("score", path, network_file, "--missing", "category", "--json").document
    table = qnml.read_table(path, missing="category", levels={"A": ["c", "b", "a"], "B": ["x", "y"]})
    assert document["scores"][0]["value"] == qnml.score(table, qnml.read_network(network_file).dag)


def test_the_number_of_threads_changes_nothing(qnml_command, table_file):
    values = {
        qnml_command("score", table_file, NETWORK, "--jobs", jobs, "--json").document["scores"][0]["value"]
        for jobs in (1, 2, -1)
    }
    assert len(values) == 1
    qnml_command("score", table_file, NETWORK, "--jobs", 0).assert_refused("--jobs 0:")


def test_an_explanation_adds_up(qnml_command, table_file):
    document = qnml_command("score", table_file, NETWORK, "--score", "qnml,bic", "--explain", "--json").document
    table, dag = qnml.read_table(table_file), qnml.Dag.from_modelstring(NETWORK)
    for score in document["scores"]:
        families, arcs = score["explanation"]["families"], score["explanation"]["arcs"]
        assert math.fsum(family["score"] for family in families) == pytest.approx(score["value"], rel=1e-12)
        for family in families:
            assert family["fit"] - family["penalty"] == pytest.approx(family["score"], rel=1e-12)
            assert family["parents"] == list(dag.parents(family["child"]))
        assert {(arc["parent"], arc["child"]) for arc in arcs} == set(dag.arcs)
        for arc in arcs:
            thinner = qnml.score(table, dag.remove_arc(arc["parent"], arc["child"]), score["name"])
            assert arc["removal_cost_bits"] == pytest.approx((score["value"] - thinner) / math.log(2), abs=1e-9)
        # C has 3 · 2 · 2 cells and B 2 · 2; only the first are more than half of 8 rows.
        assert score["explanation"]["overfull"] == ["C"]


def test_people_see_the_strongest_arc_first_and_overfull_families(qnml_command, table_file):
    document = qnml_command("score", table_file, NETWORK, "--explain", "--json").document
    outcome = qnml_command("score", table_file, NETWORK, "--explain")
    arcs = document["scores"][0]["explanation"]["arcs"]
    strongest = sorted(arcs, key=lambda arc: -arc["removal_cost_bits"])
    places = [outcome.out.index(f"{arc['parent']} -> {arc['child']}") for arc in strongest]
    assert places == sorted(places)
    assert "Over-full" in outcome.out
    assert "log Z" in outcome.out
    assert "Over-full" not in qnml_command("score", table_file, "[A][B|A]", "--explain").out


def test_work_beyond_reach_fails_with_one(qnml_command, tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("A,B,C\n" + "".join(f"{i % 5},{i % 7},{i % 3}\n" for i in range(200)), encoding="utf-8")
    qnml_command("score", path, "[A][B][C]", "--score", "nml").assert_refused("data sets", code=1)


def test_nml_has_no_explanation(qnml_command, table_file):
    qnml_command("score", table_file, "[A]", "--score", "nml", "--explain").assert_refused("decomposable")
