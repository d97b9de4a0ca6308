"""Raw rows and raw evidence on the command line, with networks that remember how their data were prepared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
from reference.preparations import BINS, PREPARATION, RAW, example, thirds

import qnml

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NET = example()
ENDINGS = [".json", ".bif", ".xmlbif", ".net", ".dsc", ".xdsl"]


@pytest.fixture
def raw_file(tmp_path: Path) -> Path:
    """Raw rows, with a column that was left out."""
    pl.DataFrame(RAW, strict=False).write_csv(tmp_path / "raw.csv")
    return tmp_path / "raw.csv"


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A network that remembers how they are prepared."""
    qnml.write_network(NET, tmp_path / "net.json")
    return tmp_path / "net.json"


@pytest.mark.parametrize("ending", ENDINGS)
def test_iris_is_learned_written_read_and_predicted_from_raw_rows(
    qnml_command: Callable[..., Any], data_folder: Path, tmp_path: Path, ending: str
) -> None:
    raw = data_folder / "uci" / "iris.csv"
    columns = {name: cells.to_numpy() for name, cells in pl.read_csv(raw).to_dict().items()}
    table = thirds(columns, "class").apply(columns)
    path = tmp_path / f"iris{ending}"
    qnml.write_network(qnml.learn(table, n_jobs=1).fit(), path)
    net = qnml.read_network(path)
    assert np.mean(net.predict(raw, "class") == columns["class"]) > 0.9
    assert np.array_equal(net.log_prob(raw), net.log_prob(table))
    document = qnml_command("predict", path, raw, "--target", "class", "--json").document
    assert document["judgement"]["rows"] == 150
    assert document["judgement"]["accuracy"] > 0.9
    assert {entry["column"] for entry in document["prepared"]} == set(columns) - {"class"}
    outcome = qnml_command("predict", path, raw, "--target", "class")
    assert outcome.code == 0
    assert "Prepared as in the data the network was learned from: binned: " in outcome.out


def test_the_page_of_predictions_has_a_line_about_raw_columns(
    qnml_command: Callable[..., Any], model: Path, raw_file: Path, tmp_path: Path
) -> None:
    page = " ".join(qnml_command("predict", model, raw_file, "--target", "score").out.split())
    assert "binned: age; merged: town; missing cells made a level: sex; left out: id." in page
    PREPARATION.apply(RAW).to_frame().write_parquet(tmp_path / "levels.parquet")
    levels = qnml_command("predict", model, tmp_path / "levels.parquet", "--target", "score")
    assert "Prepared" not in levels.out
    raw = qnml_command("predict", model, raw_file, "--target", "score", "--proba", "--json").document
    of_levels = qnml_command("predict", model, tmp_path / "levels.parquet", "--target", "score", "--proba", "--json")
    assert raw["probabilities"] == of_levels.document["probabilities"]
    assert of_levels.document["prepared"] == []


def test_a_binned_target_is_predicted_and_judged_by_its_bins(
    qnml_command: Callable[..., Any], model: Path, raw_file: Path
) -> None:
    document = qnml_command("predict", model, raw_file, "--target", "age", "--json").document
    assert set(document["predictions"]) <= set(BINS)
    judgement = NET.evaluate(PREPARATION.apply(RAW), "age").judgement
    assert judgement is not None
    assert document["judgement"] == vars(judgement)


def test_evidence_and_interventions_are_raw_values_or_labels(qnml_command: Callable[..., Any], model: Path) -> None:
    raw = qnml_command("query", model, "--target", "score", "--evidence", "age=54.2,town=Oslo", "--json").document
    label = qnml_command("query", model, "--target", "score", "--evidence", "age=(50, inf),town=(other)", "--json")
    assert raw["evidence"] == label.document["evidence"] == {"age": BINS[2], "town": "(other)"}
    assert (raw["raw"], label.document["raw"]) == ({"age": "54.2", "town": "Oslo"}, {})
    assert raw["probabilities"] == label.document["probabilities"]
    page = qnml_command("query", model, "--target", "score", "--evidence", "sex=f", "--do", "age=54").out
    assert "Given: sex = f" in page
    assert "Set: age = (50, inf)" in page
    assert "Raw values: age 54 is (50, inf)" in page
    best = qnml_command("query", model, "--mpe", "--evidence", "age=-3", "--json").document
    assert best["assignment"]["age"] == BINS[0]
    refused = qnml_command("query", model, "--target", "score", "--evidence", "age=old")
    refused.assert_refused(
        "--evidence age=old: unknown", "Known: (-inf, 30], (30, 50], (50, inf)", "Numbers are put into these bins."
    )


def test_samples_are_drawn_given_raw_values(qnml_command: Callable[..., Any], model: Path, tmp_path: Path) -> None:
    command = ("sample", model, 20, "--seed", 1, "--evidence")
    raw = qnml_command(*command, "age=42", "--json").document
    assert raw["columns"] == qnml_command(*command, f"age={BINS[1]}", "--json").document["columns"]
    assert set(raw["columns"]["age"]) == {BINS[1]}
    page = qnml_command(*command, "age=42", "--output", tmp_path / "out.csv").out
    assert "Raw values: age 42 is (30, 50]" in page


def test_raw_rows_are_scored_as_their_levels(
    qnml_command: Callable[..., Any], model: Path, raw_file: Path, tmp_path: Path
) -> None:
    raw = qnml_command("score", raw_file, model, "--json").document
    PREPARATION.apply(RAW).to_frame().write_parquet(tmp_path / "levels.parquet")
    levels = qnml_command("score", tmp_path / "levels.parquet", model, "--json").document
    assert raw["scores"][0]["value"] == levels["scores"][0]["value"] == qnml.score(RAW, NET)
    assert (raw["data"]["prepared"], raw["data"]["rows"], raw["network"]["levels"]) == (True, 5, "network")
    assert "prepared as in the data the network was learned from" in qnml_command("score", raw_file, model).out


def test_scores_with_weights_missing_cells_and_further_levels(
    qnml_command: Callable[..., Any], model: Path, tmp_path: Path
) -> None:
    frame = pl.DataFrame({**RAW, "w": [2, 1, 1, 1, 0], "age": [1.5, None, 31, 50, 99]}, strict=False)
    frame.write_csv(tmp_path / "holed.csv")
    command = ("score", tmp_path / "holed.csv", model, "--weights", "w")
    qnml_command(*command).assert_refused("1 of 4 rows have missing cells, in age")
    document = qnml_command(*command, "--missing", "drop", "--json").document
    assert document["data"]["total"] == 4
    assert document["scores"][0]["value"] == qnml.score(NET.prepare(frame, weights="w", missing="drop"), NET)
    more = qnml_command(*command, "--missing", "drop", "--levels", "score=1,2,3", "--json").document
    assert more["scores"][0]["value"] < document["scores"][0]["value"]


def test_conversion_keeps_it_in_every_format_but_one(
    qnml_command: Callable[..., Any], model: Path, raw_file: Path, tmp_path: Path
) -> None:
    at = model
    for ending in (*ENDINGS, ".json.gz"):
        to = tmp_path / f"next{ending}"
        assert qnml_command("convert", at, to).code == 0
        assert np.array_equal(qnml.read_network(to).log_prob(RAW), NET.log_prob(RAW))
        at = to
    outcome = qnml_command("convert", at, tmp_path / "bare.uai")
    assert "and how raw rows are prepared" in " ".join(outcome.out.split())
    assert "networks are equivalent" in qnml_command("compare", model, at).out
    assert qnml_command("predict", at, raw_file, "--target", "score").code == 0
