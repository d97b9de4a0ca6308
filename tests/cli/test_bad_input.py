"""Any bad input gives one clear line on stderr and exit code 2."""

import gzip

import pytest

GOOD = "A,B\na,x\nb,y\na,y\n"

BAD_TABLES = {
    "ragged": ("ragged.csv", b"A,B\na,x\nb\na,y\n", ["ragged.csv", "line 3"]),
    "too many cells": ("ragged.csv", b"A,B\na,x\nb,y,z\n", ["ragged.csv", "line 3"]),
    "nothing": ("nothing.csv", b"", ["nothing.csv", "empty"]),
    "binary junk": ("junk.csv", bytes(range(256)) * 8, ["junk.csv"]),
    "zero bytes": ("zeros.csv", b"\0" * 100, ["zeros.csv"]),
    "not UTF-8": ("latin.csv", "A,B\ngrün,x\n".encode("latin-1"), ["latin.csv", "UTF-8"]),
    "no gzip": ("table.csv.gz", b"A,B\na,x\n", ["table.csv.gz", "gzip"]),
    "cut gzip": ("table.csv.gz", gzip.compress(GOOD.encode())[:-9], ["table.csv.gz", "gzip"]),
    "no parquet": ("table.parquet", b"PAR1 is how it starts", ["table.parquet", "Parquet"]),
    "no arrow": ("table.arrow", b"ARROW1 is how it starts", ["table.arrow", "Arrow"]),
    "odd ending": ("table.xyz", GOOD.encode(), ["table.xyz", ".csv"]),
}


@pytest.fixture
def good(tmp_path):
    """A valid table."""
    path = tmp_path / "good.csv"
    path.write_text(GOOD, encoding="utf-8")
    return path


@pytest.mark.parametrize("case", BAD_TABLES)
@pytest.mark.parametrize("command", ["score", "info"])
def test_bad_tables(qnml_command, tmp_path, command, case):
    name, content, words = BAD_TABLES[case]
    path = tmp_path / name
    path.write_bytes(content)
    qnml_command(command, path, *(["[A][B|A]"] if command == "score" else [])).assert_refused(*words)


def test_repeated_names_are_refused_as_they_are(qnml_command, tmp_path):
    path = tmp_path / "twice.csv"
    path.write_bytes(b"A,A\na,x\n")
    qnml_command("score", path, "[A][B|A]", "--prepare", "strict").assert_refused("'A'")


@pytest.mark.parametrize("command", ["score", "info"])
def test_no_such_table(qnml_command, tmp_path, command):
    for name in ("absent.csv", "absent.parquet", "absent.vd", "absent.csv\0", "a" * 5000 + ".csv"):
        rest = ["[A][B|A]"] if command == "score" else []
        qnml_command(command, tmp_path / name, *rest).assert_refused("qnml: error: ")
    qnml_command("info", tmp_path / "absent.csv").assert_refused("absent.csv", "no such file")


def test_a_directory_instead_of_a_file(qnml_command, tmp_path, good):
    folder, nets = tmp_path / "folder.csv", tmp_path / "folder.bif"
    folder.mkdir()
    nets.mkdir()
    qnml_command("info", folder).assert_refused("folder.csv")
    qnml_command("info", folder).assert_refused("no data files are there")
    qnml_command("score", good, nets).assert_refused("folder.bif")


BAD_NETWORKS = {
    "cycle": ("[A|B][B|A]", ["cycle", "A -> B -> A"]),
    "variable the data lack": ("[A][Bee|A]", ["Bee", "the data lack"]),
    "unclosed": ("[A][B|A", ["not closed"]),
    "parent without a node": ("[A][B|C]", ["'C'"]),
    "node twice": ("[A][B][A|B]", ["'A'", "twice"]),
    "no such file": ("absent.bif", ["absent.bif"]),
    "odd ending": ("net.xyz", ["net.xyz", ".bif"]),
    "neither file nor string": ("A -> B", ["A -> B"]),
    "empty": ("", ["qnml: error: "]),
}


@pytest.mark.parametrize("case", BAD_NETWORKS)
def test_bad_networks(qnml_command, good, case):
    network, words = BAD_NETWORKS[case]
    qnml_command("score", good, network).assert_refused(*words)


