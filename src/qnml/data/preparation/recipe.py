"""`Recipe`: what is done to the cells of one column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qnml.data.binning import Binning
    from qnml.data.labels import Label
    from qnml.data.preparation.spelling import Spelling

__all__ = ["Recipe"]


@dataclass(frozen=True)
class Recipe:
    """What is done to the cells of one column that is not left out.

    Attributes
    ----------
    binning : the bins, for a column that is binned.
    kept_levels : the labels that stay, for a column whose other labels are merged; None otherwise.
    other : the label that stands for the others.
    missing_label : the label for missing cells, if there is one.
    as_text : whether dates or mixed values are taken as text.
    spelling : how numbers are written, if they are text.
    """

    binning: Binning | None = None
    kept_levels: tuple[Label, ...] | None = None
    other: Label | None = None
    missing_label: Label | None = None
    as_text: bool = False
    spelling: Spelling | None = None
