"""The most memory a process had is its own, not that of the process which started it."""

import subprocess
import sys

import pytest

from qnml._memory import peak_memory

LARGE = 400_000_000


@pytest.mark.skipif(sys.platform != "linux", reason="other systems tell it in other ways")
def test_the_peak_is_that_of_the_process_itself():
    block = bytearray(b"x") * LARGE
    assert peak_memory() > len(block)
    command = [sys.executable, "-c", "from qnml._memory import peak_memory; print(peak_memory())"]
    started = subprocess.run(command, capture_output=True, text=True, check=True)
    assert 1_000_000 < int(started.stdout) < LARGE
