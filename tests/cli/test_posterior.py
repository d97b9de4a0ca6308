"""``qnml posterior``."""

import numpy as np
import polars as pl
import pytest

import qnml
from qnml.search.posterior import summed
from qnml.search.posterior.structure_sums import Stopped


@pytest.fixture(scope="module")
def iris_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("iris") / "iris.csv"
    iris = qnml.datasets.load("iris")
    iris.select(iris.names[:4]).to_frame().write_csv(path)
    return path


def test_help(qnml_command):
    outcome = qnml_command("posterior", "--help")
    assert outcome.code == 0
    assert "  qnml posterior patients.csv" in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 80


def test_json_is_the_library_s_answer(qnml_command, iris_file):
    found = qnml_command("posterior", iris_file, "--score", "bdeu:ess=2", "--json").document
    expected = qnml.posterior(qnml.read_table(str(iris_file)), "bdeu", ess=2)
    assert (found["command"], found["version"]) == ("posterior", qnml.__version__)
    assert (found["score"], found["weights_are"]) == ("bdeu(ess=2)", "posterior probabilities")
    for pair in found["pairs"]:
        assert pair["forward"] == pytest.approx(expected.edge_probabilities[pair["first"], pair["second"]], abs=1e-12)
    assert len(found["top_classes"]) == 3
    assert found["warnings"] == []


def test_page_and_files(qnml_command, iris_file, tmp_path):
    words = ["--plot", tmp_path / "a.svg", "--heat-map", tmp_path / "m.png", "--output", tmp_path / "pairs.csv"]
    outcome = qnml_command("posterior", iris_file, "--top", "1", "--least", "0.5", *words)
    assert (outcome.code, outcome.err) == (0, "")
    assert "NML weights by qnml" in outcome.out
    assert outcome.out.count("Written: ") == 3
    assert "2 other pairs" in outcome.out
    assert (tmp_path / "m.png").read_bytes().startswith(b"\x89PNG")
    assert "petal_width" in (tmp_path / "a.svg").read_text(encoding="utf-8")
    pairs = pl.read_csv(tmp_path / "pairs.csv")
    assert np.allclose(pairs["forward"] + pairs["backward"] + pairs["absent"], 1.0)


def test_appendix_d(qnml_command, iris_file):
    winners = []
    for alpha in (0.1, 0.3, 0.5):
        words = ["--score", f"bdq:alpha={alpha}", "--prior", "classes", "--method", "enumerate", "--json"]
        best = qnml_command("posterior", iris_file, *words).document["top_classes"][0]
        winners.append((best["directed"], best["undirected"]))
    assert winners[0] != winners[1] != winners[2] != winners[0]


def test_overfull_families_are_told_of(qnml_command, tmp_path):
    coins = np.random.default_rng(1).integers(0, 2, (20, 5))
    path = tmp_path / "coins.csv"
    pl.DataFrame({f"c{i}": coins[:, i] for i in range(5)}).write_csv(path)
    outcome = qnml_command("posterior", path)
    assert (outcome.code, outcome.err) == (0, "")
    assert "more cells than half the 20 rows" in outcome.out
    assert "more cells" not in qnml_command("posterior", path, "--guard", "off").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--score", "qnml,bic"], "one score"),
        (["--prior", "flat"], "--prior flat:"),
        (["--top", "0"], "--top 0:"),
        (["--least", "7"], "--least 7.0:"),
        (["--plot", "a.gif"], ".svg, .png, .pdf, .dot"),
        (["--heat-map", "a.gif"], ".png, .svg, .pdf"),
        (["--output", "a.xls"], ".csv, .parquet"),
        (["--plot", "nowhere/a.svg"], "there is no folder"),
        (["--prior", "order", "--method", "enumerate"], "--method enumerate --prior order:"),
    ],
)
def test_bad_usage(words, said, qnml_command, iris_file):
    qnml_command("posterior", iris_file, *words).assert_refused(said)


def test_too_large_is_refused(qnml_command, tmp_path):
    path = tmp_path / "asia.csv"
    qnml.datasets.sample("asia", 500, seed=1).to_frame().write_csv(path)
    qnml_command("posterior", path, "--method", "enumerate").assert_refused("783,702,329,343 DAGs", code=1)


def test_sums_that_are_stopped_are_told_of(qnml_command, iris_file, monkeypatch):
    stopped = (None, Stopped("time limit", "sums", 0.43))
    monkeypatch.setattr(summed, "sum_structures", lambda *_: stopped)
    words = ["--method", "exact", "--time", "1000", "--samples", "400"]
    found = qnml_command("posterior", iris_file, *words, "--json").document
    assert (found["method"], found["diagnostics"]["stop_reason"]) == ("mcmc", "time limit")
    assert found["diagnostics"]["instead_of"].startswith("method='exact', which the time limit ended after")
    assert found["log_total"] is None
    assert found["pairs"][0]["forward_error"] > 0
    assert any("these are estimates by Markov chains" in warning for warning in found["warnings"])
    page = qnml_command("posterior", iris_file, *words)
    assert (page.code, page.err) == (0, "")
    said = " ".join(page.out.split())
    assert "They stand in for --method exact, which the time limit ended after" in said
    assert "--method exact: these are estimates by Markov chains" in said
    assert "±" in said
    weighted = qnml_command("posterior", iris_file, *words, "--prior", "order", "--json").document
    assert weighted["diagnostics"]["weights_effective_size"] > 1


def test_an_interrupt_gives_what_can_be_drawn(interrupted_process, tmp_path):
    path = tmp_path / "coins.csv"
    coins = np.random.default_rng(1).integers(0, 2, (50, 20))
    pl.DataFrame(coins, schema=[f"v{k}" for k in range(20)], orient="row").write_csv(path)
    words = ["posterior", path, "--method", "exact", "--guard", "off", "--samples", "50", "--top", "1", "--json"]
    # The sums take seconds at the least.
    document = interrupted_process("family_log_scores", 0.1, *words).document
    assert (document["method"], document["diagnostics"]["stop_reason"]) == ("mcmc", "interrupted")
    assert "which Ctrl-C ended after" in document["sentence"]


def test_nothing_is_given_after_a_second_interrupt(qnml_command, iris_file, monkeypatch):
    stopped = (None, Stopped("interrupted", "sums", 0.43, 2))
    monkeypatch.setattr(summed, "sum_structures", lambda *_: stopped)
    words = ["interrupted: --method exact ended after", "at 43% of the stage 'sums'"]
    qnml_command("posterior", iris_file, "--method", "exact").assert_refused(*words, code=130)


def test_equal_columns_give_a_document(qnml_command, tmp_path):
    # With these rows, arrays decide whether the ranking is proven, and JSON does not know their booleans.
    path = tmp_path / "coins.csv"
    rows = "\n".join(",".join(str((row * 7919 >> place) & 1) for place in range(6)) for row in range(20))
    path.write_text(f"a,b,c,d,e,f\n{rows}\n", encoding="utf-8")
    assert qnml_command("posterior", path, "--json").document["rankings_are_proven"] is False
