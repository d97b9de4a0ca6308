"""`qnml.report`: what goes into the page, from data, results and networks, and what it refuses."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

import qnml
from qnml._api.report_contents import Left, fingerprint

if TYPE_CHECKING:
    from pathlib import Path


def facts_of(page: Any) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="facts">(.*?)</script>', page.html, re.DOTALL)
    assert found is not None
    facts: dict[str, Any] = json.loads(found[1])
    return facts


def test_data_results_and_networks_give_pages(tmp_path: Path) -> None:
    table = qnml.datasets.sample("asia", 300, seed=2)
    result = qnml.learn(table, progress=False)
    path = tmp_path / "page.html"
    from_data = qnml.report(table, path, progress=False)
    assert path.read_text(encoding="utf-8") == from_data.html
    from_result = qnml.report(result, progress=False)
    assert facts_of(from_data)["arcs"] == facts_of(from_result)["arcs"]
    alone = facts_of(qnml.report(result.fit().with_mpdag(None)))
    assert [node["name"] for node in alone["nodes"]] == list(table.names)
    assert alone["probabilities"] is None
    assert alone["ranked"] is None
    assert alone["classEdges"] is None
    # A network that carries its class shows it, and the range of effects.
    with_class = facts_of(qnml.report(result.fit()))
    assert with_class["classEdges"] == facts_of(from_result)["classEdges"]
    assert with_class["inference"]["parentSets"] == facts_of(from_result)["inference"]["parentSets"]


def test_the_facts_are_those_of_the_library() -> None:
    table = qnml.datasets.sample("asia", 500, seed=4)
    result = qnml.learn(table, progress=False)
    facts = facts_of(qnml.report(result, progress=False))
    names = [node["name"] for node in facts["nodes"]]
    bits = {(arc.parent, arc.child): arc.removal_cost_bits for arc in result.explanation.arcs}
    assert {(names[arc["from"]], names[arc["to"]]): arc["bits"] for arc in facts["arcs"]} == pytest.approx(bits)
    posterior = qnml.posterior(table)
    for i, j, forward, back in facts["probabilities"]["pairs"]:
        assert forward == pytest.approx(posterior.edge_probabilities[names[i], names[j]], abs=1e-6)
        assert back == pytest.approx(posterior.edge_probabilities[names[j], names[i]], abs=1e-6)
    for node in facts["nodes"]:
        assert sum(node["counts"]) == table.n_rows
        assert node["table"] == pytest.approx(result.fit().table(node["name"]).ravel().tolist(), abs=1e-11)


def test_knowledge_holds_for_all_parts() -> None:
    table = qnml.datasets.sample("cancer", 400, seed=1)
    known = qnml.Knowledge(forbidden=[("Cancer", "Xray"), ("Xray", "Cancer")])
    page = qnml.report(table, knowledge=known, progress=False)
    contents = page.contents
    assert ("Cancer", "Xray") not in contents.network.dag.arcs
    assert not isinstance(contents.probabilities, Left)
    place = {name: k for k, name in enumerate(contents.probabilities.names)}
    assert contents.probabilities.arcs[place["Cancer"], place["Xray"]] == 0
    assert not isinstance(contents.ranked, Left)
    assert all(known.admits(one.dag) for one in contents.ranked)


def test_parts_can_be_left_out_and_say_why() -> None:
    table = qnml.datasets.sample("cancer", 100, seed=1)
    page = qnml.report(table, probabilities="none", progress=False)
    assert "Left out: They were not asked for." in page.html
    holed = qnml.read_table({"a": ["x", None, "y", "x"] * 20, "b": ["u", "v", "u", None] * 20}, missing="em")
    page = qnml.report(holed, progress=False)
    assert isinstance(page.contents.probabilities, Left)
    assert "missing cells" in page.contents.probabilities.reason
    assert not isinstance(page.contents.residuals, Left)


def test_pages_of_equal_input_are_equal_but_for_times() -> None:
    table = qnml.datasets.sample("cancer", 200, seed=1)

    def stable() -> str:
        return re.sub(r"[\d.e-]+ s\b", "s", re.sub(r"<td>[\d.e-]+</td></tr></tbody>", "", qnml.report(table).html))

    assert stable() == stable()


def test_bad_arguments_are_named(tmp_path: Path) -> None:
    table = qnml.datasets.sample("cancer", 50, seed=1)
    with pytest.raises(qnml.QnmlError, match=r"report\(path="):
        qnml.report(table, tmp_path / "page.pdf")
    with pytest.raises(qnml.QnmlError, match="probabilities"):
        qnml.report(table, probabilities="maybe")
    with pytest.raises(qnml.QnmlError, match="already learned"):
        qnml.report(qnml.learn(table, progress=False), score="bic")
    with pytest.raises(qnml.QnmlError, match="title"):
        qnml.report(table, title=3)  # type: ignore[arg-type]


def test_the_fingerprint_tells_tables_apart() -> None:
    table = qnml.datasets.sample("cancer", 50, seed=1)
    same = qnml.read_table(table.to_frame(), levels={name: table.levels[name] for name in table.names})
    assert fingerprint(table) == fingerprint(same)
    assert fingerprint(table) != fingerprint(table.take(slice(1, None)))
    assert fingerprint(table) != fingerprint(table.with_weights([2] * 50))


def test_notebooks_show_the_page_in_a_frame() -> None:
    page = qnml.report(qnml.datasets.load_network("cancer"))
    assert page._repr_html_().startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    assert repr(page).startswith("ReportPage('Bayesian network'")
