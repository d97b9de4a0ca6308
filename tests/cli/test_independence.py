"""``qnml independence``."""

import pytest

import qnml


@pytest.fixture
def asia_file(tmp_path):
    path = tmp_path / "asia.csv"
    qnml.datasets.sample("asia", 1000, seed=1).to_frame().write_csv(path)
    return path


@pytest.mark.parametrize("given", [(), ("bronc", "either")])
def test_the_verdict_is_that_of_the_library(qnml_command, asia_file, given):
    options = [word for name in given for word in ("--given", name)]
    found = qnml_command("independence", asia_file, "smoke", "dysp", *options, "--json").document
    expected = qnml.independence(asia_file, "smoke", "dysp", given)
    assert (found["x"], found["y"], found["given"]) == (["smoke"], ["dysp"], list(given))
    assert found["bits"] == expected.bits
    assert found["is_dependent"] == expected.is_dependent
    assert found["mutual_information"] == expected.mutual_information
    page = " ".join(qnml_command("independence", asia_file, "smoke", "dysp", *options).out.split())
    assert expected.sentence() in page


def test_wrong_columns_are_named(qnml_command, asia_file):
    qnml_command("independence", asia_file, "smoke", "nowhere").assert_refused("nowhere")
    qnml_command("independence", asia_file, "smoke", "smoke").assert_refused("smoke")
    qnml_command("independence", asia_file, "smoke", "dysp", "--given", "dysp").assert_refused("dysp")
