"""Free memory and peak memory, within the limits of containers and without the parent process."""

import subprocess
import sys

import psutil
import pytest

from qnml import _memory
from qnml._memory import available_memory, format_bytes, peak_memory, resolve_memory_limit
from qnml.errors import InputError

LARGE = 400_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="other systems tell it in other ways")
def test_the_peak_is_that_of_the_process_itself():
    block = bytearray(b"x") * LARGE
    assert peak_memory() > len(block)
    command = [sys.executable, "-c", "from qnml._memory import peak_memory; print(peak_memory())"]
    started = subprocess.run(command, capture_output=True, text=True, check=True)
    assert 1_000_000 < int(started.stdout) < LARGE


@pytest.fixture
def no_proc(monkeypatch):
    """A system without /proc, like all except Linux."""
    monkeypatch.setattr(_memory, "_in_proc", lambda file, line: None)


def test_free_memory_agrees_with_psutil():
    there = psutil.virtual_memory()
    assert 0 < available_memory() <= there.total


def test_free_memory_without_proc_is_that_of_psutil(no_proc, monkeypatch):
    monkeypatch.setattr(_memory, "_from_control_group", lambda: None)
    known = psutil.virtual_memory()._replace(available=12_345)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: known)
    assert available_memory() == 12_345


def test_the_limit_of_a_container_counts(monkeypatch, tmp_path):
    monkeypatch.setattr(_memory, "_CONTROL_GROUP", tmp_path)
    (tmp_path / "memory.max").write_text("5000\n")
    (tmp_path / "memory.current").write_text("2000\n")
    assert available_memory() == 3000
    assert resolve_memory_limit("learn", None) == pytest.approx(2700)
    (tmp_path / "memory.current").write_text("6000\n")
    assert available_memory() == 0
    (tmp_path / "memory.max").write_text("max\n")
    assert available_memory() > 6000


def test_a_given_limit_is_taken_or_refused():
    assert resolve_memory_limit("learn", 1e9) == 1e9
    with pytest.raises(InputError, match="a positive number of bytes"):
        resolve_memory_limit("learn", 0)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no resource module")
def test_peak_without_proc(no_proc):
    assert peak_memory() > 1_000_000


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 bytes"), (1536, "1.5 KiB"), (2**40, "1.0 TiB"), (2**52, "4096.0 TiB")]
)
def test_bytes_in_words(count, text):
    assert format_bytes(count) == text
