"""Files appear complete or not at all."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from qnml._writing import refuse_same_file, write_file, written_file
from qnml.errors import InputError


def test_an_old_file_is_replaced_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "x.svg"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_file("f", "path", path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["x.svg"]


@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt(), RuntimeError("x")])
def test_a_failure_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path, failure: BaseException) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(b"old")
    expected = InputError if isinstance(failure, OSError) else type(failure)

    def fail() -> None:
        with written_file("f", "path", path) as file:
            file.write(b"ne")
            raise failure

    with pytest.raises(expected):
        fail()
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["x.csv"]


def test_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_file("f", "path", tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_pipes_are_written_as_they_are(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_file("f", "path", pipe, b"content")
    reader.join(10)
    assert read == [b"content"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_names_as_long_as_the_system_allows(tmp_path: Path) -> None:
    write_file("f", "path", tmp_path / ("x" * 255), b"content")
    assert os.listdir(tmp_path) == ["x" * 255]


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    for path in (tmp_path / "none" / "x", tmp_path, tmp_path / ("x" * 300), Path("a\0b")):
        with pytest.raises(InputError, match=r"f\(path=.*a place that can be written"):
            write_file("f", "path", path, b"x")
    assert os.listdir(tmp_path) == []


def test_an_output_that_is_an_input(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("a,b\n")
    (tmp_path / "link.csv").symlink_to(data)
    os.link(data, tmp_path / "hard.csv")
    for same in (data, tmp_path / "link.csv", tmp_path / "hard.csv", tmp_path / "x" / ".." / "data.csv"):
        with pytest.raises(InputError, match="another file than the input"):
            refuse_same_file("posterior", "output", same, [tmp_path / "other", data])
    refuse_same_file("posterior", "output", tmp_path / "new.csv", [data])


def test_a_terminal_may_be_read_and_written(tmp_path: Path) -> None:
    refuse_same_file("convert", "OUT", os.devnull, [os.devnull])
    # Values that are not paths are left to the function that opens them.
    refuse_same_file("convert", "OUT", "a\0b", ["a\0b"])


def test_folders_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Is a directory"), written_file("f", "path", tmp_path):
        pytest.fail("the block was entered")
