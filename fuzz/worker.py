"""Fuzz one reader with libFuzzer for a given time: ``python -m fuzz.worker READER FOLDER [libFuzzer options]``.

An exception other than a `QnmlError` is recorded with the input that caused it, once for each line of our code, and
the run continues. A crash, a hang or excessive memory use ends the process; libFuzzer then saves the input in the
folder.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import traceback
from pathlib import Path

__all__ = ["main"]


def main(arguments: list[str]) -> None:
    """Run; libFuzzer ends the process."""
    name, folder, *options = arguments
    # One thread: with several, the coverage of an input would be random.
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
    import atheris

    with atheris.instrument_imports(include=["qnml", "tomllib"]):
        from fuzz.mutation import mutated
        from fuzz.reader import run_input
        from fuzz.readers import READERS

    reader = READERS[name]
    findings = Path(folder)
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as scratch:
        place = Path(scratch)

        def one(content: bytes) -> None:
            try:
                run_input(reader, content, place)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # Polars' panics are not subclasses of Exception
                _note(findings, content, error)

        def change(content: bytes, most: int, seed: int) -> bytes:
            return mutated(reader, content, most, seed, atheris.Mutate)

        # No faulthandler: libFuzzer saves the input of a crash only if no other handler takes the signal.
        atheris.Setup([sys.argv[0], *options], one, custom_mutator=change)
        atheris.Fuzz()


def _note(folder: Path, content: bytes, error: BaseException) -> None:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if f"{os.sep}qnml{os.sep}" in frame.filename] or list(frames)
    where = f"{type(error).__name__}:{ours[-1].filename}:{ours[-1].lineno}"
    path = folder / f"{type(error).__name__}-{hashlib.sha256(where.encode()).hexdigest()[:12]}"
    if not path.exists():
        path.write_bytes(content)
        (folder / f"trace-{path.name}.txt").write_text("".join(traceback.format_exception(error)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
