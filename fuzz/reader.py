"""What is known of a reader that is fuzzed, and what each of its inputs must end in."""

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
    """A reader under attack.

    Attributes
    ----------
    name : of the reader, and of its folders of inputs.
    check : reads a file with this content through the public door, given a folder to put it in, and raises when what
        comes of it is wrong.
    kind : how its inputs are built: ``"text"``, ``"json"``, ``"gzip"`` (text inside) or ``"bytes"``.
    """

    name: str
    check: Callable[[bytes, Path], None]
    kind: str = "text"

    @property
    def tokens(self) -> tuple[bytes, ...]:
        """What its format is made of, and what is odd in it."""
        return _tokens().get(self.name, (b"\0",))


@cache
def _tokens() -> dict[str, tuple[bytes, ...]]:
    listed = json.loads((HOME / "tokens.json").read_text(encoding="utf-8"))
    return {name: tuple(token.encode("utf-8", "surrogatepass") for token in tokens) for name, tokens in listed.items()}


def run_input(reader: Reader, content: bytes, folder: Path) -> bool:
    """Read one input; say whether it was taken. Every exception but a `QnmlError` is a finding and goes on up."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            reader.check(content, folder)
        except QnmlError:
            return False
    return True


def committed(reader: Reader) -> list[Path]:
    """The inputs that are kept in the repository: examples, and what was found before."""
    folders = (HOME / "corpus" / reader.name, HOME / "findings" / reader.name)
    return [path for folder in folders for path in sorted(folder.glob("*")) if path.is_file()]
