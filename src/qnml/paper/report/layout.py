"""Where the panels of a figure stand, in inches: no layout engine, so equal figures give equal files."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Grid", "columns_for"]


@dataclass(frozen=True)
class Grid:
    """Panels in rows and columns.

    Parameters
    ----------
    panels
        How many there are.
    columns
        How many stand side by side.
    width, height
        Size of one panel in inches.
    left, right
        Room beside every panel, for its axis and for labels at the ends of curves.
    above, below
        Room over every panel for its heading, under it for its axis.
    head
        Room at the top of the figure, for its legend.
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
        """How many panels stand one above the other."""
        return -(-self.panels // self.columns)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the figure in inches."""
        return (
            self.columns * (self.left + self.width + self.right),
            self.head + self.rows * (self.above + self.height + self.below),
        )

    def place(self, number: int) -> tuple[float, float, float, float]:
        """Where a panel stands, as matplotlib wants it: left, bottom, width, height in parts of the figure.

        Parameters
        ----------
        number
            Which one, counted from 0 along the rows; one past the last is a free place, if there is one.
        """
        full_width, full_height = self.size
        row, column = divmod(number, self.columns)
        left = column * (self.left + self.width + self.right) + self.left
        top = self.head + row * (self.above + self.height + self.below) + self.above
        bottom = full_height - top - self.height
        return left / full_width, bottom / full_height, self.width / full_width, self.height / full_height

    def is_lowest(self, number: int) -> bool:
        """Whether no panel stands below this one.

        Parameters
        ----------
        number
            Which panel, counted from 0.
        """
        return number + self.columns >= self.panels


def columns_for(panels: int) -> int:
    """How many panels to put side by side, so that the figure is about a page wide.

    Parameters
    ----------
    panels
        How many there are.
    """
    if panels in (1, 2, 4):
        return min(panels, 2)
    return 3 if panels <= 9 else 4
