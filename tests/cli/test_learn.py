"""``qnml learn``: the library's answer, the files it writes, and what it refuses before the search."""

import sys
import time

import numpy as np
import polars as pl
import pytest

import qnml
from qnml.cli import main
from qnml.reports.picture import writing


@pytest.fixture(scope="module")
def asia_file(tmp_path_factory):
    """1000 patients drawn from asia."""
    path = tmp_path_factory.mktemp("asia") / "asia.csv"
    qnml.datasets.sample("asia", 1000, seed=1).to_frame().write_csv(path)
    return path


@pytest.fixture
def coins_file(tmp_path):
    """Ten independent coins, forty throws: qNML's optimum is over-full."""
    throws = np.random.default_rng(3).integers(0, 2, (40, 10))
    path = tmp_path / "coins.csv"
    pl.DataFrame({f"c{i}": throws[:, i] for i in range(10)}).write_csv(path)
    return path


@pytest.fixture
def flowers_file(tmp_path):
    """Real-valued columns, with a column that says how often each row counts."""
    random = np.random.default_rng(1)
    length = random.normal(5.0, 1.0, 200)
    path = tmp_path / "flowers.csv"
    pl.DataFrame(
        {
            "length": length,
            "width": 2 * length + random.normal(0, 0.3, 200),
            "kind": np.where(length > 5, "tall", "short"),
            "times": random.integers(1, 9, 200),
        }
    ).write_csv(path)
    return path


def wide_file(folder, n_variables, n_rows=1000):
    """More variables than an exact search handles in a moment."""
    random = np.random.default_rng(3)
    columns = random.integers(0, 3, (n_variables, n_rows))
    for i in range(2, n_variables):
        follows = random.random(n_rows) < 0.6
        columns[i, follows] = (columns[i - 1] + columns[i - 2])[follows] % 3
    path = folder / f"wide{n_variables}.csv"
    pl.DataFrame({f"v{i}": column for i, column in enumerate(columns)}).write_csv(path)
    return path


def test_json_is_the_answer_of_the_library(qnml_command, asia_file):
    document = qnml_command("learn", asia_file, "--json").document
    result = qnml.learn(qnml.read_table(asia_file))
    assert document["command"] == "learn"
    assert document["version"] == qnml.__version__
    assert document["data"] == {
        "source": str(asia_file),
        "rows": 1000,
        "total": 1000,
        "variables": 8,
        "preparation": None,
    }
    assert document["score"] == {"label": "qnml", "value": result.score}
    assert {(arc["parent"], arc["child"]) for arc in document["network"]["arcs"]} == set(result.dag.arcs)
    assert document["certificate"]["optimal"] is True
    assert document["certificate"]["stop_reason"] is None
    assert document["files"] == []


def test_people_see_arcs_directions_and_the_certificate(qnml_command, asia_file):
    outcome = qnml_command("learn", asia_file)
    assert (outcome.code, outcome.err) == (0, "")
    for words in ("bronc -> dysp", " -- ", "Proven optimal", "Without arcs: asia"):
        assert words in outcome.out
    assert "Written" not in outcome.out


def test_the_score_and_its_parameter(qnml_command, asia_file):
    document = qnml_command("learn", asia_file, "--score", "bdeu:ess=10", "--json").document
    result = qnml.learn(qnml.read_table(asia_file), "bdeu", ess=10)
    assert document["score"] == {"label": result.score_name, "value": result.score}
    assert document["score"]["value"] != qnml.learn(qnml.read_table(asia_file), "bdeu", ess=1).score
    qnml_command("learn", asia_file, "--score", "bic,aic").assert_refused("bic,aic", "one score")
    qnml_command("learn", asia_file, "--score", "nml").assert_refused("decomposable")


def test_limits_reach_the_search(qnml_command, asia_file):
    document = qnml_command("learn", asia_file, "--max-parents", 1, "--jobs", 1, "--json").document
    children = [arc["child"] for arc in document["network"]["arcs"]]
    assert children
    assert len(set(children)) == len(children)
    qnml_command("learn", asia_file, "--max-parents", -1).assert_refused("--max-parents -1:")
    qnml_command("learn", asia_file, "--guard", "loud").assert_refused("--guard loud:", "warn")
    qnml_command("learn", asia_file, "--ties", "none").assert_refused("--ties none:", "canonical")
    qnml_command("learn", asia_file, "--time", -1).assert_refused("--time -1.0:")
    qnml_command("learn", asia_file, "--memory", 0).assert_refused("--memory 0: must be a positive number of gigabytes")


