"""Run the fuzzer on one reader in separate processes, and count inputs and findings."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fuzz.reader import HOME, committed

if TYPE_CHECKING:
    from pathlib import Path

    from fuzz.reader import Reader

__all__ = ["Outcome", "fuzz_reader"]

_MOST_BYTES = 8192
_HANG_SECONDS = 10
_MOST_MEMORY_MB = 2048
_MOST_RESTARTS = 50
_START_SECONDS = 300  # for imports and reading the corpus on a busy machine, before libFuzzer starts its clock
_EXECUTED = re.compile(r"stat::number_of_executed_units: (\d+)|^#(\d+)\b", re.MULTILINE)


@dataclass(frozen=True)
class Outcome:
    """The outcome of fuzzing one reader.

    Attributes
    ----------
    name : name of the reader.
    inputs : number of inputs.
    seconds : duration.
    findings : files with inputs that ended in anything but success or a `QnmlError`.
    """

    name: str
    inputs: int
    seconds: float
    findings: list[Path]


def fuzz_reader(reader: Reader, output: Path, seconds: int, runs: int) -> Outcome:
    """Fuzz a reader for a given time, restarting after each crash.

    Parameters
    ----------
    reader : the reader.
    output : folder for findings; earlier findings in it are removed.
    seconds : duration.
    runs : stop after about this many inputs; −1 for no limit.
    """
    folder = (output / reader.name).resolve()
    grown = folder / "corpus"
    grown.mkdir(parents=True, exist_ok=True)
    for old in [*_findings(folder), *folder.glob("log-*")]:
        old.unlink()
    _write_tokens(reader, folder / "tokens.dict")
    started = time.monotonic()
    inputs = 0
    for attempt in range(_MOST_RESTARTS):
        left = seconds - (time.monotonic() - started)
        if left < 1 or 0 <= runs <= inputs:
            break
        log = folder / f"log-{attempt}.txt"
        known = set(_findings(folder))
        code = _run_once(reader, folder, log, int(left), runs - inputs if runs >= 0 else -1)
        inputs += _executed(log)
        if code == 0:
            break
        if not set(_findings(folder)) - known:
            # Killed, or the fuzzer itself failed: there is no input to show, but it must be reported.
            (folder / f"ended-with-{code}-see-{log.name}").write_bytes(b"")
    return Outcome(reader.name, inputs, time.monotonic() - started, _findings(folder))


def _run_once(reader: Reader, folder: Path, log: Path, seconds: int, runs: int) -> int:
    options = [
        f"-max_total_time={seconds}",
        f"-runs={runs}",
        f"-max_len={_MOST_BYTES}",
        f"-timeout={_HANG_SECONDS}",
        f"-rss_limit_mb={_MOST_MEMORY_MB}",
        f"-artifact_prefix={folder}/",
        f"-dict={folder / 'tokens.dict'}",
        "-print_final_stats=1",
        str(folder / "corpus"),
    ]
    kept = sorted({str(path.parent) for path in committed(reader)})
    command = [sys.executable, "-m", "fuzz.worker", reader.name, str(folder), *options, *kept]
    with open(log, "wb") as stream:
        try:
            limit = seconds + _START_SECONDS + 2 * _HANG_SECONDS
            return subprocess.run(command, cwd=HOME.parent, stdout=stream, stderr=stream, timeout=limit).returncode
        except subprocess.TimeoutExpired:
            (folder / "hang-of-the-whole-process").write_bytes(b"")
            return 1


def _executed(log: Path) -> int:
    counts = [int(a or b) for a, b in _EXECUTED.findall(log.read_text(encoding="utf-8", errors="replace"))]
    return max(counts, default=0)


def _findings(folder: Path) -> list[Path]:
    others = ("log-", "tokens.dict", "trace-")
    return [path for path in sorted(folder.iterdir()) if path.is_file() and not path.name.startswith(others)]


def _write_tokens(reader: Reader, path: Path) -> None:
    """Write the tokens in libFuzzer's notation, every byte as ``\\xAB``."""
    lines = ('"' + "".join(f"\\x{byte:02x}" for byte in token) + '"\n' for token in reader.tokens)
    path.write_text("".join(lines), encoding="ascii")
