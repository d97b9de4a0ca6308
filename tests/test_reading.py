"""Files are read completely, decompressed, and never beyond the memory limit."""

from __future__ import annotations

import gzip
import io
import os
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml._reading import read_file, read_stream
from qnml.errors import FileFormatError, InputError, TooLargeError


def read(path: Path, most: float = 1e9) -> bytes:
    return read_file("read_table", "source", path, most)


@given(st.lists(st.binary(max_size=50), min_size=1, max_size=4), st.integers(0, 3))
def test_members_of_gzip_are_joined(tmp_path_factory: pytest.TempPathFactory, parts: list[bytes], zeros: int) -> None:
    path = tmp_path_factory.mktemp("packed") / "x.csv.gz"
    path.write_bytes(b"".join(map(gzip.compress, parts)) + bytes(zeros))
    assert read(path) == b"".join(parts)


def test_large_members_come_back_whole(tmp_path: Path) -> None:
    content = os.urandom(3_000_000) + bytes(5_000_000)
    (tmp_path / "x.gz").write_bytes(gzip.compress(content, 1))
    assert read(tmp_path / "x.gz") == content


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "x.csv.gz"
    path.write_bytes(gzip.compress(bytes(200_000_000), 1))
    tracemalloc.start()
    with pytest.raises(TooLargeError, match=r"read_table\(source=.*holds more than 9.5 MiB.*memory_limit"):
        read(path, 10_000_000)
    assert tracemalloc.get_traced_memory()[1] < 30_000_000
    tracemalloc.stop()


def test_large_plain_files_are_refused_by_their_size(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    with open(path, "wb") as file:
        file.truncate(10**12)
    with pytest.raises(TooLargeError, match="has 931"):
        read(path)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device on this system")
def test_endless_devices_are_refused() -> None:
    with pytest.raises(TooLargeError, match="holds more than"):
        read(Path("/dev/zero"), 5e6)


@pytest.mark.parametrize(
    "content", [b"", b"plain", gzip.compress(b"whole", mtime=0)[:-3], gzip.compress(b"x", mtime=0) + b"y"]
)
def test_what_is_no_whole_gzip_file(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.gz").write_bytes(content)
    with pytest.raises(FileFormatError, match="not a whole gzip file"):
        read(tmp_path / "x.gz")


def test_what_is_not_there_or_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"source='.*none.csv'\): there is no such file"):
        read(tmp_path / "none.csv")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        read(tmp_path)


def read_open(stream: object, most: float = 1e9) -> bytes:
    return read_stream("read_table", "source", stream, "standard input", most)


@given(st.binary(), st.booleans())
def test_open_files_are_read_to_their_end(content: bytes, packed: bool) -> None:
    assert read_open(io.BytesIO(gzip.compress(content) if packed else b"x" + content)) == (
        content if packed else b"x" + content
    )


def test_open_text_becomes_utf_8(tmp_path: Path) -> None:
    assert read_open(io.StringIO("größe")) == "größe".encode()
    (tmp_path / "x").write_text("größe", encoding="latin-1")
    with open(tmp_path / "x", encoding="latin-1") as file:
        assert read_open(file) == "größe".encode()


def test_open_files_keep_to_the_limit() -> None:
    bomb = gzip.compress(bytes(200_000_000), 1)
    for content in (bomb, bytes(20_000_000)):
        with pytest.raises(TooLargeError, match=r"source='standard input'.*holds more than 9.5 MiB"):
            read_open(io.BytesIO(content), 10_000_000)


class _Broken:
    def __init__(self, answer: object) -> None:
        self.answer = answer

    def read(self, _: int) -> object:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (ZeroDivisionError("oh"), "cannot be read: oh"),
        (OSError(5, "Input/output error"), "cannot be read: Input/output error"),
        (7, "returns 7, not text or bytes"),
        ("\ud800", "cannot be read"),
        (io.UnsupportedOperation(), "cannot be read: UnsupportedOperation"),
    ],
)
def test_open_files_that_cannot_be_read(answer: object, message: str) -> None:
    with pytest.raises(InputError, match=rf"read_table\(source='standard input'\).*{message}"):
        read_open(_Broken(answer))


def test_open_gzip_that_is_cut() -> None:
    with pytest.raises(FileFormatError, match="standard input: not a whole gzip file"):
        read_open(io.BytesIO(gzip.compress(b"whole")[:-3]))


def test_memory_that_runs_out() -> None:
    with pytest.raises(TooLargeError, match="memory ran out"):
        read_open(_Broken(MemoryError()))