@pytest.mark.parametrize("kind", ["toml", "json"])
def test_knowledge_is_obeyed(qnml_command, asia_file, tmp_path, kind):
    path = tmp_path / f"known.{kind}"
    text = {"toml": 'required = [["asia", "tub"]]\n', "json": '{"required": [["asia", "tub"]]}'}[kind]
    path.write_text(text, encoding="utf-8")
    document = qnml_command("learn", asia_file, "--knowledge", path, "--json").document
    (arc,) = [a for a in document["network"]["arcs"] if (a["parent"], a["child"]) == ("asia", "tub")]
    # Its price exceeds its gain: it is present because it was required.
    assert arc["removal_cost_bits"] < 0
    assert "because they are required" in qnml_command("learn", asia_file, "--knowledge", path).out


def test_knowledge_that_cannot_be_used(qnml_command, asia_file, tmp_path):
    path = tmp_path / "known.toml"
    path.write_text('required = [["asia", "moon"]]\n', encoding="utf-8")
    qnml_command("learn", asia_file, "--knowledge", path).assert_refused("moon")
    path.write_text("roots = []\nrequired = ?\n", encoding="utf-8")
    qnml_command("learn", asia_file, "--knowledge", path).assert_refused("known.toml", "line 2")
    qnml_command("learn", asia_file, "--knowledge", tmp_path / "no.toml").assert_refused("no.toml")


def test_every_kind_of_output(qnml_command, asia_file, tmp_path):
    paths = {kind: tmp_path / f"net.{kind}" for kind in ("json", "bif", "dot", "txt", "bif.gz", "svg")}
    words = [word for kind, path in paths.items() for word in ("--plot" if kind == "svg" else "--output", path)]
    document = qnml_command("learn", asia_file, *words, "--json").document
    assert [file["path"] for file in document["files"]] == list(map(str, paths.values()))
    result = qnml.learn(qnml.read_table(asia_file))
    fitted = result.fit("snml")
    assert qnml.read_network(paths["json"]) == fitted
    assert qnml.read_network(paths["bif"]).allclose(fitted)
    assert qnml.read_network(paths["bif.gz"]).allclose(fitted)
    assert qnml.read_structure(paths["txt"])[0] == result.dag
    assert paths["dot"].read_text(encoding="utf-8").count(" [color=") == result.dag.n_arcs
    assert "</svg>" in paths["svg"].read_text(encoding="utf-8")
    outcome = qnml_command("learn", asia_file, "--output", paths["txt"], "--plot", paths["svg"])
    shown = "".join(outcome.out.split())
    for kind in ("txt", "svg"):
        assert f"Written:{paths[kind]}" in shown


def test_files_that_cannot_be_written_are_refused_before_the_search(qnml_command, asia_file, tmp_path, monkeypatch):
    def search(*_, **__):
        pytest.fail("the search was started")

    monkeypatch.setattr(qnml, "learn", search)
    refused = {
        ("--output", "net.xls"): ["net.xls", ".bif", "--plot"],
        ("--plot", "net.gif"): ["net.gif", ".svg, .png, .pdf"],
        ("--plot", "net.dot"): ["net.dot", ".svg, .png"],
        ("--output", tmp_path / "nowhere" / "net.bif"): ["nowhere", "no folder"],
    }
    for words, expected in refused.items():
        qnml_command("learn", asia_file, *words).assert_refused(*expected)
    brackets = tmp_path / "brackets.csv"
    brackets.write_text("a[0],b\n1,2\n2,1\n", encoding="utf-8")
    qnml_command("learn", brackets, "--output", tmp_path / "net.txt").assert_refused("a[0]")
    monkeypatch.setattr(writing, "dot_program", lambda: None)
    monkeypatch.setattr(writing, "has_matplotlib", lambda: False)
    qnml_command("learn", asia_file, "--plot", tmp_path / "net.png").assert_refused("matplotlib", "SVG", code=1)


