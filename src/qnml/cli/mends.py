"""What was mended in a network file, told on stderr: a line each, beside the output and not in it."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING

from qnml.cli.failures import tell
from qnml.errors import MendedFileWarning

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["mends_told"]


@contextmanager
def mends_told() -> Iterator[None]:
    """Read network files inside; other warnings go their usual way."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", MendedFileWarning)
        yield
    for one in caught:
        if issubclass(one.category, MendedFileWarning):
            tell(f"warning: {one.message}")
        else:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