BAD_NETWORK_FILES = {
    "malformed": (
        "net.bif",
        b"network x {}\nvariable A {\n  type discrete [ 2 ] { a, b \n",
        ["net.bif", "line"],
    ),
    "not a network": ("net.bif", b"once upon a time", ["net.bif", "line 1"]),
    "empty": ("net.bif", b"", ["net.bif"]),
    "binary junk": ("net.bif", bytes(range(256)) * 8, ["net.bif"]),
    "no JSON": ("net.json", b"{", ["net.json"]),
    "other JSON": ("net.json", b"[1, 2]", ["net.json"]),
    "deep JSON": ("net.json", b"[" * 100_000, ["net.json"]),
    "no gzip": ("net.bif.gz", b"network x {}", ["net.bif.gz", "gzip"]),
    "bad model string": ("net.txt", b"[A][B|A", ["net.txt"]),
}


@pytest.mark.parametrize("case", BAD_NETWORK_FILES)
def test_bad_network_files(qnml_command, good, tmp_path, case):
    name, content, words = BAD_NETWORK_FILES[case]
    path = tmp_path / name
    path.write_bytes(content)
    qnml_command("score", good, path).assert_refused(*words)


def test_labels_the_network_does_not_know(qnml_command, good, tmp_path):
    path = tmp_path / "net.bif"
    path.write_text(
        "network n {}\nvariable A { type discrete [ 2 ] { a, c }; }\nprobability ( A ) { table 0.5, 0.5; }\n",
        encoding="utf-8",
    )
    qnml_command("score", good, path).assert_refused("'A'", "'b'", "--levels declared")
    assert qnml_command("score", good, path, "--levels", "declared").code == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--score", "qmnl"], ["qmnl", "Did you mean 'qnml'?", "bdeu"]),
        (["--score", "bic,"], ["''"]),
        (["--score", "bic:ess=1"], ["bic", "takes no parameter"]),
        (["--score", "bdeu:alpha=1"], ["bdeu:alpha=1", "ess"]),
        (["--score", "bdeu:score=bic"], ["bdeu:score=bic", "ess"]),
        (["--score", "bdeu:n_jobs=1"], ["bdeu:n_jobs=1", "ess"]),
        (["--score", "bdeu:10"], ["bdeu:10", "ess="]),
        (["--score", "bdeu:ess=1:ess=2"], ["bdeu:ess=1:ess=2"]),
        (["--score", "bdeu:ess=-1"], ["ess=-1", "from 1e-100 to 1e+100"]),
        (["--score", "bdeu:ess=nan"], ["ess"]),
        (["--score", "bdeu:ess=lots"], ["lots"]),
        (["--missing", "ignore"], ["ignore", "drop"]),
        (["--levels", "seen"], ["seen", "observed"]),
        (["--levels", "observed", "--levels", "A=a,b"], ["observed", "alone"]),
        (["--levels", "A=a,b", "--levels", "A=a"], ["'A'", "twice"]),
        (["--levels", "A=a"], ["'A'", "'b'"]),
        (["--levels", "A=a,a,b"], ["'A'", "'a'"]),
        (["--levels", "Ax=a,b"], ["Ax"]),
        (["--weights", "times"], ["times"]),
        (["--weights", "B"], ["'B'"]),
        (["--jobs", "0"], ["--jobs 0:"]),
    ],
)
def test_bad_options(qnml_command, good, options, words):
    qnml_command("score", good, "[A]", *options).assert_refused(*words)


@pytest.mark.parametrize("command", ["learn", "posterior", "bootstrap", "k-best", "info", "score", "predict"])
def test_every_command_that_reads_a_table_keeps_to_the_memory_it_is_given(qnml_command, tmp_path, command):
    table, net = tmp_path / "t.csv.gz", tmp_path / "net.json"
    table.write_bytes(gzip.compress(b"A,B\n" + b"a,x\nb,y\n" * 500_000))
    net.write_text(
        '{"format": "qnml-network", "version": 1, "variables": [{"name": "A", "levels": ["a", "b"], "parents": [], '
        '"table": [[0.5, 0.5]]}]}',
        encoding="utf-8",
    )
    others = {"score": [table, "[A][B]"], "predict": [net, table, "--target", "A"]}
    words = others.get(command, [table])
    qnml_command(command, *words, "--memory", "0.02").assert_refused("t.csv.gz", "take about", "--memory", code=1)