def test_a_file_that_fails_does_not_lose_the_result(qnml_command, asia_file, tmp_path):
    folder = tmp_path / "taken.bif"
    folder.mkdir()
    outcome = qnml_command("learn", asia_file, "--output", tmp_path / "net.txt", "--output", folder)
    assert outcome.code == 2
    assert "bronc -> dysp" in outcome.out
    assert "net.txt" in "".join(outcome.out.split())
    assert outcome.err.startswith("qnml: error: ")
    assert "taken.bif" in outcome.err
    assert len(outcome.err.splitlines()) == 1


def test_a_picture_as_png(qnml_command, asia_file, tmp_path):
    path = tmp_path / "net.png"
    assert qnml_command("learn", asia_file, "--plot", path).code == 0
    assert path.read_bytes().startswith(b"\x89PNG")


def test_overfull_families_are_on_the_page_once_and_nowhere_else(qnml_process, coins_file):
    outcome = qnml_process("learn", coins_file)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.count("Over-full") == 1
    assert "Over-full" not in qnml_process("learn", coins_file, "--guard", "off").out
    capped = qnml_process("learn", coins_file, "--guard", "cap", "--json").document
    assert capped["overfull"] == []
    document = qnml_process("learn", coins_file, "--json").document
    assert len(document["network"]["arcs"]) > len(capped["network"]["arcs"])
    assert all(family["cells"] > 20 for family in document["overfull"])


def test_numbers_are_binned_and_the_page_says_so(qnml_command, flowers_file):
    outcome = qnml_command("learn", flowers_file, "--weights", "times")
    assert outcome.code == 0
    assert "Binned: length" in " ".join(outcome.out.split())
    qnml_command("learn", flowers_file, "--prepare", "strict").assert_refused("length, width", "real values")


def test_columns_are_prepared_as_asked(qnml_command, flowers_file):
    wishes = ["--column", "length=5.5,6", "--column", "width=drop", "--column", "times=frequency:2"]
    document = qnml_command("learn", flowers_file, *wishes, "--json").document
    made = {column["name"]: column for column in document["data"]["preparation"]["columns"]}
    assert made["length"]["cuts"] == [5.5, 6.0]
    assert made["width"]["action"] == "drop"
    assert len(made["times"]["levels"]) == 2
    qnml_command("learn", flowers_file, "--column", "length").assert_refused("--column length: must be NAME=HOW")
    qnml_command("learn", flowers_file, "--column", "size=bins").assert_refused("no column 'size'")
    twice = ["--column", "width=drop", "--column", "width=bins"]
    qnml_command("learn", flowers_file, *twice).assert_refused("given twice")


@pytest.mark.parametrize("method", ["paper", "width", "frequency"])
def test_numbers_are_cut_and_weights_are_not(qnml_command, flowers_file, method):
    document = qnml_command(
        "learn", flowers_file, "--discretize", method, "--bins", 4, "--weights", "times", "--json"
    ).document
    frame = pl.read_csv(flowers_file)
    table = qnml.read_table(frame, discretize=method, bins=4, weights="times")
    assert document["data"]["total"] == frame["times"].sum()
    assert document["score"]["value"] == pytest.approx(qnml.learn(table).score, rel=1e-12)
    assert document["network"]["variables"] == ["length", "width", "kind"]


def test_cutting_in_a_way_that_does_not_exist(qnml_command, flowers_file):
    qnml_command("learn", flowers_file, "--discretize", "papers").assert_refused(
        "--discretize papers: unknown", "paper"
    )
    qnml_command("learn", flowers_file, "--discretize", "width", "--bins", 1).assert_refused("--bins 1:")


def test_missing_cells_and_levels_as_for_other_commands(qnml_command, tmp_path):
    path = tmp_path / "holes.csv"
    path.write_text("A,B\n" + "a,x\nb,y\n" * 20 + "b,?\n", encoding="utf-8")
    qnml_command("learn", path, "--prepare", "strict").assert_refused("missing", "'B' (1)")
    document = qnml_command("learn", path, "--missing", "drop", "--levels", "A=a,b,c", "--json").document
    table = qnml.read_table(path, missing="drop", levels={"A": ["a", "b", "c"]})
    assert document["data"]["rows"] == 40
    assert document["score"]["value"] == qnml.learn(table).score


