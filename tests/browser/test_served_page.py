"""The page of ``qnml show`` in a real browser: the library answers, and learns again with other knowledge."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

import qnml
from qnml._api.report_contents import Left
from qnml.serving import PageServer, Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from browser.visits import Visit


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[PageServer]:
    """A server whose page must ask the library, as if its network were too large for a page."""
    monkeypatch.setattr("qnml._api.report._answers", lambda *_: Left("too large"))
    table = qnml.datasets.sample("cancer", 300, seed=1)

    def learn(known: qnml.Knowledge, seconds: float) -> Any:
        return qnml.report(table, knowledge=known, time_limit=seconds, probabilities="none", progress=False)

    with PageServer(Session(qnml.report(table, probabilities="none", progress=False), learn)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_the_library_answers(visit: Visit, served: PageServer) -> None:
    page, net = visit.page, served.session._page.contents.network
    page.goto(served.address)
    page.click('[data-card][aria-label="Xray"] .bar')
    level = net.levels["Xray"][0]
    page.wait_for_function(
        """() => document.querySelector('[data-card="0"] .value').title !== "" &&
        document.querySelector("#what-if-said").textContent !== "" """
    )
    for name in net.names:
        titles = page.eval_on_selector_all(
            f'[data-card][aria-label="{name}"] .value', "values => values.map((value) => Number(value.title))"
        )
        expected = net.marginals({"Xray": level})[name].values
        assert titles == pytest.approx(list(expected), abs=1e-9)
    assert all(url.startswith(served.address) for url in visit.requests)
    assert visit.complaints == []


def test_learning_again_shows_the_new_network(visit: Visit, served: PageServer) -> None:
    page = visit.page
    page.goto(served.address)
    page.click("[data-tab=knowledge]")
    page.select_option("select[aria-label=From]", "Smoker")
    page.select_option("select[aria-label=To]", "Xray")
    page.get_by_role("button", name="Require", exact=True).click()
    assert "Smoker → Xray" in page.inner_text("[data-zone=required]")
    with page.expect_navigation():
        page.get_by_role("button", name="Learn again").click()
    assert ("Smoker", "Xray") in served.session._page.contents.network.dag.arcs
    assert page.locator('.line[aria-label^="Smoker → Xray"]').count() == 1
    page.click("[data-tab=knowledge]")
    page.click("text=take back")
    page.select_option("select[aria-label=From]", "Xray")
    page.select_option("select[aria-label=To]", "Xray")
    page.get_by_role("button", name="Forbid", exact=True).click()
    assert "two variables" in page.inner_text("#knowledge")
    assert visit.complaints == []


def test_a_line_can_be_dragged_into_a_list_that_is_kept(visit: Visit, served: PageServer) -> None:
    page = visit.page
    page.goto(served.address)
    line = page.locator(".line").first
    arc = line.get_attribute("aria-label").split(":")[0].replace("—", "→")
    x, y = page.evaluate(
        """() => {
          const path = document.querySelector(".line .stroke");
          const point = path.getPointAtLength(path.getTotalLength() / 2).matrixTransform(path.getScreenCTM());
          return [point.x, point.y];
        }"""
    )
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y + 10, steps=3)
    assert page.inner_text(".carried").replace("—", "→") == arc
    zone = page.locator("[data-zone=forbidden]").bounding_box()
    page.mouse.move(zone["x"] + 20, zone["y"] + 10, steps=3)
    page.mouse.up()
    assert arc in page.inner_text("[data-zone=forbidden]")
    assert page.locator(".carried").count() == 0
    page.wait_for_function("() => true")
    page.reload()
    page.click("[data-tab=knowledge]")
    assert arc in page.inner_text("[data-zone=forbidden]")
    assert served.session.lists["forbidden"] == [arc.split(" → ")]
    assert visit.complaints == []


def test_interventions_have_the_range_of_the_class(visit: Visit, served: PageServer) -> None:
    page, net = visit.page, served.session._page.contents.network
    assert net.mpdag.undirected
    cause = net.mpdag.undirected[0][0]
    page.goto(served.address)
    page.click("[data-mode=do]")
    with page.expect_response("**/answer"):
        page.click(f'[data-card][aria-label="{cause}"] .bar >> nth=0')
    page.wait_for_function("() => document.querySelector('#what-if-said').textContent.includes('several directions')")
    found = net.class_marginals(do={cause: net.levels[cause][0]})
    for name in net.names:
        titles = page.eval_on_selector_all(
            f'[data-card][aria-label="{name}"] .value', "values => values.map((value) => value.title)"
        )
        for title, *values in zip(titles, *(one[name].values for one in found), strict=True):
            ends = [float(part) for part in title.split(" to ")]
            assert (ends[0], ends[-1]) == pytest.approx((min(values), max(values)), abs=1e-3)


def test_an_ended_server_is_told(visit: Visit, served: PageServer) -> None:
    page = visit.page
    page.goto(served.address)
    page.route("**/answer", lambda route: route.abort())
    page.click('[data-card][aria-label="Xray"] .bar')
    page.wait_for_function('() => document.querySelector("#what-if-said").textContent.includes("has ended")')
