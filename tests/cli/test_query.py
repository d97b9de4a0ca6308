"""``qnml query``."""

import json
import math

import pytest

import qnml
from qnml.cli.parse_evidence import parsed_settings
from qnml.errors import InputError

NET = """network n {}
variable rain { type discrete [ 2 ] { no, yes }; }
variable sprinkler { type discrete [ 2 ] { off, on }; }
variable wet { type discrete [ 3 ] { dry, damp, soaked }; }
probability ( rain ) { table 0.8, 0.2; }
probability ( sprinkler ) { table 0.6, 0.4; }
probability ( wet | rain, sprinkler ) {
  (no, off) 1.0, 0.0, 0.0;
  (no, on) 0.1, 0.4, 0.5;
  (yes, off) 0.2, 0.3, 0.5;
  (yes, on) 0.0, 0.1, 0.9;
}
"""


@pytest.fixture
def network_file(tmp_path):
    path = tmp_path / "garden.bif"
    path.write_text(NET, encoding="utf-8")
    return path


def test_help(qnml_command):
    outcome = qnml_command("query", "--help")
    assert outcome.code == 0
    assert "  qnml query" in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80


def test_one_target(qnml_command, network_file):
    found = qnml_command("query", network_file, "--target", "rain", "--evidence", "wet=soaked", "--json").document
    assert (found["command"], found["version"]) == ("query", qnml.__version__)
    assert found["network"] == {"source": str(network_file), "variables": 3, "arcs": 2}
    assert found["evidence"] == {"wet": "soaked"}
    assert found["levels"] == {"rain": ["no", "yes"]}
    # P(soaked) = .8*.4*.5 + .2*.6*.5 + .2*.4*.9 = .16 + .06 + .072.
    assert [entry["levels"] for entry in found["probabilities"]] == [{"rain": "no"}, {"rain": "yes"}]
    assert found["probabilities"][1]["probability"] == pytest.approx(0.132 / 0.292, abs=1e-14)


def test_several_targets_and_intervention(qnml_command, network_file):
    words = ["query", network_file, "--target", "wet,rain", "--do", "sprinkler=on", "--json"]
    found = qnml_command(*words).document
    assert found["targets"] == ["wet", "rain"]
    by_levels = {tuple(entry["levels"].values()): entry["probability"] for entry in found["probabilities"]}
    assert by_levels["soaked", "yes"] == pytest.approx(0.2 * 0.9)
    assert sum(by_levels.values()) == pytest.approx(1.0)
    repeated = qnml_command("query", network_file, "--target", "wet", "--target", "rain", *words[4:]).document
    assert repeated == found


def test_page(qnml_command, network_file):
    words = ["--target", "rain,wet", "--evidence", "sprinkler=on", "--do", "rain=no"]
    outcome = qnml_command("query", network_file, *words)
    assert (outcome.code, outcome.err) == (0, "")
    assert "Given: sprinkler = on" in outcome.out
    assert "Set: rain = no" in outcome.out
    assert ["no", "soaked", "0.500000"] in [line.split() for line in outcome.out.splitlines()]
    assert max(map(len, outcome.out.splitlines())) <= 80


def test_most_probable(qnml_command, network_file):
    found = qnml_command("query", network_file, "--mpe", "--evidence", "wet=soaked", "--json").document
    assert found["assignment"] == {"rain": "no", "sprinkler": "on", "wet": "soaked"}
    assert found["log_probability"] == pytest.approx(math.log(0.16))
    assert found["log_probability_given_evidence"] == pytest.approx(math.log(0.16 / 0.292))
    page = qnml_command("query", network_file, "--mpe", "--evidence", "wet=soaked")
    assert "probability 0.547945 given the evidence" in page.out
    assert ["wet", "soaked", "given"] in [line.split() for line in page.out.splitlines()]


def test_evidence_of_several_levels_and_soft_evidence(qnml_command, network_file):
    net = qnml.read_network(network_file)
    words = ["query", network_file, "--target", "rain", "--json"]
    found = qnml_command(*words, "--evidence", "wet=damp|soaked").document
    assert found["evidence"] == {"wet": ["damp", "soaked"]}
    expected = net.query("rain", {"wet": ["damp", "soaked"]})["yes"]
    assert found["probabilities"][1]["probability"] == expected
    found = qnml_command(*words, "--evidence", "wet!=dry,sprinkler=on").document
    assert found["evidence"] == {"wet": {"not": ["dry"]}, "sprinkler": "on"}
    assert (
        found["probabilities"][1]["probability"]
        == net.query("rain", {"wet": qnml.AnyBut("dry"), "sprinkler": "on"})["yes"]
    )
    found = qnml_command(*words, "--likelihood", "wet:dry=0.1, damp=0.5,soaked=1").document
    weights = {"dry": 0.1, "damp": 0.5, "soaked": 1.0}
    assert found["likelihood"] == {"wet": weights}
    assert found["probabilities"][1]["probability"] == net.query("rain", likelihood={"wet": weights})["yes"]
    page = qnml_command(
        "query",
        network_file,
        "--target",
        "rain",
        "--evidence",
        "wet!=dry|damp",
        "--likelihood",
        "sprinkler:on=1,off=0.5",
    )
    assert "Given: wet is not dry or damp" in page.out
    assert "Likelihood of sprinkler: on 1, off 0.5" in page.out