def test_a_plan_searches_nothing(qnml_command, asia_file, tmp_path, monkeypatch):
    monkeypatch.setattr(qnml, "learn", lambda *_, **__: pytest.fail("the search was started"))
    document = qnml_command("learn", asia_file, "--plan", "--json").document
    assert document["plan"]["fits"] is True
    small = qnml_command("learn", wide_file(tmp_path, 30, 50), "--plan", "--memory", 0.001)
    assert small.code == 0
    assert "does not fit" in " ".join(small.out.split())


def test_what_does_not_fit_is_refused_with_the_figures(qnml_command, tmp_path):
    path = wide_file(tmp_path, 30, 50)
    exact = qnml_command("learn", path, "--memory", 0.001, "--method", "exact")
    exact.assert_refused("30 variables", "Set --max-parents (3, say), or --guard cap", code=1)
    any_method = qnml_command("learn", path, "--memory", 0.001)
    any_method.assert_refused("30 variables", "976.6 KiB may be used", "fewer columns", code=1)


def test_a_time_limit_gives_the_best_so_far_and_says_so(qnml_command, tmp_path):
    path = wide_file(tmp_path, 26)
    started = time.monotonic()
    outcome = qnml_command("learn", path, "--time", 0.5, "--method", "exact")
    assert time.monotonic() - started < 30
    assert (outcome.code, outcome.err) == (0, "")
    assert "Not proven optimal (time limit reached)" in outcome.out
    assert " -> " in outcome.out
    document = qnml_command("learn", path, "--time", 0.5, "--method", "exact", "--json").document
    assert document["certificate"]["stop_reason"] == "time limit"
    assert document["certificate"]["bound"] >= document["certificate"]["score"]


def test_an_interrupt_gives_the_best_so_far(interrupted_process, tmp_path):
    path = wide_file(tmp_path, 26, 5000)
    document = interrupted_process("learn_exact", 0.5, "learn", path, "--method", "exact", "--json").document
    assert document["certificate"]["stop_reason"] == "interrupted"
    assert document["certificate"]["optimal"] is False


@pytest.mark.parametrize(
    ("words", "terminal", "expected"),
    [([], True, True), ([], False, False), (["--quiet"], True, False), (["--json"], True, False)],
)
def test_progress_only_where_someone_watches(asia_file, monkeypatch, capsys, words, terminal, expected):
    asked = []
    learn = qnml.learn

    def watched(*arguments, progress, **options):
        asked.append(progress)
        return learn(*arguments, **options)

    monkeypatch.setattr(qnml, "learn", watched)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    assert main(["learn", str(asia_file), *words]) == 0
    assert asked == [expected]


def test_equivalence_classes_are_searched_by_name(qnml_command, asia_file):
    document = qnml_command("learn", asia_file, "--method", "ges", "--json").document
    assert document["certificate"]["method"] == "ges"
    assert document["score"]["value"] == qnml.learn(asia_file, method="ges").score
    refused = qnml_command("learn", asia_file, "--method", "ges", "--score", "fnml")
    refused.assert_refused("--score fnml:", "equivalent", "Say --method order")


def test_weights_named_like_a_pattern_are_no_variable_and_are_not_cut(qnml_command, tmp_path):
    path = tmp_path / "t.csv"
    rows = [f"{k / 7},{k % 2},{1 + k % 3}" for k in range(24)]
    path.write_text("\n".join(["length,^a$,^.*$", *rows]) + "\n")
    found = qnml_command("learn", path, "--discretize", "paper", "--weights", "^.*$", "--json").document
    assert found["data"]["total"] == sum(1 + k % 3 for k in range(24))
    assert found["network"]["variables"] == ["length", "^a$"]


