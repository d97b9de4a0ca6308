"""The option for answers that depend on directions which data cannot tell, and what is said about them."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from qnml.errors import UnidentifiedEffectWarning

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["OnUnidentified", "told_of_directions"]

# Any, since a Literal would have typer word the error; the library names the choices.
OnUnidentified = Annotated[
    Any,
    typer.Option(
        "--on-unidentified",
        metavar="warn|raise|ignore",
        help="What to do if an answer under --do depends on directions that neither data nor knowledge tell.",
        parser=str,
    ),
]


@contextmanager
def told_of_directions() -> Iterator[list[str]]:
    """Collect what is said about directions inside the block, for the page and the document."""
    told: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UnidentifiedEffectWarning)
        yield told
    for one in caught:
        if issubclass(one.category, UnidentifiedEffectWarning):
            told.append(str(one.message))
        else:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
