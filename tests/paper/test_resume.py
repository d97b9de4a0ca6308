"""Resuming from files on disk, and naming what cannot be run."""

import polars as pl
import pytest

from qnml.errors import DataFolderError, InputError
from qnml.paper.run import run
from qnml.paper.store import Store
from qnml.paper.wanted import Settings


def settings(repetitions, **others):
    return Settings(seed=5, repetitions=repetitions, networks=("asia", "cancer"), **others)


def test_only_what_is_missing_is_run(tmp_path, drawn):
    whole, grown = tmp_path / "whole", tmp_path / "grown"
    run(["figure2"], settings(9), whole, workers=1)
    drawn.calls.clear()
    first = run(["figure2"], settings(4), grown, workers=1, chunk_seconds=0)
    assert (first.learnings, first.kept) == (16, 0)
    (damaged,) = (grown / "raw" / "structure" / "cancer").glob("1-2-*.parquet")
    damaged.write_bytes(b"damaged")
    drawn.calls.clear()
    outcome = run(["figure2", "figure3"], settings(9), grown, workers=1, resume=True)
    done = sorted((subject, k) for subject, start, stop in drawn.calls for k in range(start, stop))
    assert done == [*(("asia", k) for k in range(4, 9)), ("cancer", 1), *(("cancer", k) for k in range(4, 9))]
    assert (outcome.learnings, outcome.kept, outcome.unreadable) == (2 * 11, 2 * 7, 1)
    assert outcome.frames["structure"].equals(pl.read_parquet(whole / "raw" / "structure.parquet"))
    assert (grown / "raw" / "structure.parquet").read_bytes() == (whole / "raw" / "structure.parquet").read_bytes()
    drawn.calls.clear()
    again = run(["figure2"], settings(9), grown, workers=1, resume=True)
    assert (again.learnings, drawn.calls) == (0, [])


def test_what_is_there_is_not_touched_without_being_told_to(tmp_path, drawn):
    run(["figure2"], settings(2), tmp_path, workers=1)
    drawn.calls.clear()
    with pytest.raises(InputError, match="Add --resume"):
        run(["figure3"], settings(2), tmp_path, workers=1)
    with pytest.raises(InputError, match="results of seed 5, not of 6"):
        run(["figure2"], Settings(seed=6, repetitions=2), tmp_path, workers=1, resume=True)
    assert drawn.calls == []


def test_an_interruption_keeps_what_is_done_and_says_how_to_go_on(tmp_path, drawn):
    def interrupt(progress):
        if progress.done == 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match=r"6 of 20 networks .* kept in .*--resume"):
        run(["figure2"], settings(5), tmp_path, workers=1, chunk_seconds=0, watch=interrupt)
    outcome = run(["figure2"], settings(5), tmp_path, workers=1, resume=True)
    assert (outcome.kept, outcome.learnings) == (6, 14)
    assert [noted["learnings"] for noted in Store(tmp_path).runs()] == [6, 14]


def test_repetitions_of_parts_that_share_results_are_the_most_of_them(tmp_path, data_folder, monkeypatch):
    monkeypatch.setattr("qnml.paper.run.execute", lambda work, crew, keep: crew.close())
    monkeypatch.setattr("qnml.paper.run._collect", lambda *_: ({}, ()))
    seen = []
    monkeypatch.setattr("qnml.paper.run.WorkList", lambda tasks, *_: seen.extend(tasks) or _Nothing(tasks))
    run(["figure1", "table2"], Settings(), tmp_path, workers=1)
    numbers = {task.subject: task.n_left for task in seen}
    assert len(numbers) == 20
    assert set(numbers.values()) == {1000}


def test_what_the_authors_program_did_runs_on_request(tmp_path, data_folder, monkeypatch):
    monkeypatch.setattr("qnml.paper.run.execute", lambda work, crew, keep: crew.close())
    monkeypatch.setattr("qnml.paper.run._collect", lambda *_: ({}, ()))
    seen = []
    monkeypatch.setattr("qnml.paper.run.WorkList", lambda tasks, *_: seen.extend(tasks) or _Nothing(tasks))
    run(["table3"], Settings(datasets=("iris",)), tmp_path, workers=1)
    assert [task.experiment for task in seen] == ["parsimony"]
    seen.clear()
    run(["table3"], Settings(datasets=("iris",), as_published=True), tmp_path, workers=1)
    assert [(task.experiment, task.n_left) for task in seen] == [("parsimony", 1000), ("parsimony-as-published", 100)]
    seen.clear()
    run(["theory"], Settings(networks=("asia",), repetitions=7), tmp_path, workers=1)
    assert [(task.experiment, task.n_left) for task in seen] == [("theory", 1), ("consistency", 7)]


class _Nothing:
    def __init__(self, tasks):
        self.tasks = tasks


def test_without_the_data_folder_the_rest_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("QNML_DATA", str(tmp_path / "nowhere"))
    outcome = run(["table1", "figure1", "table3"], settings(1), tmp_path / "out", workers=1)
    assert outcome.parts == ("table1", "table3")
    assert outcome.frames["parsimony"]["dataset"].unique(maintain_order=True).to_list() == ["iris", "wine"]
    assert set(outcome.missing) == {"figure1", "table3"}
    assert outcome.missing["figure1"].startswith("figure1 needs the data folder for breast_cancer.")
    assert outcome.missing["table3"].startswith("table3 needs the data folder for all data sets but iris, wine.")
    with pytest.raises(DataFolderError, match="figure1 needs the data folder for breast_cancer"):
        run(["figure1"], settings(1), tmp_path / "other", workers=1)
    chosen = settings(1, datasets=("wine", "adult"))
    assert "for adult. Set" in run(["table3"], chosen, tmp_path / "chosen", workers=1).missing["table3"]


@pytest.mark.parametrize(
    ("parts", "given", "words"),
    [
        (["table9"], {}, r"part='table9'\): unknown\. Known: table1, .*, all\. Did you mean"),
        (["table3"], {"datasets": ("irsi",)}, r"datasets='irsi'\): unknown\. Known: .*Did you mean 'iris'"),
        (["figure2"], {"networks": ("alarm",)}, r"networks='alarm'\): unknown\. Known: asia, cancer, .*survey"),
        (["figure1"], {"datasets": ("iris",)}, r"figure1 is about breast_cancer only"),
    ],
)
def test_names_that_mean_nothing_are_refused(tmp_path, data_folder, parts, given, words):
    with pytest.raises(InputError, match=words):
        run(parts, Settings(**given), tmp_path / "out", workers=1)
    assert not (tmp_path / "out").exists()


def test_all_data_sets_are_listed_when_one_is_not_known(tmp_path):
    with pytest.raises(InputError) as caught:
        run(["table3"], Settings(datasets=("nothing",)), tmp_path, workers=1)
    assert " more." not in str(caught.value)
    assert all(name in str(caught.value) for name in ("abalone", "adult", "post_operative", "yeast"))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"workers": 0}, r"workers=0\): must be a whole number of at least 1"),
        ({"workers": 2, "scheduler": "tcp://x:1"}, "exclude each other"),
        ({"settings": Settings(repetitions=0)}, r"reps=0\): must be"),
        ({"settings": Settings(seed=-1)}, r"seed=-1\): must be"),
    ],
)
def test_arguments_out_of_range_are_refused(tmp_path, given, words):
    with pytest.raises(InputError, match=words):
        run(["table1"], out=tmp_path / "out", **given)
    assert not (tmp_path / "out").exists()
