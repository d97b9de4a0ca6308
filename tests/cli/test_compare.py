"""``qnml compare``."""

import pytest

import qnml

COLLIDER, CHAIN = "[A][C][B|A:C]", "[A][B|A][C|B]"


def test_a_collider_against_a_chain_by_hand(qnml_command):
    document = qnml_command("compare", COLLIDER, CHAIN, "--json").document
    assert (document["shd"], document["equivalent"], document["on"]) == (2, False, "cpdag")
    assert (document["first"]["class_size"], document["second"]["class_size"]) == (1, 3)
    assert document["first"] == {"source": COLLIDER, "variables": 3, "arcs": 2, "class_size": 1}
    assert document["wrongly_oriented"] == [
        {
            "first_graph": {"first": "A", "second": "B", "directed": True},
            "second_graph": {"first": "A", "second": "B", "directed": False},
        },
        {
            "first_graph": {"first": "C", "second": "B", "directed": True},
            "second_graph": {"first": "C", "second": "B", "directed": False},
        },
    ]
    assert document["missing"] == document["extra"] == document["matching"] == []


def test_arc_by_arc(qnml_command):
    document = qnml_command("compare", COLLIDER, CHAIN, "--on", "dag", "--json").document
    assert (document["shd"], document["on"]) == (1, "dag")
    assert document["matching"] == [{"first": "A", "second": "B", "directed": True}]


def test_missing_and_extra_edges_are_those_of_the_second(qnml_command):
    document = qnml_command("compare", "[A][B|A][C]", "[A][B][C|A]", "--json").document
    assert document["missing"] == [{"first": "A", "second": "B", "directed": False}]
    assert document["extra"] == [{"first": "A", "second": "C", "directed": False}]
    text = qnml_command("compare", "[A][B|A][C]", "[A][B][C|A]").out
    lines = {line.split("  ")[0].strip(): line for line in text.splitlines()}
    assert "A -- B" in lines["missing in the second"]
    assert "A -- C" in lines["extra in the second"]


def test_equivalent_networks_are_at_distance_zero(qnml_command):
    document = qnml_command("compare", CHAIN, "[C][B|C][A|B]", "--json").document
    assert (document["shd"], document["equivalent"]) == (0, True)
    text = qnml_command("compare", CHAIN, "[C][B|C][A|B]").out
    assert "are equivalent" in text
    assert "difference" not in text


def test_files_are_read_as_well(qnml_command, tmp_path):
    bif, text = tmp_path / "net.bif.gz", tmp_path / "net.txt"
    dag = qnml.Dag.from_modelstring("[A][B|A]")
    levels = {"A": ["no", "yes"], "B": ["no", "yes"]}
    qnml.write_network(qnml.Network(dag, levels, {"A": [0.5, 0.5], "B": [[0.5, 0.5]] * 2}), bif)
    text.write_text("[B][A|B]\n", encoding="utf-8")
    assert qnml_command("compare", bif, text, "--json").document["equivalent"] is True
    assert qnml_command("compare", bif, text, "--on", "dag", "--json").document["shd"] == 1


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("[A][B|A]", "[A][C|A]"), ("same nodes", "B", "C")),
        (("[A][B|A]", "[A][B|A]", "--on", "dags"), ("dags", "Did you mean 'dag'?")),
        (("[A][B|A]", "nowhere.bif"), ("nowhere.bif",)),
        (("[A][B|A]", "[A][B|Z]"), ("Z",)),
    ],
)
def test_bad_input(qnml_command, words, expected):
    qnml_command("compare", *words).assert_refused(*expected)


def test_effects_and_agreement(qnml_command):
    document = qnml_command("compare", CHAIN, "[B][A|B][C|B]", "--on", "dag", "--json").document
    assert document["sid"] == {"lower": 3, "upper": 3, "is_exact": True}
    assert document["skeleton"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert document["arrowheads"] == {"precision": 0.5, "recall": 0.5, "f1": 0.5}
    classes = qnml_command("compare", CHAIN, "[B][A|B][C|B]")
    assert "Structural intervention distance 0 to 6 of 6" in " ".join(classes.out.split())


def test_what_knowledge_directs(qnml_command, tmp_path):
    dag = qnml.Dag.from_modelstring(CHAIN)
    tables = {"A": [0.5, 0.5], "B": [[0.8, 0.2], [0.3, 0.7]], "C": [[0.8, 0.2], [0.3, 0.7]]}
    net = qnml.Network(dag, {key: ["0", "1"] for key in "ABC"}, tables, mpdag=dag.to_cpdag().orient([("A", "B")]))
    qnml.write_network(net, tmp_path / "net.json")
    document = qnml_command("compare", CHAIN, tmp_path / "net.json", "--on", "mpdag", "--json").document
    assert (document["shd"], document["sid"]["upper"], document["on"]) == (0, 0, "mpdag")
    assert qnml_command("compare", CHAIN, tmp_path / "net.json", "--json").document["sid"]["upper"] == 6
