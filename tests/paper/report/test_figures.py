"""The content of the figures, not their appearance."""

import builtins
import dataclasses
import re
from itertools import pairwise

import matplotlib
import pytest

from qnml.errors import MissingExtraError
from qnml.paper.report import check_figures, figures, sheets
from qnml.paper.report.caption import caption
from qnml.paper.report.drawing import is_tall, spread_apart
from qnml.paper.report.layout import Grid, columns_for
from qnml.paper.report.look import strokes


def sheet(figure):
    with figures.drawing():
        return sheets.sheet(figure)


def test_every_panel_shows_its_curves_with_bands(shd):
    drawn = sheet(shd)
    assert [axes.get_title(loc="left") for axes in drawn.axes] == ["asia", "cancer", "earthquake", "sachs", "survey"]
    for axes, panel in zip(drawn.axes, shd.panels, strict=True):
        assert axes.get_xscale() == "log"
        assert [line.get_label() for line in axes.lines] == ["BDeu", "BIC", "fNML", "qNML"]
        for line, curve in zip(axes.lines, panel.curves, strict=True):
            assert tuple(line.get_ydata()) == curve.mean
        # Two standard errors either way of the first mean of the first curve, 4 ± 0.08.
        edges = axes.collections[0].get_paths()[0].vertices
        assert {round(float(y), 6) for x, y in edges if x == 10.0} == {3.92, 4.08}
    (legend,) = drawn.legends
    assert [text.get_text() for text in legend.texts] == ["BDeu", "BIC", "fNML", "qNML"]


def test_the_booklet_shows_the_spread(booklet):
    axes = sheet(booklet[0]).axes[1]
    edges = axes.collections[0].get_paths()[0].vertices
    assert {round(float(y)) for x, y in edges if x == 10.0} == {8100, 9900}
    assert axes.get_yscale() == "log"
    assert caption(booklet[0]).startswith("Bands: one standard deviation")
    assert "logarithmic" in caption(booklet[0])


def test_few_panels_are_labelled_at_the_ends_of_the_curves(booklet):
    drawn = sheet(booklet[0])
    assert drawn.legends == []
    for axes in drawn.axes:
        assert sorted(text.get_text() for text in axes.texts) == ["BDeu", "BIC", "fNML", "qNML"]
        heights = sorted(text.xyann[1] for text in axes.texts)
        assert all(above - below > 0.05 for below, above in pairwise(heights))


def test_labels_stand_where_their_curves_end(booklet):
    """Even before matplotlib has computed the limits."""
    axes = sheet(booklet[0]).axes[0]
    low, high = axes.get_ylim()
    for text, curve in zip(axes.texts, booklet[0].panels[0].curves, strict=True):
        assert text.get_text() == curve.label
        assert text.xy[1] == pytest.approx((curve.mean[-1] - low) / (high - low))


def test_heights_are_named_once_in_a_row(shd, booklet):
    assert [axes.get_ylabel() for axes in sheet(shd).axes] == ["mean SHD", "", "", "mean SHD", ""]
    assert [axes.get_ylabel() for axes in sheet(booklet[0]).axes] == ["mean log-probability", "number of parameters"]
    many = sheet(dataclasses.replace(shd, panels=shd.panels[:2] * 6))
    assert {axes.get_ylabel() for axes in many.axes} == {""}
    assert [text.get_text() for text in many.texts] == ["mean SHD"]


def test_the_sample_size_of_a_claim_is_marked(shd):
    ranks = dataclasses.replace(shd, part="figure3", panels=shd.panels[:1])
    (axes,) = sheet(ranks).axes
    assert any(list(line.get_xdata()) == [300.0, 300.0] for line in axes.lines)


def test_only_counts_of_many_magnitudes_are_tall(shd, booklet):
    assert not is_tall(shd.panels[0])
    assert is_tall(booklet[0].panels[1])


def test_equal_figures_give_equal_files(shd):
    small = dataclasses.replace(shd, panels=shd.panels[:1])
    for draw in (figures.svg_text, figures.png_bytes):
        assert draw(small) == draw(small)
    assert figures.png_bytes(small).startswith(b"\x89PNG")
    assert "<dc:date>" not in figures.svg_text(small)


def test_the_users_settings_do_not_matter_and_are_left_alone(shd):
    small = dataclasses.replace(shd, panels=shd.panels[:1])
    plain = figures.svg_text(small)
    with matplotlib.rc_context({"font.size": 30.0, "axes.grid": True}):
        assert figures.svg_text(small) == plain
        assert matplotlib.rcParams["font.size"] == 30.0


def test_the_booklet_has_a_page_for_each_data_set(booklet):
    content = figures.pdf_bytes(booklet, "Appendix E")
    assert content.startswith(b"%PDF")
    assert len(re.findall(rb"/Type /Page\b", content)) == 3
    assert content == figures.pdf_bytes(booklet, "Appendix E")


def test_criteria_differ_in_colour_dash_and_marker():
    looks = strokes(["qNML", "BDeu", "BIC", "fNML"])
    for feature in ("colour", "dashes", "marker"):
        assert len({str(getattr(look, feature)) for look in looks.values()}) == 4
    assert strokes(["fNML, larger"])["fNML, larger"] == looks["fNML"]


def test_colours_stand_out_from_white_and_from_each_other():
    """At least 3:1 against white, the minimum for graphics in the web accessibility guidelines."""

    def light(colour):
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for look in strokes(["BDeu", "BIC", "fNML", "qNML"]).values():
        assert 1.05 / (light(look.colour) + 0.05) >= 3.0


def test_labels_are_moved_apart_and_keep_their_order():
    assert spread_apart([0.2, 0.8], 0.1) == [0.2, 0.8]
    moved = spread_apart([0.5, 0.1, 0.52, 0.49], 0.1)
    assert moved[1] == 0.1
    assert sorted(range(4), key=moved.__getitem__) == [1, 3, 0, 2]
    steps = sorted(moved)[1:]
    assert [round(above - below, 9) for below, above in pairwise(steps)] == [0.1, 0.1]
    assert sum(steps) == pytest.approx(0.5 + 0.52 + 0.49)


@pytest.mark.parametrize("panels", range(1, 21))
def test_panels_stand_apart_inside_the_figure(panels):
    grid = Grid(panels, columns_for(panels), 2.0, 1.5, head=0.3)
    places = [grid.place(number) for number in range(panels)]
    for left, bottom, width, height in places:
        assert left > 0
        assert bottom > 0
        assert left + width < 1
        assert bottom + height < 1
    corners = {(round(left, 9), round(bottom, 9)) for left, bottom, _, _ in places}
    assert len(corners) == panels
    assert sum(map(grid.is_lowest, range(panels))) == min(panels, grid.columns)


def test_without_matplotlib_the_extra_is_named(monkeypatch, shd):
    monkeypatch.setattr(figures, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"qnml paper: .*qnml\[plot\]"):
        check_figures("qnml paper")
    imported = builtins.__import__

    def without(name, *rest, **named):
        if name.partition(".")[0] == "matplotlib":
            raise ImportError(name)
        return imported(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match=r"qnml\[plot\]"):
        figures.svg_text(shd)