def test_it_learns_from_local_scores(asia_file, tmp_path, qnml_command):
    scores = tmp_path / "scores.jkl"
    qnml.write_local_scores(asia_file, scores, max_parents=2)
    outputs = ("--output", tmp_path / "net.txt", "--plot", tmp_path / "net.svg")
    found = qnml_command("learn", scores, "--json", *outputs).document
    expected = qnml.learn(asia_file, max_parents=2)
    assert found["score"]["value"] == pytest.approx(expected.score)
    arcs = {(arc["parent"], arc["child"]) for arc in found["network"]["arcs"]}
    assert arcs == set(expected.dag.arcs)
    assert qnml.Dag.from_modelstring((tmp_path / "net.txt").read_text().strip()).arcs
    assert "<svg" in (tmp_path / "net.svg").read_text()
    assert "Proven optimal" in qnml_command("learn", scores, "--max-parents", 1).out
    best = qnml_command("k-best", scores, "--k", 2, "--json").document
    assert best["entries"][0]["score"] == pytest.approx(expected.score)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--bins", 4, "--weights", "w"], ["--weights", "--bins", "leave out"]),
        (["--separator", ","], ["leave out"]),
        (["--score", "bic", "--guard", "cap"], ["bic", "--guard cap", "ocal scores"]),
        (["--output", "net.bif"], ["net.bif", ".txt"]),
        (["--plan"], ["--plan"]),
        (["--method", "ges"], ["ges", "local scores"]),
    ],
)
def test_local_scores_take_no_options_of_tables(tmp_path, qnml_command, options, words):
    path = tmp_path / "s.jkl"
    path.write_text("2\na 1\n-1 0\nb 1\n-2 0\n")
    qnml_command("learn", path, *options).assert_refused(*words)


def test_it_learns_a_shape(asia_file, qnml_command):
    found = qnml_command("learn", asia_file, "--shape", "tan", "--target", "dysp", "--json").document
    expected = qnml.learn(asia_file, shape="tan", target="dysp")
    arcs = [(arc["parent"], arc["child"]) for arc in found["network"]["arcs"]]
    assert sorted(arcs) == sorted(expected.dag.arcs)
    assert found["certificate"]["method"] == "tan"
    assert found["certificate"]["among"] == "tree-augmented classifiers"
    page = qnml_command("learn", asia_file, "--shape", "tree").out
    assert "Proven optimal among trees" in page
    assert "because the shape needs them" in page
    planned = qnml_command("learn", asia_file, "--shape", "tree", "--plan", "--json").document
    assert planned["plan"]["method"] == "tree"
    qnml_command("learn", asia_file, "--shape", "tan").assert_refused("--target")


def test_it_starts_from_the_network_of_a_file(asia_file, tmp_path, qnml_command):
    net = tmp_path / "expected.txt"
    net.write_text("[either][xray|either][dysp|either]")
    bif = tmp_path / "asia.bif"
    qnml.write_network(qnml.datasets.load_network("asia"), bif)
    alone = qnml_command("learn", asia_file, "--json", "--quiet").document
    for start in (net, bif, "asia", "[lung][xray|lung]"):
        found = qnml_command("learn", asia_file, "--start", start, "--json", "--quiet").document
        assert found["network"] == alone["network"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--start", "[xrai][dysp|xrai]"], "the start names 1 variable(s) the data lack: xrai"),
        (["--start", "nowhere.bif"], "nowhere.bif"),
        (["--start", "[lung|tub:smoke][tub][smoke]", "--max-parents", 1], "lung has 2 parents, at most 1 are allowed"),
    ],
)
def test_starts_that_do_not_fit_are_refused(asia_file, qnml_command, options, words):
    outcome = qnml_command("learn", asia_file, *options)
    assert (outcome.code, outcome.out) == (2, "")
    assert words in outcome.err.replace("The start", "the start")


def test_bins_that_are_learned_take_no_start(flowers_file, qnml_command):
    given = ("learn", flowers_file, "--start", "[length][kind|length]")
    # Bins that are learned with the network have no start: those of the rules are taken, unless it was asked for them.
    assert qnml_command(*given, "--json").document["binning"] is None
    refused = qnml_command(*given, "--discretize", "joint")
    refused.assert_refused("--start: not with --discretize joint", "--discretize nml")


