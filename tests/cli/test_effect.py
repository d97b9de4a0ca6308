"""``qnml effect``, and what ``qnml query`` and ``qnml sample`` say about directions that data cannot tell."""

import pytest

import qnml


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("effect") / "asia.json"
    qnml.write_network(qnml.learn(qnml.datasets.sample("asia", 1000, seed=1)).fit(), path)
    return path


def test_a_range_over_the_class(qnml_command, model):
    found = qnml_command("effect", model, "--cause", "smoke", "--target", "lung", "--json").document
    effect = qnml.read_network(model).effect("smoke", "lung")
    assert (found["cause"], found["target"], found["levels"]) == ("smoke", "lung", ["yes", "no"])
    assert (found["is_identified"], found["is_single"], found["n_members"]) == (False, False, 3)
    assert [entry["low"] for entry in found["range"]] == effect.low.tolist()
    assert [entry["high"] for entry in found["range"]] == effect.high.tolist()
    assert sum(one["share"] for one in found["variants"]) == pytest.approx(1.0)
    assert found["means"] is None
    page = qnml_command("effect", model, "--cause", "smoke", "--target", "lung").out
    assert "not identified" in page
    assert "33.3%" in page
    assert f"{effect.low[0, 0]:.4f} to {effect.high[0, 0]:.4f}" in page


def test_one_value_and_its_mean(qnml_command, model):
    words = ["effect", model, "--cause", "either", "--target", "xray", "--values", "1,0"]
    found = qnml_command(*words, "--json").document
    assert found["is_identified"] is True
    expected = qnml.read_network(model).query("xray", do={"either": "yes"})["yes"]
    assert found["means"][0] == {"label": "yes", "low": pytest.approx(expected), "high": pytest.approx(expected)}
    assert "mean of xray" in qnml_command(*words).out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--cause", "smok", "--target", "lung"], "Did you mean 'smoke'"),
        (["--cause", "smoke", "--target", "smoke"], "another variable"),
        (["--cause", "smoke", "--target", "lung", "--values", "1"], "must be 2 numbers"),
        (["--cause", "smoke", "--target", "lung", "--values", "1,x"], "numbers separated by commas"),
    ],
)
def test_bad_input(qnml_command, model, words, message):
    outcome = qnml_command("effect", model, *words)
    assert outcome.code == 2
    assert message in outcome.err


def test_queries_tell_of_directions(qnml_command, model):
    words = ["query", model, "--target", "lung", "--do", "smoke=yes"]
    outcome = qnml_command(*words)
    assert outcome.code == 0
    assert "neither data nor knowledge" in " ".join(outcome.out.split())
    assert "--on-unidentified ignore" in " ".join(outcome.out.split())
    [told] = qnml_command(*words, "--json").document["warnings"]
    assert "lies between" in told
    assert qnml_command(*words, "--on-unidentified", "ignore", "--json").document["warnings"] == []
    refused = qnml_command(*words, "--on-unidentified", "raise")
    assert refused.code == 2
    assert "lies between" in " ".join(refused.err.split())
    assert qnml_command(*words, "--on-unidentified", "never").code == 2
    [told] = qnml_command("query", model, "--mpe", "--do", "smoke=yes", "--json").document["warnings"]
    assert "depends on the direction" in told


def test_drawn_rows_and_other_formats_tell_of_them(qnml_command, model, tmp_path):
    words = ["sample", model, "5", "--seed", "1", "--do", "smoke=yes", "--output", tmp_path / "rows.csv"]
    assert "neither data nor knowledge" in " ".join(qnml_command(*words).out.split())
    assert "neither data" not in " ".join(qnml_command(*words, "--on-unidentified", "ignore").out.split())
    told = qnml_command("convert", model, tmp_path / "asia.bif")
    assert "whoever reads it takes the arcs at their word" in " ".join(told.out.split())
