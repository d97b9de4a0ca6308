"""The page inside notebooks: in a frame, and as a widget whose state follows that of a model."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING, Any

import pytest

import qnml

if TYPE_CHECKING:
    from pathlib import Path

    from browser.visits import Visit

# A model as notebooks give it to widgets.
MODEL = """(page) => {
  const values = {page, title: "a page", height: 600, evidence: {}, do: {}, variable: null, view: "network"};
  const heard = [];
  window.model = {values, saved: 0, get: (key) => values[key], set: (key, value) => { values[key] = value; },
    save_changes: () => { window.model.saved++; }, on: (name, action) => heard.push([name, action]), off: () => {},
    tell: (key, value) => {
      values[key] = value;
      for (const [name, action] of heard) if (name === `change:${key}`) action();
    }};
}"""


@pytest.fixture(scope="module")
def page() -> Any:
    return qnml.report(qnml.datasets.load_network("asia"))


def test_a_framed_page_works_and_complains_of_nothing(visit: Visit, page: Any, tmp_path: Path) -> None:
    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html><meta charset=utf-8>{page._repr_html_()}", encoding="utf-8")
    visit.open(path)
    frame = visit.page.frame_locator("iframe")
    frame.locator('[data-card][aria-label="xray"] .bar').first.click()
    assert "Probability of the evidence" in frame.locator("#what-if-said").inner_text()
    assert frame.locator("#share").is_hidden()
    assert visit.complaints == []


def test_a_widget_follows_its_model_and_its_model_follows_it(visit: Visit, page: Any, tmp_path: Path) -> None:
    script = resources.files("qnml.reports.web").joinpath("widget.js").read_text(encoding="utf-8")
    path = tmp_path / "widget.html"
    path.write_text("<!doctype html><meta charset=utf-8><div id=cell></div>", encoding="utf-8")
    window = visit.open(path)
    window.evaluate(MODEL, page.html)
    window.evaluate(
        """async (script) => {
          const address = URL.createObjectURL(new Blob([script], {type: "text/javascript"}));
          const widget = (await import(address)).default;
          widget.render({model: window.model, el: document.getElementById("cell")});
        }""",
        script,
    )
    frame = window.frame_locator("iframe")
    frame.locator('[data-card][aria-label="xray"] .bar').first.click()
    assert window.evaluate("() => window.model.values.evidence") == {"xray": "yes"}
    assert window.evaluate("() => window.model.saved") > 0
    window.evaluate('() => window.model.tell("evidence", {dysp: "no", nobody: "x"})')
    assert frame.locator(".bar[aria-pressed=true]").count() == 1
    net = page.contents.network
    shown = float(frame.locator('[data-card][aria-label="lung"] .value').first.get_attribute("title"))
    assert shown == pytest.approx(net.query("lung", {"dysp": "no"})["yes"], abs=1e-9)
    window.evaluate('() => window.model.tell("variable", "lung")')
    assert frame.locator('.node.selected[aria-label^="lung;"]').count() == 1
    assert visit.complaints == []
