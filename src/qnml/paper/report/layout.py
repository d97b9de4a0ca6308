"""Positions of the panels of a figure, in inches: without a layout engine, so that equal figures give equal files."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Grid", "columns_for"]


@dataclass(frozen=True)
class Grid:
    """Panels in rows and columns.

    Parameters
    ----------
    panels
        Number of panels.
    columns
        Number of panels side by side.
    width, height
        Size of one panel in inches.
    left, right
        Space beside every panel, for its axis and for labels at the ends of curves.
    above, below
        Space over every panel for its heading, and under it for its axis.
    head
        Space at the top of the figure, for its legend.
    """

    panels: int
    columns: int
    width: float
    height: float
    left: float = 0.55
    right: float = 0.12
    above: float = 0.3
    below: float = 0.42
    head: float = 0.0

    @property
    def rows(self) -> int:
        """Number of rows of panels."""
        return -(-self.panels // self.columns)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the figure in inches."""
        return (
            self.columns * (self.left + self.width + self.right),
            self.head + self.rows * (self.above + self.height + self.below),
        )

    def place(self, number: int) -> tuple[float, float, float, float]:
        """Position of a panel, as matplotlib takes it: left, bottom, width, height as fractions of the figure.

        Parameters
        ----------
        number
            Index of the panel, from 0 along the rows; one past the last is the next free place, if there is one.
        """
        full_width, full_height = self.size
        row, column = divmod(number, self.columns)
        left = column * (self.left + self.width + self.right) + self.left
        top = self.head + row * (self.above + self.height + self.below) + self.above
        bottom = full_height - top - self.height
        return left / full_width, bottom / full_height, self.width / full_width, self.height / full_height

    def is_lowest(self, number: int) -> bool:
        """Whether no panel is below this one.

        Parameters
        ----------
        number
            Index of the panel, from 0.
        """
        return number + self.columns >= self.panels


def columns_for(panels: int) -> int:
    """How many panels to put side by side, so that the figure is about a page wide.

    Parameters
    ----------
    panels
        Number of panels.
    """
    if panels in (1, 2, 4):
        return min(panels, 2)
    return 3 if panels <= 9 else 4
