"""Files are read whole, unpacked, and never beyond what may be held."""

from __future__ import annotations

import gzip
import os
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml._reading import read_file
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