def test_marginals(qnml_command, network_file):
    net = qnml.read_network(network_file)
    found = qnml_command("query", network_file, "--marginals", "--evidence", "wet=soaked", "--json").document
    expected = net.marginals({"wet": "soaked"})
    assert found["marginals"] == {name: expected[name].to_dict() for name in net.names}
    assert found["log_evidence"] == expected.log_evidence
    some = qnml_command("query", network_file, "--marginals", "--target", "rain", "--json").document
    assert list(some["marginals"]) == ["rain"]
    page = qnml_command("query", network_file, "--marginals", "--evidence", "wet=soaked").out
    assert "Probability of the evidence: 0.292000" in page
    assert ["rain", "no", "0.5479,", "yes", "0.4521"] in [line.split() for line in page.splitlines()]


def test_explanations_of_some_variables_and_the_next_best(qnml_command, network_file):
    net = qnml.read_network(network_file)
    words = ["query", network_file, "--mpe", "--target", "rain,sprinkler", "--best", "3", "--evidence", "wet=soaked"]
    found = qnml_command(*words, "--json").document
    expected = net.k_most_probable(3, {"wet": "soaked"}, targets=["rain", "sprinkler"])
    assert [one["assignment"] for one in found["explanations"]] == [labels for labels, _ in expected]
    assert found["assignment"] == expected[0][0]
    assert "2. probability 0.246575: rain = yes" in qnml_command(*words).out


def test_what_to_look_at_next(qnml_command, network_file):
    found = qnml_command("query", network_file, "--next", "rain", "--json").document
    expected = qnml.read_network(network_file).value_of_information("rain")
    assert (
        [one["variable"] for one in found["informative"]] == [one.variable for one in expected] == ["wet", "sprinkler"]
    )
    assert found["informative"][0]["information"] == expected[0].information
    page = qnml_command("query", network_file, "--next", "rain").out
    assert "tells about rain" in page
    assert ["wet", f"{expected[0].information:.4f}", f"{expected[0].expected_accuracy:.4f}"] in [
        line.split() for line in page.splitlines()
    ]


def test_names_and_labels_with_commas(qnml_command, tmp_path):
    net = qnml.Network(
        qnml.Dag.from_arcs(["a,b", "c"], [("a,b", "c")]),
        {"a,b": ["x", "y,z", "u=v"], "c": ["0", "1"]},
        {"a,b": [0.5, 0.25, 0.25], "c": [[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]},
    )
    path = tmp_path / "odd.json"
    qnml.write_network(net, path)
    found = qnml_command("query", path, "--target", "c", "--evidence", "a,b=y,z", "--json").document
    assert found["evidence"] == {"a,b": "y,z"}
    assert found["probabilities"][1]["probability"] == 1.0
    found = qnml_command("query", path, "--target", "c", "--evidence", "a,b=u=v", "--json").document
    assert found["probabilities"][1]["probability"] == 0.5
    assert qnml_command("query", path, "--target", "a,b", "--json").document["targets"] == ["a,b"]


BINNED = qnml.Network(
    qnml.Dag.from_arcs(["age", "a,b", "smoke"], [("age", "smoke")]),
    {"age": ["<=52", "(52, 59]", ">59"], "a,b": ["(x", "y, z"], "smoke": ["no", "yes"]},
    {"age": [0.5, 0.25, 0.25], "a,b": [0.5, 0.5], "smoke": [[1.0, 0.0], [0.75, 0.25], [0.0, 1.0]]},
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("age=(52, 59]", {"age": "(52, 59]"}),
        ("age=(52, 59],smoke=yes", {"age": "(52, 59]", "smoke": "yes"}),
        ("smoke=yes, age = (52, 59]", {"age": "(52, 59]", "smoke": "yes"}),
        ("a,b=y, z,age=<=52,smoke=no", {"a,b": "y, z", "age": "<=52", "smoke": "no"}),
        ("a,b=(x,smoke=no", {"a,b": "(x", "smoke": "no"}),
        ("age=(50, 60],smoke=yes", {"age": "(50, 60]", "smoke": "yes"}),
        ("aeg=(52, 59],smoke=yes", {"aeg": "(52, 59]", "smoke": "yes"}),
        ("smoke=maybe,age=>59", {"smoke": "maybe", "age": ">59"}),
    ],
)
def test_commas_of_intervals_and_labels_do_not_separate(text, expected):
    assert parsed_settings(BINNED, "--evidence", [text]) == expected


