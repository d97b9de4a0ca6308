"""The report page in a real browser: what it asks for, what it shows, and that its answers are those of the library."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import numpy as np
import pytest

import qnml

if TYPE_CHECKING:
    from browser.visits import Visit

ODD = ["</script><script>alert(1)</script>", "a \"b\" 'c' & d", "🙂 smile", "שלום", "long " * 40, "a\nb"]


@pytest.fixture(scope="module")
def asia() -> Any:
    """A learned network: the class of its rows leaves two directions open."""
    return qnml.learn(qnml.datasets.sample("asia", 1000, seed=1), progress=False)


@pytest.fixture(scope="module")
def asia_page(asia: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "asia.html"
    qnml.report(asia, path, name="asia.csv", progress=False)
    return path


def shown(page: Any) -> dict[str, dict[str, tuple[float, float]]]:
    """Read all bars: the exact numbers stand in their titles, ranges as two numbers."""
    cards = page.evaluate(
        """() => [...document.querySelectorAll("[data-card]")].map((card) => [card.getAttribute("aria-label"),
        [...card.querySelectorAll(".bar")].map((bar) => [bar.querySelector(".label").textContent,
        bar.querySelector(".value").title])])"""
    )
    found = {}
    for name, bars in cards:
        texts = {level: title.split(" to ") for level, title in bars}
        found[name] = {level: (float(parts[0]), float(parts[-1])) for level, parts in texts.items()}
    return found


def click_level(page: Any, name: str, level: str) -> None:
    page.locator(f'[data-card][aria-label="{name}"] .bar', has_text=re.compile(f"^{level}")).click()


def assert_equal(bars: dict[str, dict[str, tuple[float, float]]], net: Any, **given: Any) -> None:
    fixed = {**given.get("evidence", {}), **given.get("do", {})}
    for name, levels in bars.items():
        if name in fixed:
            assert levels[fixed[name]] == pytest.approx((1.0, 1.0))
            continue
        answer = net.query([name], **given)
        for level, (low, high) in levels.items():
            assert (low, high) == pytest.approx((answer[level],) * 2, abs=1e-9)


def test_the_page_asks_for_nothing_and_complains_of_nothing(visit: Visit, asia_page: Path) -> None:
    page = visit.open(asia_page)
    for view in ("class", "probabilities", "ranked", "network"):
        page.click(f"[data-view={view}]")
    assert visit.requests == [asia_page.as_uri()]
    assert visit.complaints == []
    assert asia_page.stat().st_size < 200_000


def test_answers_are_those_of_the_library(visit: Visit, asia: Any, asia_page: Path) -> None:
    page, net = visit.open(asia_page), asia.fit()
    assert_equal(shown(page), net)
    evidence = {}
    for name, level in (("xray", "yes"), ("smoke", "no"), ("dysp", "yes")):
        click_level(page, name, level)
        evidence[name] = level
        assert_equal(shown(page), net, evidence=evidence)
    click_level(page, "smoke", "no")  # once more takes it back
    del evidence["smoke"]
    assert_equal(shown(page), net, evidence=evidence)
    page.click("#reset")
    assert_equal(shown(page), net)


def test_interventions_show_the_range_over_the_class(visit: Visit, asia: Any, asia_page: Path) -> None:
    page, net = visit.open(asia_page), asia.fit()
    page.click("[data-mode=do]")
    click_level(page, "smoke", "yes")
    bars = shown(page)
    members = list(qnml.enumerate_class(asia.cpdag))
    for name in net.names:
        if name == "smoke":
            continue
        effects = [adjusted(net, "smoke", "yes", name, member.parents("smoke")) for member in members]
        for level, (low, high) in bars[name].items():
            values = [effect[level] for effect in effects]
            assert (low, high) == pytest.approx((min(values), max(values)), abs=1e-9)
    assert any(high - low > 0.01 for levels in bars.values() for low, high in levels.values())
    assert "several directions" in page.inner_text("#what-if-said")


def test_knowledge_narrows_the_range(visit: Visit, tmp_path: Path) -> None:
    known = qnml.Knowledge(tiers=[["smoke"], ["lung", "bronc"]])
    table = qnml.datasets.sample("asia", 1000, seed=1)
    result = qnml.learn(table, knowledge=known, progress=False)
    assert "smoke" not in {name for edge in result.mpdag.undirected for name in edge}
    path = tmp_path / "known.html"
    qnml.report(result, path, knowledge=known, progress=False)
    page = visit.open(path)
    page.click("[data-mode=do]")
    click_level(page, "smoke", "yes")
    assert_equal(shown(page), result.fit(), do={"smoke": "yes"})
    page.click("[data-view=class]")
    assert page.locator(".line").count() - page.locator(".line .head").count() == len(result.mpdag.undirected)


def test_an_identified_intervention_has_one_answer(visit: Visit, asia: Any, asia_page: Path) -> None:
    page, net = visit.open(asia_page), asia.fit()
    page.click("[data-mode=do]")
    click_level(page, "either", "yes")  # the data direct all its arcs
    assert_equal(shown(page), net, do={"either": "yes"})


def adjusted(net: Any, cause: str, level: str, target: str, parents: tuple[str, ...]) -> dict[str, float]:
    """P(target | do(cause = level)) by adjustment for the parents of the cause, written out."""
    if target in parents:
        return dict(net.query([target]).to_dict())
    total = dict.fromkeys(net.levels[target], 0.0)
    for labels in itertools.product(*(net.levels[parent] for parent in parents)):
        case = dict(zip(parents, labels, strict=True))
        weight = 1.0
        given: dict[str, Any] = {}
        for name, label in case.items():
            weight *= net.query([name], evidence=given)[label]
            given[name] = label
        if weight > 0:
            answer = net.query([target], evidence={**case, cause: level})
            for label in total:
                total[label] += weight * answer[label]
    return total


def test_impossible_evidence_is_named(visit: Visit, tmp_path: Path) -> None:
    path = tmp_path / "asia.html"
    qnml.report(qnml.datasets.load_network("asia"), path)
    page = visit.open(path)
    click_level(page, "lung", "yes")
    click_level(page, "either", "no")
    assert "probability zero" in page.inner_text("#what-if-said")
    assert visit.complaints == []


def test_the_slider_hides_improbable_arcs(visit: Visit, asia: Any, asia_page: Path) -> None:
    page = visit.open(asia_page)
    page.click("[data-view=probabilities]")
    joined = qnml.posterior(asia.table).adjacencies
    for threshold in (0.05, 0.5, 0.99):
        page.locator("#threshold").fill(str(threshold))
        expected = sum(joined[i, j] >= threshold for i, j in itertools.combinations(range(len(joined)), 2))
        assert page.locator(".line").count() == expected


def test_the_best_networks_can_be_paged_through(visit: Visit, asia: Any, asia_page: Path) -> None:
    page, best = visit.open(asia_page), qnml.k_best(asia.table, 10)
    page.click("[data-view=ranked]")
    for one in best:
        lines = page.evaluate(
            """() => [...document.querySelectorAll(".line")].map((line) => [Number(line.dataset.from),
            Number(line.dataset.to), line.querySelector(".head") !== null])"""
        )
        names = asia.dag.names
        directed = {(names[a], names[b]) for a, b, has_head in lines if has_head}
        undirected = {frozenset((names[a], names[b])) for a, b, has_head in lines if not has_head}
        assert directed == set(one.cpdag.directed)
        assert undirected == {frozenset(edge) for edge in one.cpdag.undirected}
        page.click("#rank-on")


def test_a_shared_address_shows_the_same(visit: Visit, asia_page: Path) -> None:
    page = visit.open(asia_page)
    click_level(page, "xray", "yes")
    page.click("[data-view=class]")
    page.locator("[data-node]").first.click()
    bars = shown(page)
    address = page.url
    shared = json.loads(unquote(address.split("#")[1]))
    assert shared["evidence"] == {"xray": "yes"}
    page.goto("about:blank")
    page.goto(address)
    assert shown(page) == bars
    assert page.get_attribute("[data-view=class]", "aria-pressed") == "true"
    assert page.locator(".node.selected").count() == 1
    for nonsense in ("#%7B", "#null", '#{"evidence":{"nobody":"x","xray":"maybe"},"view":"what","rank":99}'):
        page.goto("about:blank")
        visit.open(asia_page, nonsense)
        assert page.locator(".node").count() == 8
    assert visit.complaints == []


def test_choosing_a_variable_shows_its_blanket_and_its_table(visit: Visit, asia: Any, asia_page: Path) -> None:
    page, net = visit.open(asia_page), asia.fit()
    page.click("[data-tab=details]")
    page.locator('[data-node][aria-label^="either;"]').click()
    near = {
        net.names[v]
        for v in page.evaluate('() => [...document.querySelectorAll(".node.near")].map((n) => Number(n.dataset.node))')
    }
    dag = asia.dag
    children = {child for parent, child in dag.arcs if parent == "either"}
    expected = {"either", *dag.parents("either"), *children, *(p for child in children for p in dag.parents(child))}
    assert near == expected
    cells = page.evaluate(
        '() => [...document.querySelectorAll("#details td.number")].map((cell) => Number(cell.title))'
    )
    assert cells == pytest.approx(net.table("either").ravel().tolist(), abs=1e-11)
    page.keyboard.press("Escape")
    page.locator("#network").press("Escape")
    assert page.locator(".focused").count() == 0


def test_the_pointer_and_the_focus_tell_what_is_known(visit: Visit, asia: Any, asia_page: Path) -> None:
    page, net = visit.open(asia_page), asia.fit()
    page.hover('[data-node][aria-label^="bronc;"]')
    told = page.locator("#tip")
    counts = np.bincount(asia.table.codes("bronc"))
    assert f"{counts[0]} ({counts[0] / 10:.1f}%)" in told.inner_text()
    for p in net.table("bronc").ravel():
        assert f"{100 * p:.1f}%" in told.inner_text()
    page.mouse.move(5, 5)
    assert told.is_hidden()
    arc = next(one for one in asia.explanation.arcs if (one.parent, one.child) == ("bronc", "dysp"))
    where = page.locator('.line[aria-label^="bronc → dysp"] .reach').bounding_box()
    page.mouse.move(where["x"] + where["width"] / 2, where["y"] + where["height"] / 2)
    posterior = qnml.posterior(asia.table)
    assert f"{arc.removal_cost_bits:.0f} bits" in told.inner_text()
    assert f"bronc → dysp {posterior.edge_probabilities['bronc', 'dysp']:.1%}" in told.inner_text()
    page.locator("#search").focus()
    for _ in range(8):
        page.keyboard.press("Tab")
    focused = page.evaluate("() => document.activeElement.getAttribute('aria-label')")
    assert told.inner_text().startswith(focused.split(";")[0])
    page.keyboard.press("Escape")
    assert told.is_hidden()


def test_a_dragged_variable_takes_its_lines_along(visit: Visit, asia_page: Path) -> None:
    page = visit.open(asia_page)
    node = page.locator('[data-node][aria-label^="xray;"] rect')
    before = node.bounding_box()
    page.mouse.move(before["x"] + 10, before["y"] + 10)
    page.mouse.down()
    page.mouse.move(before["x"] + 160, before["y"] + 40, steps=4)
    page.mouse.up()
    after = node.bounding_box()
    assert after["x"] - before["x"] == pytest.approx(150, abs=2)
    line = page.locator('.line[aria-label^="either → xray"] .head').bounding_box()
    assert after["x"] - 5 <= line["x"] <= after["x"] + after["width"] + 5


def test_everything_can_be_done_by_keyboard(visit: Visit, asia_page: Path) -> None:
    page = visit.open(asia_page)
    page.locator("#search").fill("dys")
    assert page.locator(".node.found").count() == 1
    page.locator("#search").press("Enter")
    assert page.locator('.node.selected[aria-label^="dysp;"]').count() == 1
    page.locator("#search").fill("")
    chosen = page.locator('[data-node][aria-label^="tub;"]')
    chosen.focus()
    chosen.press("Enter")
    assert chosen.get_attribute("aria-pressed") == "true"
    bar = page.locator('[data-card][aria-label="tub"] .bar').first
    bar.focus()
    page.keyboard.press("Enter")
    assert bar.get_attribute("aria-pressed") == "true"
    zoomed = page.get_attribute("#network", "viewBox")
    page.locator("#network").press("+")
    assert page.get_attribute("#network", "viewBox") != zoomed


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_people_with_disabilities_can_use_it(visit: Visit, asia_page: Path, scheme: str) -> None:
    """Axe finds nothing: contrast, names of controls, order of headings, landmarks."""
    axe = Path(__file__).parents[2] / "build" / "scripts" / "node_modules" / "axe-core" / "axe.min.js"
    if not axe.exists():
        pytest.skip("axe is absent: make test-browser fetches it where there is npm")
    visit.page.emulate_media(color_scheme=scheme)
    page = visit.open(asia_page)
    page.evaluate(axe.read_text(encoding="utf-8"))
    for action in (None, "[data-tab=details]", "[data-node='3']", "[data-view=probabilities]", "[data-view=ranked]"):
        if action is not None:
            page.click(action)
        found = page.evaluate("async () => (await axe.run()).violations.map((one) => [one.id, one.nodes[0].html])")
        assert found == [], action


def test_paper_shows_bars_and_tables(visit: Visit, asia_page: Path) -> None:
    page = visit.open(asia_page)
    page.click("#theme")  # dark, which paper is not
    page.emulate_media(media="print")
    page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    assert page.locator("[data-card] .bar").first.is_visible()
    assert page.locator("details table").first.is_visible()
    assert page.locator("#theme").is_hidden()
    ground = page.evaluate("() => getComputedStyle(document.querySelector('.node rect')).fill")
    assert min(map(int, re.findall(r"\d+", ground)[:3])) > 200


def test_odd_names_do_no_harm(visit: Visit, tmp_path: Path) -> None:
    rows = [[str(int(row * 7 % 5 > k)) + ODD[k] for row in range(60)] for k in range(len(ODD))]
    table = qnml.read_table(dict(zip(ODD, rows, strict=True)))
    path = tmp_path / "odd.html"
    qnml.report(table, path, title=ODD[0], name=ODD[1], progress=False)
    page = visit.open(path)
    assert page.locator(".node").count() == len(ODD)
    page.locator("[data-card] .bar").first.click()
    assert page.locator(".bar[aria-pressed=true]").count() == 1
    page.reload()
    assert page.locator(".bar[aria-pressed=true]").count() == 1
    assert page.evaluate("() => document.querySelectorAll('script').length") == 2
    # Arcs of names that run from right to left still point the way they do: the name is set apart.
    page.hover('[data-node="3"]')
    assert page.inner_text("#tip h3") == ODD[3]
    assert page.get_attribute("#tip h3", "dir") == "auto"
    assert visit.complaints == []


@pytest.mark.parametrize(("name", "nodes"), [("alarm", 37), ("win95pts", 76)])
def test_larger_networks_stay_usable(visit: Visit, tmp_path: Path, name: str, nodes: int) -> None:
    if qnml.datasets.data_folder() is None:
        pytest.skip("the data folder is absent")
    net = qnml.datasets.load_network(name)
    path = tmp_path / "large.html"
    qnml.report(net, path)
    assert path.stat().st_size < 2_000_000
    page = visit.open(path)
    assert page.locator(".node").count() == nodes
    first = net.names[0]
    level = str(net.levels[first][0])
    click_level(page, first, level)
    bars = shown(page)
    for target in net.names[1::10]:
        answer = net.query([target], evidence={first: level})
        assert [bars[target][str(one)][0] for one in answer] == pytest.approx([answer[one] for one in answer], abs=1e-9)
    assert visit.complaints == []


def wide_network(parents: int) -> qnml.Network:
    """A child of many binary parents, and of one more for which there is evidence to give."""
    names = [f"v{k}" for k in range(parents + 1)]
    dag = qnml.Dag.from_arcs(names, [(parent, names[-1]) for parent in names[:-1]])
    rng = np.random.default_rng(1)
    levels = {name: ["a", "b"] for name in names}
    first = rng.random((2,) * parents)
    tables = {name: [0.3, 0.7] for name in names[:-1]}
    return qnml.Network(dag, levels, {**tables, names[-1]: np.stack([first, 1 - first], axis=-1)})


def test_a_larger_network_takes_one_observation_at_a_time(visit: Visit, tmp_path: Path) -> None:
    net = wide_network(18)
    path = tmp_path / "wide.html"
    qnml.report(net, path)
    page = visit.open(path)
    assert page.is_hidden("[data-mode=do]")
    for evidence in ({"v18": "a"}, {"v3": "b"}):
        [(name, level)] = evidence.items()
        click_level(page, name, level)
        bars = shown(page)
        found = net.marginals(evidence)
        for target in net.names:
            expected = [found[target][one] for one in ("a", "b")]
            assert [bars[target][one][0] for one in ("a", "b")] == pytest.approx(expected, rel=1e-4)
    assert "one observation at a time" in page.inner_text("#what-if-said")
    assert visit.complaints == []


def test_a_network_too_large_for_a_page_says_so(visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qnml._api.report._MOST_SINGLE_NUMBERS", 0)
    path = tmp_path / "wide.html"
    page = qnml.report(wide_network(18), path)
    assert "too large for a page" in page.html
    opened = visit.open(path)
    assert opened.locator(".node").count() == 19
    assert visit.complaints == []


def test_one_level_and_no_arcs_do_no_harm(visit: Visit, tmp_path: Path) -> None:
    dag = qnml.Dag.from_arcs(["a", "b", "c"], [("a", "c"), ("b", "c")])
    levels = {"a": ["x", "y"], "b": ["x", "y"], "c": ["only"]}
    net = qnml.Network(dag, levels, {"a": [0.2, 0.8], "b": [0.5, 0.5], "c": np.ones((2, 2, 1))})
    path = tmp_path / "one.html"
    qnml.report(net, path)
    page = visit.open(path)
    click_level(page, "a", "y")
    click_level(page, "c", "only")
    assert shown(page)["b"] == {"x": (0.5, 0.5), "y": (0.5, 0.5)}
    assert visit.complaints == []