def test_missing_cells_are_estimated(qnml_command, tmp_path):
    path = tmp_path / "holes.csv"
    cells = [("x" if k % 2 else "y", "" if k % 5 == 0 else "u" if k % 2 else "v") for k in range(60)]
    path.write_text("a,b\n" + "\n".join(map(",".join, cells)) + "\n", encoding="utf-8")
    document = qnml_command("learn", path, "--missing", "em", "--json").document
    table = qnml.read_table(path, missing="em")
    result = qnml.learn(table, n_jobs=1)
    known = document["structural_em"]
    assert document["score"]["value"] == known["log_likelihood"] - known["penalty"] == result.score
    assert (known["n_missing"], known["n_incomplete"], known["is_settled"]) == (12, 12, True)
    assert known["trace"] == list(result.structural_em.trace)
    assert [start["start"] for start in known["starts"]] == ["independent", "missing as a level"]
    assert known["sentence"].startswith("12 missing cells estimated by structural EM")
    assert document["certificate"]["sentence"].startswith("For the completed rows: Proven optimal")
    page = qnml_command("learn", path).out
    assert "12 missing cells estimated by structural EM" in page
    assert "For the completed rows: Proven optimal" in page
    assert "a level of their own" in qnml_command("learn", path, "--score", "fnml").out
    refused = qnml_command("learn", path, "--score", "fnml", "--missing", "em")
    refused.assert_refused("--score fnml: must be one of qnml, bic", "by --missing category.")
    assert qnml_command("learn", path, "--json").document["structural_em"]["n_missing"] == 12
    assert qnml_command("learn", path, "--missing", "drop", "--json").document["structural_em"] is None


def test_the_prior_is_obeyed_and_told(qnml_command, asia_file):
    """The document has score, log prior and their sum; the page the cost of the parents."""
    document = qnml_command("learn", asia_file, "--prior", "sparse", "--json").document
    result = qnml.learn(asia_file, prior="sparse")
    assert document["prior"] == {"name": "sparse", "log_prior": result.log_prior, "objective": result.objective}
    assert document["score"]["value"] == result.score
    assert document["certificate"]["score"] == result.objective
    paid = [family["log_prior"] for family in document["families"]]
    assert sum(paid) == pytest.approx(result.log_prior)
    page = " ".join(qnml_command("learn", asia_file, "--prior", "sparse").out.split())
    assert f"With the sparse prior {result.objective:.4f} nats" in page
    assert f"naming the parents costs {-result.log_prior:.4f}" in page
    assert "With the sparse prior: Proven optimal" in page
    plain = qnml_command("learn", asia_file)
    assert "prior" not in plain.out
    refused = qnml_command("learn", asia_file, "--prior", "classes")
    assert refused.code == 2
    assert "--prior" in refused.err


def test_rows_in_which_variables_were_set(qnml_command, tmp_path):
    path = tmp_path / "cells.csv"
    rows = [f"{a},{b},{how}" for a, b in ((0, 0), (1, 1)) for how in ("", "a") for _ in range(20)]
    path.write_text("\n".join(["a,b,how", *rows, "0,1,b", "1,0,b"]) + "\n")
    facts = qnml_command("learn", path, "--interventions", "how", "--json").document
    table = qnml.read_table(path, prepare="auto", interventions="how")
    assert facts["data"]["interventions"] == {"a": 40, "b": 2}
    assert facts["score"]["value"] == pytest.approx(qnml.learn(table).score)
    assert facts["mpdag"][0]["directed"]
    assert facts["mpdag"][0]["by_knowledge"]
    assert not facts["cpdag"][0]["directed"]
    page = qnml_command("learn", path, "--interventions", "how").out
    assert "Set in some rows: a (40), b (2)" in page
    assert "Directed by the interventions, not by the observed rows: a -> b" in page


def test_the_device(asia_file, capsys, monkeypatch):
    """Without CuPy a demanded card is bad input, and 'auto' is the CPU."""
    from qnml import gpu

    monkeypatch.setitem(sys.modules, "cupy", None)
    gpu.open_card.cache_clear()
    gpu.checked_card.cache_clear()
    assert main(["learn", str(asia_file), "--device", "gpu"]) == 2
    assert "CuPy cannot be imported" in capsys.readouterr().err
    assert main(["learn", str(asia_file), "--device", "auto", "--plan"]) == 0
    assert main(["learn", str(asia_file), "--device", "tpu"]) == 2
    assert "--device" in capsys.readouterr().err
    gpu.open_card.cache_clear()
    gpu.checked_card.cache_clear()
