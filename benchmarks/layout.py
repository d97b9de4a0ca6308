"""The built-in layout beside Graphviz' dot on the networks of the data folder: crossings, length of lines, area, time.

    python benchmarks/layout.py [NETWORK ...]

Both get the same boxes and the same least distances, and dot draws no arrowheads, because its lines would end before
them. Curves are replaced by chords, and every pair of chords that cross is counted. dot's time is that of its process,
which is 0.01 seconds for an empty graph. Needs the program dot and the data folder.
"""

from __future__ import annotations

import math
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

import qnml
from qnml.datasets import data_folder
from qnml.reports.picture.drawing import Drawing, drawing_of
from qnml.reports.picture.layout import COLUMN_GAP, ROW_GAP
from qnml.reports.picture.scene import placed

__all__ = ["Drawn", "by_dot", "by_us"]

CHORDS = 8
NETWORKS = (
    *("asia", "cancer", "earthquake", "sachs", "survey", "child", "insurance", "alarm", "water", "mildew", "barley"),
    *("hailfinder", "hepar2", "win95pts", "andes", "pathfinder", "munin1", "pigs", "diabetes", "link", "munin"),
    *("munin2", "munin3", "munin4"),
)
POINTS_PER_INCH = 72

Line = list[tuple[float, float]]


@dataclass(frozen=True)
class Drawn:
    """A drawing, measured in points and seconds."""

    lines: list[Line]
    area: float
    seconds: float

    @property
    def length(self) -> float:
        """The total length of all lines."""
        return sum(math.dist(a, b) for line in self.lines for a, b in pairwise(line))

    @property
    def crossings(self) -> int:
        """The number of crossing pairs of chords of different lines."""
        chords = np.array([(*a, *b) for line in self.lines for a, b in pairwise(line)])
        owner = np.repeat(range(len(self.lines)), [len(line) - 1 for line in self.lines])
        total = 0
        for k, (x1, y1, x2, y2) in enumerate(chords):
            x3, y3, x4, y4 = chords[k + 1 :].T
            first = (x2 - x1) * (y3 - y1) - (y2 - y1) * (x3 - x1)
            second = (x2 - x1) * (y4 - y1) - (y2 - y1) * (x4 - x1)
            third = (x4 - x3) * (y1 - y3) - (y4 - y3) * (x1 - x3)
            fourth = (x4 - x3) * (y2 - y3) - (y4 - y3) * (x2 - x3)
            total += int(np.sum((owner[k + 1 :] != owner[k]) & (first * second < 0) & (third * fourth < 0)))
        return total


def by_us(drawing: Drawing) -> Drawn:
    """Lay a drawing out with the built-in layout."""
    began = time.perf_counter()
    found = placed(drawing)
    seconds = time.perf_counter() - began
    return Drawn([_chords(list(route)) for route in found.routes], found.width * found.height, seconds)


def by_dot(drawing: Drawing) -> Drawn:
    """Lay a drawing out with Graphviz."""
    text = _dot_text(drawing)
    began = time.perf_counter()
    done = subprocess.run(["dot", "-Tplain"], input=text, capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - began
    area, lines = 1.0, []
    for line in done.stdout.splitlines():
        words = line.split()
        if words[0] == "graph":
            area = float(words[2]) * float(words[3]) * POINTS_PER_INCH**2
        elif words[0] == "edge":
            numbers = [POINTS_PER_INCH * float(number) for number in words[4 : 4 + 2 * int(words[3])]]
            lines.append(_chords(list(zip(numbers[::2], numbers[1::2], strict=True))))
    return Drawn(lines, area, seconds)


def _dot_text(drawing: Drawing) -> str:
    number = {name: place for place, name in enumerate(drawing.names)}
    lines = [
        "digraph {",
        f'nodesep={COLUMN_GAP / POINTS_PER_INCH}; ranksep={ROW_GAP / POINTS_PER_INCH}; pack=20; packmode="graph";',
        'node [shape=box, fixedsize=true, label=""]; edge [arrowhead=none];',
    ]
    for box in placed(drawing).boxes:
        width, height = box.width / POINTS_PER_INCH, box.height / POINTS_PER_INCH
        lines.append(f"{number[box.name]} [width={width}, height={height}];")
    lines += [f"{upper} -> {lower};" for upper, lower in drawing.arcs]
    return "\n".join([*lines, "}"])


def _chords(route: Line) -> Line:
    points = [route[0]]
    for start in range(0, len(route) - 1, 3):
        a, b, c, d = (np.array(point) for point in route[start : start + 4])
        for t in np.linspace(0.0, 1.0, CHORDS + 1)[1:]:
            x, y = (1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d
            points.append((float(x), float(y)))
    return points


def _main() -> None:
    if shutil.which("dot") is None or data_folder() is None:
        sys.exit("This needs the program dot of Graphviz and the data folder.")
    print(f"{'network':12}{'nodes':>6}{'crossings':>16}{'length':>8}{'area':>7}{'seconds':>14}")
    ratios = []
    for name in sys.argv[1:] or NETWORKS:
        drawing = drawing_of("layout", qnml.datasets.load_network(name).dag)
        ours, theirs = by_us(drawing), by_dot(drawing)
        length, area = ours.length / theirs.length, ours.area / theirs.area
        ratios.append(((1 + ours.crossings) / (1 + theirs.crossings), length, area))
        crossings = f"{ours.crossings:,} / {theirs.crossings:,}"
        seconds = f"{ours.seconds:.3f} / {theirs.seconds:.3f}"
        print(f"{name:12}{len(drawing.names):6}{crossings:>16}{length:8.2f}{area:7.2f}{seconds:>14}", flush=True)
    crossings, length, area = np.exp(np.log(np.array(ratios)).mean(axis=0))
    print(f"Ours / dot, geometric means: crossings + 1 {crossings:.2f}, length {length:.2f}, area {area:.2f}")


if __name__ == "__main__":
    _main()
