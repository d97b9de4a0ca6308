"""The page as a widget of notebooks: its traits, its fallbacks."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import qnml


@pytest.fixture(scope="module")
def page() -> Any:
    return qnml.report(qnml.datasets.load_network("asia"), title="<Asia>")


def test_the_widget_has_the_page_and_a_static_picture(page: Any) -> None:
    pytest.importorskip("anywidget")
    widget = page.widget(height=500)
    assert widget.page == page.html
    assert (widget.title, widget.height, widget.evidence, widget.variable) == ("<Asia>", 500, {}, None)
    data, _ = widget._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert "<svg" in data["text/html"]
    assert len(repr(widget)) < 200


def test_chosen_evidence_can_be_asked_of_the_library(page: Any) -> None:
    pytest.importorskip("anywidget")
    widget = page.widget()
    seen = []
    widget.observe(lambda change: seen.append(change["new"]), "evidence")
    widget.evidence = {"xray": "yes"}
    assert seen == [{"xray": "yes"}]
    assert widget.network.query("lung", widget.evidence)["yes"] == pytest.approx(0.4887, abs=1e-4)


def test_without_anywidget_there_is_a_picture_and_a_warning(page: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from qnml.reports.web import widget

    widget._widget_class.cache_clear()
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.warns(UserWarning, match="anywidget is not installed"):
        shown = page.widget()
    assert "<svg" in shown._repr_html_()


def test_the_height_is_checked(page: Any) -> None:
    with pytest.raises(qnml.errors.InputError, match=r"ReportPage\.widget"):
        page.widget(height=1)
