"""Conversion of level numbers back to labels, as columns of a Polars frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from qnml.data.labels import Label

__all__ = ["label_column"]


def label_column(name: str, labels: tuple[Label, ...], codes: npt.NDArray[Any] | Sequence[int]) -> pl.Series:
    """Return the labels of level numbers: integers and booleans as such, other labels as an ``Enum`` of texts.

    Negative numbers stand for missing cells, which are null.

    Examples
    --------
    >>> label_column("risk", ("low", "high"), [1, 0]).to_list()
    ['high', 'low']
    """
    kinds = {type(label) for label in labels}
    if kinds in ({bool}, {int}):
        decoder = pl.Series("", labels, dtype=pl.Boolean if kinds == {bool} else None)
    else:
        texts = [str(label) for label in labels]
        decoder = pl.Series("", texts, dtype=pl.Enum(texts))
    places = pl.Series(codes)
    if places.dtype.is_signed_integer():
        places = places.set(places < 0, None)
    # Named last: Polars expressions treat a column name such as ^a$ as a pattern.
    return decoder.gather(places).alias(name)
