"""Results on disk: complete files only, read in order, and never mixed with results of another seed."""

import errno
import io
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


def save(store, first, last, subject="asia", seed=7):
    store.save(Chunk("structure", subject, first, last, seed), frame(first, last))


def chunk_file(folder, name, subject="asia"):
    (found,) = (folder / "raw" / "structure" / subject).glob(f"{name}-*.parquet")
    return found


@pytest.fixture
def store(tmp_path):
    """An empty folder for results of seed 7."""
    made = Store(tmp_path)
    made.prepare(7, ["structure"], resume=False)
    return made


def test_frames_come_back_in_order_whatever_the_cuts(store):
    for first, last in ((10, 12), (2, 10), (0, 2)):
        save(store, first, last)
    assert store.covered("structure", "asia") == [range(2), range(2, 10), range(10, 12)]
    assert store.frame("structure", ["cancer", "asia"]).equals(frame(0, 12))
    assert store.frame("structure", ["cancer"]) is None


def test_repetitions_done_twice_count_once(store):
    save(store, 0, 5)
    save(store, 3, 8)
    assert store.frame("structure", ["asia"]).equals(frame(0, 8))


def cut(content):
    return content[:-30]


def empty(content):
    return b""


def noise(content):
    return b"x" * 500


def flipped_tail(content):
    return content[:-40] + bytes(byte ^ 0x55 for byte in content[-40:-8]) + content[-8:]


def one_bit(content):
    return content[:20] + bytes([content[20] ^ 1]) + content[21:]


def parquet(changed):
    buffer = io.BytesIO()
    changed.write_parquet(buffer)
    return buffer.getvalue()


def rewritten(change):
    return lambda content: parquet(change(pl.read_parquet(io.BytesIO(content))))


DAMAGE = {
    "cut": cut,
    "empty": empty,
    "noise": noise,
    "flipped tail": flipped_tail,
    "one bit": one_bit,
    "other repetitions": lambda content: parquet(frame(4, 6)),
    "no rows": lambda content: parquet(frame(2, 2)),
    "another column": rewritten(lambda found: found.with_columns(x=1)),
    "a column less": rewritten(lambda found: found.drop("value")),
    "another type": rewritten(lambda found: found.with_columns(pl.col("repetition").cast(pl.Float64))),
    "nan": rewritten(lambda found: found.with_columns(pl.lit(float("nan")).alias("value"))),
    "null": rewritten(lambda found: found.with_columns(pl.lit(None).alias("repetition"))),
    "another value": rewritten(lambda found: found.with_columns(pl.lit("c").alias("value"))),
    "a row twice": rewritten(lambda found: pl.concat([found, found])),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_files_that_cannot_be_trusted_are_run_again(store, tmp_path, damage):
    save(store, 0, 2)
    save(store, 2, 4)
    path = chunk_file(tmp_path, "2-4")
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    assert store.frame("structure", ["asia"]).equals(frame(0, 2))
    assert store.covered("structure", "asia") == [range(2)]
    assert (store.removed, path.exists()) == (1, False)


def test_files_of_another_place_or_seed_are_run_again(store, tmp_path):
    save(store, 0, 2, "cancer")
    save(store, 2, 4, seed=8)
    taken = chunk_file(tmp_path, "0-2", "cancer")
    taken.rename(tmp_path / "raw" / "structure" / "asia" / taken.name)
    assert store.frame("structure", ["asia"]) is None
    assert store.covered("structure", "asia") == []
    assert store.removed == 2


def test_names_that_promise_too_much(store, tmp_path):
    """The numbers in a name cost nothing, however large they are."""
    save(store, 0, 2)
    path = chunk_file(tmp_path, "0-2")
    path.rename(path.with_name(path.name.replace("0-2", "0-999999999")))
    (path.parent / f"{'9' * 100}-{'9' * 100}-{'0' * 16}.parquet").write_bytes(b"x")
    assert store.covered("structure", "asia") == []
    assert store.removed == 1


def test_what_cannot_be_removed_is_said(store, tmp_path):
    folder = tmp_path / "raw" / "structure" / "asia" / f"0-2-{'0' * 16}.parquet"
    folder.mkdir(parents=True)
    with pytest.raises(QnmlError, match=r"0-2-0+\.parquet is damaged and cannot be removed: .*--resume"):
        store.covered("structure", "asia")


def test_leftovers_of_a_killed_writer_are_not_results(store, tmp_path):
    save(store, 0, 2)
    (tmp_path / "raw" / "structure" / "asia" / ".0123456789abcdef.part").write_bytes(b"half")
    assert store.covered("structure", "asia") == [range(2)]
    assert store.frame("structure", ["asia"]).equals(frame(0, 2))


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_a_full_disk_is_one_clear_error_and_leaves_no_half_file(store, tmp_path, monkeypatch, number):
    save(store, 0, 2)
    before = {path for path in tmp_path.rglob("*") if path.is_file()}

    def fail(source, target):
        raise OSError(number, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(QnmlError, match=r"2-4-\w+\.parquet cannot be written: No space left.*--resume") as caught:
        save(store, 2, 4)
    assert not isinstance(caught.value, InputError)
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == before


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
