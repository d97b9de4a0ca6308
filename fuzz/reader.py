"""The description of a fuzzed reader, and the outcomes allowed for its inputs."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from qnml.errors import QnmlError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["HOME", "Reader", "committed", "run_input"]

HOME = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Reader:
    """A reader to fuzz.

    Attributes
    ----------
    name : name of the reader and of its folders of inputs.
    check : reads a file with the given content through the public API, using a scratch folder, and raises an error if
        the result is wrong.
    kind : the structure of its inputs: ``"text"``, ``"json"``, ``"gzip"`` (text inside) or ``"bytes"``.
    """

    name: str
    check: Callable[[bytes, Path], None]
    kind: str = "text"

    @property
    def tokens(self) -> tuple[bytes, ...]:
        """The tokens of its format, and unusual ones."""
        return _tokens().get(self.name, (b"\0",))


@cache
def _tokens() -> dict[str, tuple[bytes, ...]]:
    listed = json.loads((HOME / "tokens.json").read_text(encoding="utf-8"))
    return {name: tuple(token.encode("utf-8", "surrogatepass") for token in tokens) for name, tokens in listed.items()}


def run_input(reader: Reader, content: bytes, folder: Path) -> bool:
    """Read one input; return whether it was accepted. Any exception but a `QnmlError` is a finding and propagates."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            reader.check(content, folder)
        except QnmlError:
            return False
    return True


def committed(reader: Reader) -> list[Path]:
    """Return the inputs stored in the repository: examples and earlier findings."""
    folders = (HOME / "corpus" / reader.name, HOME / "findings" / reader.name)
    return [path for folder in folders for path in sorted(folder.glob("*")) if path.is_file()]
