"""Results on disk: whole files only, read back in order, and never mixed with those of another seed."""

import errno
import json
import os

import polars as pl
import pytest

from qnml.errors import InputError, QnmlError
from qnml.paper.store import Store
from qnml.paper.work import Chunk


def frame(first, last):
    return pl.DataFrame(
        {"repetition": [k for k in range(first, last) for _ in "ab"], "value": list("ab") * (last - first)}
    )


def save(store, first, last, subject="asia"):
    store.save(Chunk("structure", subject, first, last, 1), frame(first, last))


def test_frames_come_back_in_order_whatever_the_cuts(tmp_path):
    store = Store(tmp_path)
    for first, last in ((10, 12), (2, 10), (0, 2)):
        save(store, first, last)
    assert store.covered("structure", "asia") == [range(2), range(2, 10), range(10, 12)]
    assert store.frame("structure", ["cancer", "asia"]).equals(frame(0, 12))
    assert store.frame("structure", ["cancer"]) is None


def test_repetitions_done_twice_count_once(tmp_path):
    store = Store(tmp_path)
    save(store, 0, 5)
    save(store, 3, 8)
    assert store.frame("structure", ["asia"]).equals(frame(0, 8))


@pytest.mark.parametrize("damage", ["cut", "empty", "noise", "flipped", "other repetitions", "no rows"])
def test_files_that_cannot_be_trusted_are_run_again(tmp_path, damage):
    store = Store(tmp_path)
    save(store, 0, 2)
    save(store, 2, 4)
    path = tmp_path / "raw" / "structure" / "asia" / "2-4.parquet"
    content = path.read_bytes()
    if damage == "other repetitions":
        frame(3, 5).write_parquet(path)
    elif damage == "no rows":
        frame(2, 2).write_parquet(path)
    else:
        tail = content[:-40] + bytes(byte ^ 0x55 for byte in content[-40:-8]) + content[-8:]
        path.write_bytes({"cut": content[:-30], "empty": b"", "noise": b"x" * 500, "flipped": tail}[damage])
    assert store.frame("structure", ["asia"]).equals(frame(0, 2))
    assert store.covered("structure", "asia") == [range(2)]
    assert (store.removed, path.exists()) == (1, False)


def test_leftovers_of_a_killed_writer_are_not_results(tmp_path):
    store = Store(tmp_path)
    save(store, 0, 2)
    (tmp_path / "raw" / "structure" / "asia" / "2-4.parquet.99.part").write_bytes(b"half")
    assert store.covered("structure", "asia") == [range(2)]
    assert store.frame("structure", ["asia"]).equals(frame(0, 2))


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_full_disk_is_one_clear_error_and_leaves_no_half_file(tmp_path, monkeypatch, number):
    store = Store(tmp_path)
    save(store, 0, 2)

    def fail(source, target):
        raise OSError(number, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(QnmlError, match=r"2-4\.parquet cannot be written: No space left.*--resume") as caught:
        save(store, 2, 4)
    assert not isinstance(caught.value, InputError)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["0-2.parquet"]


def test_settings_are_kept_and_guarded(tmp_path):
    store = Store(tmp_path / "deep" / "folder")
    store.prepare(7, ["structure"], resume=False)
    assert store.settings()["seed"] == 7
    store.prepare(7, ["structure"], resume=False)
    save(store, 0, 1)
    with pytest.raises(InputError, match=r"has results of structure already\. Add --resume"):
        store.prepare(7, ["structure"], resume=False)
    store.prepare(7, ["structure"], resume=True)
    store.prepare(7, ["parsimony"], resume=False)
    for resume in (False, True):
        with pytest.raises(InputError, match=r"results of seed 7, not of 8\. Add --seed 7 --resume"):
            store.prepare(8, ["structure"], resume=resume)


def test_results_of_another_version_are_not_mixed_in(tmp_path):
    store = Store(tmp_path)
    store.prepare(7, ["structure"], resume=False)
    settings = json.loads((tmp_path / "settings.json").read_text())
    settings["versions"]["qnml"] = "0.0.1"
    (tmp_path / "settings.json").write_text(json.dumps(settings))
    with pytest.raises(InputError, match=r"results of qnml 0\.0\.1; this is"):
        store.prepare(7, ["structure"], resume=True)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"seed": "x"}'])
def test_settings_that_cannot_be_read_are_refused(tmp_path, text):
    (tmp_path / "settings.json").write_text(text)
    with pytest.raises(InputError, match=r"settings\.json.*another folder"):
        Store(tmp_path).prepare(7, ["structure"], resume=True)


def test_results_without_settings_are_refused(tmp_path):
    store = Store(tmp_path)
    save(store, 0, 1)
    with pytest.raises(InputError, match=r"no settings\.json"):
        store.prepare(7, ["structure"], resume=True)


def test_one_tidy_table_in_two_forms(tmp_path):
    store = Store(tmp_path)
    paths = store.write_tidy("structure", frame(0, 3))
    assert [path.name for path in paths] == ["structure.parquet", "structure.csv"]
    assert pl.read_parquet(paths[0]).equals(frame(0, 3))
    assert pl.read_csv(paths[1]).equals(frame(0, 3))
