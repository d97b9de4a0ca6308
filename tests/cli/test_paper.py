"""``qnml paper``: what it prints and writes, and how it ends when it is stopped."""

import os
import signal
import subprocess
import sys
import time

import polars as pl
import psutil
import pytest

WORDS = ("paper", "figure2", "--networks", "cancer", "--seed", "5")
LONG = [sys.executable, "-m", "qnml", *WORDS, "--reps", "2000", "--workers", "2", "--out"]
unix = pytest.mark.skipif(os.name == "nt", reason="signals and limits are other ones on Windows")


@pytest.fixture(scope="module")
def finished(qnml_command, tmp_path_factory):
    """A small run in this process: its folder and its output."""
    folder = tmp_path_factory.mktemp("finished")
    return folder, qnml_command(*WORDS, "table1", "--reps", 2, "--workers", 1, "--out", folder)


def results(folder):
    """The chunks in a folder: repetition ranges with their frames."""
    found = {}
    for path in (folder / "raw" / "structure" / "cancer").glob("*.parquet"):
        first, last = map(int, path.stem.split("-")[:2])
        found[range(first, last)] = pl.read_parquet(path)
    return found


@pytest.fixture
def long_run(tmp_path):
    """A long run in a separate process, with its first results on disk; and its workers."""
    with subprocess.Popen([*LONG, str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            deadline = time.monotonic() + 60
            while len(results(tmp_path)) < 2:
                assert process.poll() is None, process.stderr.read()
                assert time.monotonic() < deadline
                time.sleep(0.05)
            yield process, psutil.Process(process.pid).children(recursive=True)
        finally:
            process.kill()


def test_a_page_for_people(finished):
    folder, outcome = finished
    assert (outcome.code, outcome.err) == (0, "")
    assert "Table 1" in outcome.out
    assert "13.24 (13.24)" in outcome.out
    assert "448 networks learned" in outcome.out
    assert f"{folder}{os.sep}report.html" in outcome.out.replace("\n", "")
    left = {path.name for path in folder.iterdir()}
    assert {"raw", "settings.json", "runs.json", "report.html", "table1.md", "figure2.md"} <= left
    tidy = pl.read_csv(folder / "raw" / "structure.csv")
    assert tidy.height == 448
    assert pl.read_parquet(folder / "raw" / "structure.parquet").equals(tidy)


def test_a_document_for_programs(finished, qnml_command, tmp_path):
    document = qnml_command("paper", "table1", "--json", "--out", tmp_path).document
    assert document["command"] == "paper"
    assert (document["seed"], document["run"]["networks_learned"]) == (2018, 0)
    (part,) = document["parts"]
    cells = {(cell["row"], cell["column"]): cell for cell in part["tables"][0]["cells"]}
    assert len(cells) == 36
    # The number printed in the paper, at the end of the first row.
    assert any(cell["printed"] == 13.24 and abs(cell["ours"] - 13.24) < 0.005 for cell in cells.values())
    assert str(tmp_path / "report.html") in document["files"]


def test_the_report_can_be_written_again(finished, qnml_command, tmp_path):
    folder, _ = finished
    (folder / "report.html").unlink()
    raw = (folder / "raw" / "structure.parquet").stat().st_mtime_ns
    page = tmp_path / "page.md"
    document = qnml_command("paper", "report", "--out", folder, "--document", page, "--json").document
    assert (folder / "report.html").is_file()
    assert page.is_file()
    assert document["run"] is None
    assert [part["part"] for part in document["parts"]] == ["table1", "figure2"]
    assert (folder / "raw" / "structure.parquet").stat().st_mtime_ns == raw


def test_more_repetitions_are_added(finished, qnml_command):
    folder, _ = finished
    qnml_command(*WORDS, "--reps", 3, "--workers", 1, "--out", folder).assert_refused("already", "--resume")
    document = qnml_command(*WORDS, "--reps", 3, "--workers", 1, "--out", folder, "--resume", "--json").document
    assert (document["run"]["networks_learned"], document["run"]["networks_kept"]) == (224, 448)
    # Only the requested part is shown; the report still has everything in the folder.
    assert [part["part"] for part in document["parts"]] == ["figure2"]
    assert "Table 1" in (folder / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("table4",), ("table4", "Known: table1", "all")),
        (("table3", "--datasets", "irsi"), ("Did you mean 'iris'?",)),
        (("table3", "--datasets", ","), ("--datasets", "must be one name")),
        (("figure2", "--networks", "alarm"), ("asia, cancer, earthquake, sachs, survey",)),
        (("table1", "--reps", "0"), ("--reps 0:",)),
        (("table1", "--workers", "0"), ("--workers 0:",)),
        (("table1", "--workers", "2", "--scheduler", "tcp://x:1"), ("exclude each other",)),
        (("report",), ("has no results", "qnml paper all")),
        (("report", "table1"), ("takes no other part",)),
    ],
)
def test_bad_usage_is_one_line(qnml_command, tmp_path, words, told):
    qnml_command("paper", *words, "--out", tmp_path / "out").assert_refused(*told)


