"""The two JSON files of a results folder: any content gives one error that names the entry, or none."""

from __future__ import annotations

import json
import random
import shutil
from typing import Any

import pytest
from reference.edited_documents import edited

from qnml.errors import FileFormatError, InputError, QnmlError
from qnml.paper.results import read_results
from qnml.paper.run import run
from qnml.paper.store import Store
from qnml.paper.wanted import Settings

SETTINGS = Settings(seed=5, repetitions=2, networks=("asia", "cancer"))


@pytest.fixture
def folder(tmp_path, drawn):
    """Small results, with the other files of a run."""
    run(["figure2"], SETTINGS, tmp_path / "results", workers=1)
    drawn.calls.clear()
    return tmp_path / "results"


def change(folder, name, place, value):
    document = json.loads((folder / name).read_text())
    holder: Any = document
    for step in place[:-1]:
        holder = holder[step]
    if value is None:
        del holder[place[-1]]
    else:
        holder[place[-1]] = value
    (folder / name).write_text(json.dumps(document))


@pytest.mark.parametrize(
    ("name", "place", "value", "said"),
    [
        ("settings.json", ["format"], 1, "format is 1, and must be 2"),
        ("settings.json", ["format"], None, "format is absent, and must be 2"),
        ("settings.json", ["seed"], "5", "seed is '5', and must be a whole number from 0 to"),
        ("settings.json", ["seed"], 5.0, "seed is 5.0, and must be a whole number"),
        ("settings.json", ["seed"], -5, "seed is -5, and must be a whole number"),
        ("settings.json", ["versions"], None, "versions is absent, and must be a dictionary with qnml"),
        ("settings.json", ["versions", "qnml"], 3, r"versions\.qnml is 3, and must be a text"),
        ("settings.json", ["versions"], [], r"versions is \[\], and must be a dictionary"),
        ("settings.json", ["note"], "x", "note is 'x', and must be left out: entries are format, seed, versions"),
        ("runs.json", [0, "parts"], None, r"\[0\]\.parts is absent, and must be a dictionary"),
        (
            "runs.json",
            [0, "parts"],
            {"figure9": "x"},
            r"a name in \[0\]\.parts is 'figure9', and must be one of table1",
        ),
        ("runs.json", [0, "parts", "figure2"], 3, r"\[0\]\.parts\.figure2 is 3, and must be null or a text"),
        ("runs.json", [0, "date"], "soon", r"\[0\]\.date is 'soon', and must be a date such as"),
        ("runs.json", [0, "learnings"], "x", r"\[0\]\.learnings is 'x', and must be a whole number"),
        ("runs.json", [0, "seconds"], float("nan"), r"\[0\]\.seconds is nan, and must be a number from 0"),
        ("runs.json", [0, "workers"], [1], r"\[0\]\.workers is \[1\], and must be a whole number"),
    ],
)
def test_an_edit_is_refused_by_its_name_before_the_work(folder, drawn, name, place, value, said):
    change(folder, name, place, value)
    with pytest.raises(FileFormatError, match=rf"{name}: {said}.*Give another folder, or remove this one\.$"):
        run(["figure2"], Settings(seed=5, repetitions=4, networks=("asia",)), folder, workers=1, resume=True)
    assert drawn.calls == []
    with pytest.raises(FileFormatError, match=rf"{name}: {said}"):
        read_results(folder)


TEXTS = {
    "empty": b"",
    "half": b"{",
    "a list": b"[]",
    "null": b"null",
    "a number": b"3",
    "not text": b"\xff\xfe\x00",
    "deep": b"[" * 100_000 + b"]" * 100_000,
    "long number": b'{"seed": ' + b"9" * 5000 + b"}",
}


@pytest.mark.parametrize("content", TEXTS)
def test_files_that_are_no_document(folder, content):
    (folder / "settings.json").write_bytes(TEXTS[content])
    with pytest.raises(FileFormatError, match=r"settings\.json.*another folder"):
        Store(folder).prepare(5, ["structure"], resume=True)
    if content != "a list":  # of no runs
        (folder / "runs.json").write_bytes(TEXTS[content])
        with pytest.raises(FileFormatError, match=r"runs\.json.*another folder"):
            Store(folder).runs()


def test_a_folder_in_the_place_of_a_file(folder):
    (folder / "runs.json").unlink()
    (folder / "runs.json").mkdir()
    with pytest.raises(InputError, match=r"paper\(out=.*runs\.json'\): the file cannot be read"):
        run(["figure2"], SETTINGS, folder, workers=1, resume=True)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (Settings(seed=-1), r"paper\(seed=-1\)"),
        (Settings(seed=2**64), r"paper\(seed=18446744073709551616\): must be a whole number from 0 to"),
        (Settings(repetitions=0), r"paper\(reps=0\)"),
        (Settings(repetitions=10**9), r"paper\(reps=1000000000\)"),
    ],
)
def test_settings_that_no_folder_could_keep(settings, said, tmp_path):
    with pytest.raises(InputError, match=said):
        run(["table1"], settings, tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_no_edit_breaks_anything(folder, tmp_path):
    """Random edits of both files: an error of ours that names the file, or a run and a reading that work."""
    rng = random.Random(3)
    place = tmp_path / "edited"
    refused = 0
    for number in range(150):
        name = rng.choice(["settings.json", "runs.json"])
        changed, said = edited(json.loads((folder / name).read_text()), rng)
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(folder, place)
        try:
            text = json.dumps(changed, default=str)
        except (ValueError, RecursionError, TypeError):
            continue  # no content that a file could have
        (place / name).write_text(text)
        try:
            run(["figure2"], SETTINGS, place, workers=1, resume=True)
            read_results(place)
        except QnmlError as error:
            refused += 1
            if not any(word in str(error) for word in (name, "results of seed", "results of qnml")):
                pytest.fail(f"edit {number}, {said}: {error}")
    assert 50 < refused < 150
