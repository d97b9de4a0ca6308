"""What notebooks show of every public result: short as text, readable as HTML, and drawn where it can be."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest

import qnml

if TYPE_CHECKING:
    from pathlib import Path

ODD = '<b>"x"&'


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    """One of each, with a name that is not HTML."""
    table = qnml.datasets.sample("cancer", 200, seed=1)
    table = qnml.Table.from_codes(
        list(table.columns), [ODD, *table.names[1:]], [table.levels[name] for name in table.names]
    )
    result = qnml.learn(table, progress=False)
    net = result.fit()
    raw = qnml.read_table({ODD: ["x", None, "y"] * 9, "age": [20.5, 31.2, 44.0] * 9}, prepare="auto")
    other = qnml.Dag.from_arcs(table.names, [("Smoker", "Cancer"), (ODD, "Xray")])
    return {
        "table": table,
        "dag": result.dag,
        "cpdag": result.cpdag,
        "mpdag": result.mpdag,
        "result": result,
        "certificate": result.certificate,
        "explanation": result.explanation,
        "k_best": qnml.k_best(table, 30),
        "bootstrap": qnml.bootstrap(table, 10, seed=1),
        "posterior": qnml.posterior(table),
        "distribution": net.query([ODD, "Smoker"]),
        "network": net,
        "comparison": qnml.compare(result.dag, other),
        "preparation": raw.preparation,
        "effect": net.effect("Smoker", ODD),
        "marginals": net.marginals(),
    }


class _Balance(HTMLParser):
    """Whether every element that is opened is closed, and which there are."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen.add(tag)
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.seen.add(tag)


KINDS = [
    "table", "dag", "cpdag", "mpdag", "result", "certificate", "explanation", "k_best", "bootstrap", "posterior",
    "distribution", "network", "comparison", "preparation", "effect", "marginals",
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_everything_is_short_as_text_and_sound_as_html(results: dict[str, Any], kind: str) -> None:
    assert len(repr(results[kind])) < 300
    checker = _Balance()
    checker.feed(results[kind]._repr_html_())
    assert checker.open == []
    assert "b" not in checker.seen  # names are text, not markup


@pytest.mark.parametrize(
    "kind", ["dag", "cpdag", "mpdag", "result", "k_best", "bootstrap", "posterior", "network", "explanation"]
)
@pytest.mark.parametrize("suffix", [".svg", ".pdf"])
def test_pictures_can_be_saved(results: dict[str, Any], tmp_path: Path, kind: str, suffix: str) -> None:
    path = tmp_path / f"picture{suffix}"
    given = {"path": path} if kind == "k_best" else {}
    words = () if kind == "k_best" else (str(path),)
    results[kind].plot(*words, **given)
    start = path.read_bytes()[:5]
    assert start == (b"%PDF-" if suffix == ".pdf" else start)
    assert start[:1] in (b"<", b"%")


def test_frames_hold_what_the_results_hold(results: dict[str, Any]) -> None:
    bootstrap = results["bootstrap"]
    frame = bootstrap.to_frame()
    for first, second, forward, backward in frame.select("first", "second", "forward", "backward").iter_rows():
        assert bootstrap.edge_frequencies[first, second] == forward
        assert bootstrap.edge_frequencies[second, first] == backward
    assert frame["adjacent"].is_sorted(descending=True)
    ranked = results["k_best"]
    assert ranked.to_frame()["score"].to_list() == [one.score for one in ranked]
    assert [qnml.Dag.from_modelstring(text).to_cpdag() for text in ranked.to_frame()["network"].head(3)] == [
        one.cpdag for one in list(ranked)[:3]
    ] or ODD in ranked.to_frame()["network"][0]
    explained = results["explanation"]
    assert explained.to_frame()["score"].sum() == pytest.approx(explained.score)
    assert explained.to_frame()["child"].to_list() == [family.child for family in explained.families]


def test_frames_of_differences_preparations_and_effects(results: dict[str, Any]) -> None:
    differences = results["comparison"]
    frame = differences.to_frame()
    assert frame.columns == ["difference", "reference", "other"]
    counted = dict(frame["difference"].value_counts().iter_rows())
    assert counted.get("missing", 0) == len(differences.missing)
    assert counted.get("extra", 0) == len(differences.extra)
    assert counted.get("wrongly oriented", 0) + counted.get("matching", 0) == len(frame) - differences.shd + len(
        differences.wrongly_oriented
    )
    nothing = qnml.compare(qnml.Dag.empty(["a", "b"]), qnml.Dag.empty(["a", "b"])).to_frame()
    assert nothing.shape == (0, 3)
    made = results["preparation"]
    assert made.to_frame()["column"].to_list() == [ODD, "age"]
    assert made.to_frame()["missing"].to_list() == [9, 0]
    effect = results["effect"]
    rows = effect.to_frame()
    assert rows["low"].to_list() == pytest.approx(effect.low.ravel().tolist())
    assert rows["high"].to_list() == pytest.approx(effect.high.ravel().tolist())


def test_a_rank_beyond_the_list_is_named(results: dict[str, Any]) -> None:
    with pytest.raises(qnml.QnmlError, match=r"KBest.plot\(rank=31\)"):
        results["k_best"].plot(31)


def test_long_tables_say_what_they_leave_out(results: dict[str, Any]) -> None:
    assert "194 more rows" in results["table"]._repr_html_()
    assert "And 10 more." in results["k_best"]._repr_html_()
