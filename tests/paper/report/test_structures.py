"""Appendix D: letters, pictures of structures, probabilities of cells."""

import dataclasses

from qnml.paper.report import figures, sheets
from qnml.paper.report.caption import caption
from qnml.paper.summary.types import Curve, Panel


def sheet(figure):
    with figures.drawing():
        return sheets.sheet(figure)


def joined(axes):
    """Names at both ends of every line, and whether there is a head at the second."""
    names = {text.get_position(): text.get_text() for text in axes.texts if len(text.get_text()) == 1}
    lines = [text for text in axes.texts if getattr(text, "arrow_patch", None) is not None]
    heads = [line.arrowprops["arrowstyle"].startswith("-|>") for line in lines]
    return [(names[line.xyann], names[line.xy], head) for line, head in zip(lines, heads, strict=True)]


def test_each_structure_has_a_letter_at_its_curve_and_its_picture(structures):
    curves, first, second = sheet(structures).axes
    assert [line.get_label() for line in curves.lines] == ["A", "B"]
    assert [text.get_text() for text in curves.texts] == ["A", "B"]
    for letter, axes in (("A", first), ("B", second)):
        shown = [text.get_text() for text in axes.texts if text.get_fontweight() == "bold"]
        assert shown == [letter]


def test_pictures_show_directions_only_where_the_class_has_them(structures):
    _, chain, collider = sheet(structures).axes
    assert {(frozenset((first, second)), head) for first, second, head in joined(chain)} == {
        (frozenset("AB"), False),
        (frozenset("BC"), False),
    }
    assert set(joined(collider)) == {("A", "B", True), ("C", "B", True)}


def test_the_caption_explains_the_arrows(structures):
    assert "Arrows where all networks of a class agree" in caption(structures)
    assert "Bands" not in caption(structures)


def test_cells_are_bars_with_points_and_no_lines_between(structures):
    flat = (0.0,) * 3
    curves = tuple(
        Curve(label, (1.0, 2.0, 3.0), values, flat, flat)
        for label, values in (
            ("share of the data", (0.5, 0.3, 0.2)),
            ("most probable class", (0.45, 0.3, 0.25)),
            ("average over classes", (0.4, 0.35, 0.25)),
        )
    )
    panels = tuple(Panel(title, "cell, commonest first", "probability", False, curves) for title in ("0.2", "0.3"))
    drawn = sheet(dataclasses.replace(structures, panels=panels))
    for axes in drawn.axes:
        assert [patch.get_height() for patch in axes.patches] == [0.5, 0.3, 0.2]
        assert {line.get_linestyle() for line in axes.lines} == {"None"}
        assert [tuple(line.get_ydata()) for line in axes.lines] == [curve.mean for curve in curves[1:]]
    (legend,) = drawn.legends
    assert [text.get_text() for text in legend.texts] == [curve.label for curve in curves]
