"""Messages of the library in the terms of the command line."""

import pytest
import typer

from qnml.cli.app import app
from qnml.cli.wording import in_shell_words, speak_for

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def learn():
    """Word messages for ``qnml learn``, and for no command afterwards."""
    speak_for(COMMANDS["learn"])
    yield
    speak_for(None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # an argument that is an option
        ("learn(guard='loud'): unknown. Known: warn, cap.", "--guard loud: unknown. Known: warn, cap."),
        ("learn(max_parents=-1): must be …", "--max-parents -1: must be …"),
        ("learn(n_jobs=0): must be …", "--jobs 0: must be …"),
        ("learn(time_limit=-1.5): must be a number, or None.", "--time -1.5: must be a number."),
        ("read_table(separator='\\t'): …", "--separator tab: …"),
        ("read_table(separator=';', sheet='A b'): …", "--separator ';' --sheet 'A b': …"),
        ("read_table(header=False): …", "--no-header: …"),
        ("posterior(method='exact', guard='cap'): …", "--method exact --guard cap: …"),
        ("posterior(method='exact') ended after 3 s", "--method exact ended after 3 s"),
        ("Discretizer(method='papers'): unknown.", "--discretize papers: unknown."),
        ("read_table(columns=…): age: 'no'", "--column: age: 'no'"),
        # a position
        ("sample(name='nope'): unknown.", "nope: unknown."),
        ("read_table(source='t.csv'): there is no such file.", "t.csv: there is no such file."),
        ("read_table(source='a\\'b.csv'): …", "a'b.csv: …"),
        ('read_table(source="a\'b.csv"): 5 cells take', "a'b.csv: 5 cells take"),
        # an argument that this command does not have
        ("Discretizer(cuts=3): must be …", "Discretizer(cuts=3): must be …"),
        ("learn(plot='x.pdf', tables=True): …", "learn(plot='x.pdf', tables=True): …"),
        # only a call
        ("read_table: 3 cells are missing", "3 cells are missing"),
        ("Network.predict: no column …", "No column …"),
        ("learn: 30 variables …", "30 variables …"),
        ("t.csv: the file is empty", "t.csv: the file is empty"),
        ("learn.csv: the file is empty", "learn.csv: the file is empty"),
        ("Network.csv: the file is empty", "Network.csv: the file is empty"),
        # inside a sentence
        ("Use missing='drop' to drop", "Use --missing drop to drop"),
        ("x. guard='cap' excludes; guard='off' silences", "x. --guard cap excludes; --guard off silences"),
        ("Set max_parents (3, say), or raise memory_limit.", "Set --max-parents (3, say), or raise --memory."),
        ("fewer parents (max_parents=, guard='cap')", "fewer parents (--max-parents, --guard cap)"),
        ("give separator=", "give --separator"),
        ("sheet= chooses another", "--sheet chooses another"),
        ("then give header=False)", "then give --no-header)"),
        ("the separator is not ';', give separator=", "the separator is not ';', give --separator"),
        ("decimal=',' makes", "--decimal , makes"),
        ("header=True", "header=True"),
        ("set unknown='uniform'", "set unknown='uniform'"),
        # a column and what to do with it
        ("Say columns={'a b': 'drop'}.", "Say --column 'a b=drop'."),
        ("columns={'age': 'bins'} bins it, and so does qnml.Discretizer; 'drop'", "--column age=bins bins it; 'drop'"),
        ("a level, by table.with_missing_level(), or read", "a level, or read"),
        ("by table.with_missing_level() or missing='category'.", "by --missing category."),
        # text that looks like an argument but is not
        ("bdeu:score=bic", "bdeu:score=bic"),
        ("--levels A=a,b: …", "--levels A=a,b: …"),
        ("column 'max_parents' has 3", "column 'max_parents' has 3"),
        ("'missing=1' is a label", "'missing=1' is a label"),
        ("missing cells in a table of levels", "missing cells in a table of levels"),
        ("max_parents.csv, line 3: …", "max_parents.csv, line 3: …"),
    ],
)
def test_arguments_become_options(text, expected):
    assert in_shell_words(text) == expected


def test_a_command_speaks_of_its_own_options():
    text = "predict(unknown='loud'): unknown. Use missing='drop' or unknown='raise'."
    assert in_shell_words(text) == "predict(unknown='loud'): unknown. Use --missing drop or unknown='raise'."
    speak_for(COMMANDS["predict"])
    assert in_shell_words(text) == "--unknown loud: unknown. Use missing='drop' or --unknown raise."
    speak_for(None)
    assert in_shell_words(text) == text


def test_flags():
    speak_for(COMMANDS["k-best"])
    assert in_shell_words("Use dags=True or dags=False.") == "Use --dags or --classes."


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_has_a_name(command):
    speak_for(COMMANDS[command])
    for parameter in COMMANDS[command].params:
        word = in_shell_words(f"Set {parameter.name}=7.")
        assert (word == f"Set {parameter.opts[0]} 7.") == parameter.opts[0].startswith("-")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["learn", "HOLES", "--prepare", "strict"], "--missing drop to drop their rows, or --missing category"),
        (["learn", "absent.csv"], "qnml: error: absent.csv: there is no such file."),
        (["learn", "TABLE", "--guard", "loud"], "qnml: error: --guard loud: unknown. Known: warn"),
        (["learn", "TABLE", "--plot", "x.gif"], "qnml: error: --plot x.gif: must be"),
        (["learn", "TABLE", "--memory", "0"], "qnml: error: --memory 0: must be a positive number of gigabytes."),
        (["posterior", "TABLE", "--method", "exact", "--prior", "classes"], "--method exact --prior classes: "),
        (["bootstrap", "TABLE", "--replicates", "0"], "--replicates 0: "),
        (["k-best", "TABLE", "--k", "0"], "qnml: error: --k 0: must be"),
        (["info", "TABLE", "--separator", "ab"], "qnml: error: --separator ab: must be"),
        (["score", "TABLE", "[A][B]", "--jobs", "0"], "qnml: error: --jobs 0: must be"),
        (["predict", "asia", "TABLE", "--target", "x"], "qnml: error: --target x: unknown"),
        (["query", "asia", "--target", "lungs"], "qnml: error: --target lungs: unknown"),
        (["query", "asia", "--target", "lung", "--evidence", "xray=odd"], "--evidence xray=odd: unknown"),
    ],
)
def test_no_message_of_a_command_speaks_of_arguments(qnml_command, table_file, tmp_path, words, expected):
    holes = tmp_path / "holes.csv"
    holes.write_text("A,B\na,\nb,x\n", encoding="utf-8")
    files = {"TABLE": table_file, "HOLES": holes}
    outcome = qnml_command(*(files.get(word, word) for word in words))
    assert expected in outcome.err
    assert outcome.code in (1, 2)


def test_warnings_on_pages_speak_of_options(qnml_command, tmp_path):
    path = tmp_path / "coins.csv"
    rows = "\n".join(",".join(str((row * 7919 >> place) & 1) for place in range(6)) for row in range(20))
    path.write_text(f"a,b,c,d,e,f\n{rows}\n", encoding="utf-8")
    document = qnml_command("posterior", path, "--json").document
    assert "--guard cap excludes them" in " ".join(document["warnings"])
