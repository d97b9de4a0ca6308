"""Notebook displays of a network and of a learned structure."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

import qnml


def test_a_network_shows_its_picture_and_its_tables() -> None:
    network = qnml.datasets.load_network("asia")
    page = network._repr_html_()
    for name in network.names:
        assert f"<summary>{name}</summary>" in page
    # P(tub = yes | asia = yes) of the published network.
    assert "<td>0.05</td>" in page
    ElementTree.fromstring(network._repr_svg_()[network._repr_svg_().index("<svg") :])


def test_tables_of_many_configurations_are_cut() -> None:
    generator = np.random.default_rng(1)
    names = [f"v{i}" for i in range(8)]
    table = qnml.Table.from_codes([generator.integers(0, 3, 50) for _ in names], names=names, levels=[3] * 8)
    dag = qnml.Dag.from_arcs(names, [(parent, "v7") for parent in names[:7]])
    page = qnml.fit(table, dag).plot(tables=True)._repr_html_()
    assert "The first 64 configurations." in page
    assert page.count("<tr>") <= 8 * 65


def test_a_result_shows_its_class_and_its_certificate() -> None:
    result = qnml.learn(qnml.datasets.sample("asia", 500, seed=2))
    page = result._repr_html_()
    assert "<svg" in page
    assert result.sentence() in page


@pytest.mark.parametrize("ending", ["svg", "dot"])
def test_pictures_are_saved(tmp_path, ending: str) -> None:
    path = tmp_path / f"asia.{ending}"
    qnml.datasets.load_network("asia").plot().save(path)
    assert "dysp" in path.read_text(encoding="utf-8")


def test_odd_names_are_escaped() -> None:
    table = qnml.Table.from_codes([[0, 1], [1, 0]], names=["<b>", "a&b"])
    page = qnml.fit(table, qnml.Dag.from_arcs(["<b>", "a&b"], [("<b>", "a&b")])).plot(tables=True)._repr_html_()
    assert "<summary>&lt;b&gt;</summary>" in page
