"""Networks by name on the command line."""

import pytest

import qnml

ASIA = qnml.datasets.load_network("asia")
COMMANDS = [
    ("query", "asia", "--target", "lung"),
    ("sample", "asia", "5", "--seed", "1"),
    ("predict", "asia", "rows.csv", "--target", "lung"),
    ("score", "rows.csv", "asia"),
    ("compare", "asia", "asia"),
    ("convert", "asia", "out.net"),
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a few rows of asia, in which the commands run."""
    ASIA.sample(50, seed=1).to_frame().write_csv(tmp_path / "rows.csv")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_every_command_takes_a_bundled_network(qnml_command, folder, words):
    outcome = qnml_command(*words)
    assert (outcome.code, outcome.err) == (0, "")
    qnml.write_network(ASIA, folder / "asia.bif")
    from_file = qnml_command(*("asia.bif" if word == "asia" else word for word in words), "--json").document
    by_name = qnml_command(*words, "--json").document
    sources = ("network", "input", "first", "second")
    assert {key: from_file[key] for key in from_file if key not in sources} == {
        key: by_name[key] for key in by_name if key not in sources
    }


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_an_unknown_name_has_a_suggestion(qnml_command, folder, words):
    misspelt = ["aisa" if word == "asia" else word for word in words]
    qnml_command(*misspelt).assert_refused("aisa: unknown", "Did you mean 'asia'?", "no file of this name")


def test_a_file_of_that_name_is_preferred(qnml_command, folder):
    (folder / "asia").write_text("not a network")
    qnml_command("query", "asia", "--target", "lung").assert_refused("asia: must be a file name ending")
    qnml_command("query", "asia.bif", "--target", "lung").assert_refused("asia.bif", "no such file")
    (folder / "asia").unlink()
    (folder / "asia").mkdir()
    assert qnml_command("query", "asia", "--target", "lung").code == 0


def test_the_memory_limit_holds_for_networks_by_name(qnml_command, folder):
    qnml_command("query", "asia", "--target", "lung", "--memory", "1e-9").assert_refused("--memory", code=1)
