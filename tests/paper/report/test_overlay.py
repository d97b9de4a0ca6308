"""The paper's curves behind ours, and several figures side by side."""

import dataclasses

from qnml.paper.report import figures, sheets
from qnml.paper.report.caption import caption
from qnml.paper.report.multiples import at_a_glance
from qnml.paper.report.overlay import with_the_papers_curves


def test_the_papers_curves_are_added_to_ours(shd, drawn_in_the_paper):
    ours, theirs = with_the_papers_curves((shd, drawn_in_the_paper))
    assert theirs == drawn_in_the_paper
    assert ours.repetitions == shd.repetitions
    labels = [curve.label for curve in ours.panels[0].curves]
    assert labels[:4] == ["BDeu", "BIC", "fNML", "qNML"]
    assert labels[4:] == ["BDeu, the paper", "BIC, the paper", "fNML, the paper", "qNML, the paper"]
    assert ours.panels[0].curves[4].mean == (2.5, 2.0, 1.5)
    assert "Thin lines: the paper's curves." in caption(ours)
    assert "Thin" not in caption(shd)


def test_the_papers_curves_are_thin_and_named_once(shd, drawn_in_the_paper):
    ours, _ = with_the_papers_curves((shd, drawn_in_the_paper))
    with figures.drawing():
        drawn = sheets.sheet(ours)
    for line in drawn.axes[0].lines:
        of_the_paper = line.get_label().endswith("the paper")
        assert (line.get_linewidth() < 1.0) == of_the_paper
        if of_the_paper:
            twin = next(other for other in drawn.axes[0].lines if line.get_label().startswith(other.get_label()))
            assert line.get_color() == twin.get_color()
    (legend,) = drawn.legends
    assert [text.get_text() for text in legend.texts] == ["BDeu", "BIC", "fNML", "qNML", "thin: the paper"]


def test_figures_without_the_papers_curves_stay_as_they_are(shd, booklet):
    assert with_the_papers_curves((shd,)) == (shd,)
    assert with_the_papers_curves(booklet) == booklet


def test_many_figures_become_one_for_each_kind_of_panel(booklet):
    many = tuple(dataclasses.replace(booklet[0], title=f"set {n}", repetitions={f"set {n}": n}) for n in range(1, 6))
    prediction, parsimony = at_a_glance(many)
    assert (prediction.title, parsimony.title) == ("prediction", "parsimony")
    assert [panel.title for panel in prediction.panels] == [f"set {n}" for n in range(1, 6)]
    assert {panel.y_label for panel in parsimony.panels} == {"number of parameters"}
    assert prediction.repetitions == {f"set {n}": n for n in range(1, 6)}


def test_few_figures_and_figures_unlike_each_other_stay(shd, booklet):
    assert at_a_glance(booklet) == booklet
    mixed = (*booklet, *booklet, shd)
    assert at_a_glance(mixed) == mixed
