"""Warnings about repairs of a network file, one line each on stderr, separate from the output."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING

from qnml.cli.failures import tell
from qnml.cli.wording import in_shell_words
from qnml.errors import MendedFileWarning

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["mends_told"]


@contextmanager
def mends_told() -> Iterator[None]:
    """Print the repair warnings of network files read inside the block; other warnings are not affected."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", MendedFileWarning)
        yield
    for one in caught:
        if issubclass(one.category, MendedFileWarning):
            tell(f"warning: {in_shell_words(str(one.message))}")
        else:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