def test_without_the_data_folder_a_line_says_what_is_missing(qnml_command, tmp_path, monkeypatch):
    monkeypatch.setenv("QNML_DATA", str(tmp_path / "nowhere"))
    outcome = qnml_command("paper", "table1", "figure1", "--out", tmp_path / "out")
    assert outcome.code == 0
    assert outcome.err.splitlines() == [
        "qnml: figure1 needs the data folder for breast_cancer. Set QNML_DATA to the folder that holds uci/authors, "
        "then --resume."
    ]
    assert "Not run" in (tmp_path / "out" / "figure1.md").read_text(encoding="utf-8")
    qnml_command("paper", "figure1", "--out", tmp_path / "other").assert_refused("needs the data folder")


@unix
def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(long_run, tmp_path):
    process, workers = long_run
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert len(err.splitlines()) == 1, err
    assert "interrupted" in err
    assert "--resume" in err
    assert psutil.wait_procs(workers, timeout=30)[1] == []
    assert all(frame.height == 224 * len(repetitions) for repetitions, frame in results(tmp_path).items())


@unix
def test_after_a_kill_the_results_are_readable_and_the_workers_gone(qnml_command, finished, long_run, tmp_path):
    process, workers = long_run
    process.kill()
    process.communicate()
    assert psutil.wait_procs(workers, timeout=60)[1] == []
    kept = sum(map(len, results(tmp_path)))
    assert kept >= 2
    outcome = qnml_command(*WORDS, "--reps", kept + 1, "--workers", 1, "--resume", "--json", "--out", tmp_path)
    assert outcome.document["run"]["networks_learned"] <= 224 * (kept + 1)
    repeated = pl.read_parquet(tmp_path / "raw" / "structure.parquet").filter(pl.col("repetition") < 2)
    assert repeated.equals(pl.read_parquet(finished[0] / "raw" / "structure.parquet").filter(pl.col("repetition") < 2))


@unix
@pytest.mark.slow
def test_a_disk_that_takes_no_more_is_one_line_and_loses_nothing(finished, qnml_command, tmp_path):
    import resource

    def limit():
        # No file larger than this: settings still fit, results do not.
        resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))

    words = [*WORDS, "--workers", "1", "--out", str(tmp_path)]
    assert qnml_command(*words, "--reps", 1).code == 0
    before = set(results(tmp_path))
    command = [sys.executable, "-m", "qnml", *words, "--reps", "2", "--resume"]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert "cannot be written" in done.stderr
    assert "--resume" in done.stderr
    assert set(results(tmp_path)) == before
    assert qnml_command(*words, "--reps", 2, "--resume").code == 0
    first_two = pl.read_parquet(finished[0] / "raw" / "structure.parquet").filter(pl.col("repetition") < 2)
    assert pl.read_parquet(tmp_path / "raw" / "structure.parquet").equals(first_two)
