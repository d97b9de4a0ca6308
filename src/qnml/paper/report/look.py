"""The style of figures: colours that colour-blind readers can tell apart, and dashes and markers for grey printouts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from qnml.paper.summary.types import PAPER_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["GRID_COLOUR", "MUTED", "SETTINGS", "TEXT_COLOUR", "Stroke", "strokes"]

TEXT_COLOUR = "#1b2530"
MUTED = "#5b6773"
GRID_COLOUR = "#e3e7eb"

SETTINGS: dict[str, Any] = {
    # The font that comes with matplotlib, so that figures are the same on every machine.
    "font.family": "DejaVu Sans",
    "font.size": 8.0,
    "axes.titlesize": 9.0,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 8.0,
    "axes.labelcolor": TEXT_COLOUR,
    "axes.edgecolor": MUTED,
    "axes.linewidth": 0.7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "text.color": TEXT_COLOUR,
    "text.parse_math": False,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": TEXT_COLOUR,
    "ytick.labelcolor": TEXT_COLOUR,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "legend.frameon": False,
    # Equal figures give equal files, and letters look the same in every viewer.
    "svg.hashsalt": "qnml",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}
"""The settings of matplotlib for all figures."""


@dataclass(frozen=True)
class Stroke:
    """How one curve is drawn.

    Parameters
    ----------
    colour
        Its colour, from the palette of Okabe and Ito, which suits all kinds of colour vision.
    dashes
        Its dashes, as matplotlib takes them.
    marker
        The shape of its points.
    width
        Its width in points.
    opacity
        1 for our curves; those behind them are fainter.
    """

    colour: str
    dashes: Any
    marker: str
    width: float
    opacity: float = 1.0


# qNML is what readers look for: black, solid and slightly heavier.
_KNOWN = {
    "BDeu": Stroke("#d55e00", (0, (5, 1.6)), "^", 1.3),
    "BIC": Stroke("#0072b2", (0, (1.4, 1.3)), "s", 1.3),
    "fNML": Stroke("#009e73", (0, (6, 1.5, 1.4, 1.5)), "D", 1.3),
    "qNML": Stroke("#000000", "solid", "o", 1.7),
}
_OTHERS = (
    Stroke("#0072b2", "solid", "o", 1.5),
    Stroke("#d55e00", (0, (5, 1.6)), "^", 1.3),
    Stroke("#009e73", (0, (6, 1.5, 1.4, 1.5)), "D", 1.3),
    Stroke("#000000", (0, (1.4, 1.3)), "s", 1.3),
    Stroke("#cc79a7", (0, (3, 1.2)), "v", 1.3),
    Stroke("#9a7400", (0, (8, 2)), "P", 1.3),
    Stroke("#56b4e9", "solid", "X", 1.3),
)


def strokes(labels: Sequence[str]) -> dict[str, Stroke]:
    """A stroke for every label, so that a criterion looks the same in every figure.

    Parameters
    ----------
    labels
        Labels of curves; a label belongs to the criterion with whose name it begins, and the paper's curves are thin.
    """
    chosen: dict[str, Stroke] = {}
    others = iter(_OTHERS * (1 + len(labels) // len(_OTHERS)))
    for label in labels:
        known = next((stroke for name, stroke in _KNOWN.items() if label.startswith(name)), None)
        chosen[label] = known or next(others)
        if label.endswith(PAPER_SUFFIX):
            chosen[label] = Stroke(chosen[label].colour, "solid", "", 0.8, 0.6)
    return chosen