def test_brackets_that_do_not_match_are_no_interval():
    with pytest.raises(InputError, match="'60': must be NAME=LABEL"):
        parsed_settings(BINNED, "--evidence", ["age=(50, 60,smoke=yes"])


def test_an_interval_as_evidence(qnml_command, tmp_path):
    path = tmp_path / "binned.json"
    qnml.write_network(BINNED, path)
    found = qnml_command("query", path, "--target", "smoke", "--evidence", "age=(52, 59],a,b=(x", "--json").document
    assert found["evidence"] == {"age": "(52, 59]", "a,b": "(x"}
    assert found["probabilities"][1]["probability"] == 0.25
    qnml_command("query", path, "--target", "smoke", "--evidence", "age=(52, 60]").assert_refused(
        "age=(52, 60]", "Did you mean '(52, 59]'?"
    )


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--target", "rian"], ["rian", "Did you mean 'rain'?"]),
        (["--target", "rain", "--evidence", "wet=wett"], ["wet=wett", "Known: dry, damp, soaked"]),
        (["--target", "rain", "--evidence", "weather=wet"], ["weather", "Known: rain, sprinkler, wet"]),
        (["--target", "rain", "--evidence", "wet"], ["--evidence 'wet'", "NAME=LABEL"]),
        (["--target", "rain", "--do", "wet=dry,wet=damp"], ["--do wet=damp", "already given as 'dry'"]),
        (["--target", "rain", "--do", "wet=dry", "--evidence", "wet=dry"], ["both evidence and do"]),
        (["--target", "wet", "--evidence", "rain=yes,sprinkler=on,wet=dry"], ["probability zero"]),
        (["--target", "rain", "--next", "wet"], ["--target", "--next"]),
        (["--mpe", "--marginals"], ["--mpe", "--marginals", "no others go together"]),
        (["--target", "rain", "--best", "2"], ["--best", "--mpe"]),
        (["--mpe", "--best", "0"], ["--best", "from 1"]),
        (["--target", "rain", "--evidence", "wet=dry|wett"], ["wett", "Known: dry, damp, soaked"]),
        (["--target", "rain", "--evidence", "wet=dry,wet!=damp"], ["'wet' is already given"]),
        (["--target", "rain", "--likelihood", "wet:dry=0.1,damp=x"], ["'x' is no number"]),
        (["--target", "rain", "--likelihood", "wet:dry=0.1"], ["Nothing is said about damp, soaked"]),
        (["--target", "rain", "--likelihood", "wat:dry=0.1"], ["wat", "Known: rain, sprinkler, wet"]),
        (["--target", "rain", "--likelihood", "wet:dry=1,damp=1,soaked=0", "--do", "wet=dry"], ["is in do"]),
        ([], ["--target", "--mpe"]),
    ],
)
def test_bad_questions_are_one_line(qnml_command, network_file, words, expected):
    qnml_command("query", network_file, *words).assert_refused(*expected)


def test_too_large_is_a_failure_with_the_width(qnml_command, tmp_path):
    # Enough for the file, not for the joint distribution of all its variables.
    names = [f"v{number}" for number in range(20)]
    net = qnml.Network(
        qnml.Dag.empty(names), {name: ["a", "b"] for name in names}, {name: [0.5, 0.5] for name in names}
    )
    qnml.write_network(net, tmp_path / "wide.uai")
    words = ["--target", ",".join(f"x{number}" for number in range(20)), "--memory", "1e-3"]
    qnml_command("query", tmp_path / "wide.uai", *words).assert_refused("Induced width", "may be used", code=1)


def test_a_network_too_large_to_be_read_is_refused(qnml_command, network_file):
    words = ["--target", "rain,wet", "--memory", "1e-9"]
    qnml_command("query", network_file, *words).assert_refused("the file has", "--memory", code=1)


def test_large_answers_are_cut_short_for_people(qnml_command, tmp_path):
    path = tmp_path / "wide.json"
    labels = [f"level{number}" for number in range(100)]
    qnml.write_network(qnml.Network(qnml.Dag.empty(["a"]), {"a": labels}, {"a": [0.01] * 100}), path)
    page = qnml_command("query", path, "--target", "a").out
    assert "The 60 most probable of 100; --json gives all." in page
    assert sum("level" in line for line in page.splitlines()) == 60
    assert len(qnml_command("query", path, "--target", "a", "--json").document["probabilities"]) == 100


def test_what_was_mended_is_one_line_beside_the_answer(qnml_command, tmp_path):
    path = tmp_path / "weights.net"
    path.write_text("node a { states = (x y); } potential (a) { data = (990 10); }")
    outcome = qnml_command("query", path, "--target", "a", "--json")
    assert [one["probability"] for one in json.loads(outcome.out)["probabilities"]] == [0.99, 0.01]
    assert outcome.err.startswith("qnml: warning: ")
    assert "weights, as HUGIN allows" in outcome.err
    assert outcome.err.count("\n") == 1
