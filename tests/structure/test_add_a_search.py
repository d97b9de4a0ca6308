"""The search of docs/add-a-search.md runs, obeys the rules and cannot beat the exact one."""

from __future__ import annotations

import re
import sys
from types import ModuleType

import pytest
from reference.structure_problems import make_problem, small_table

import qnml
from qnml.graph import Dag


@pytest.fixture(scope="module")
def search(root):
    page = (root / "docs" / "add-a-search.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    module = ModuleType("fixed_order")
    sys.modules["fixed_order"] = module
    exec(compile(code, "docs/add-a-search.md", "exec"), module.__dict__)
    yield module
    del sys.modules["fixed_order"]


@pytest.mark.parametrize("score", ["bic", "qnml", "k2"])
def test_the_search_of_the_page_runs(search, score) -> None:
    table = small_table(6, 300, seed=3)
    known = qnml.Knowledge(required=[("a", "f")], forbidden=[("a", "b")])
    problem = make_problem(table, score, knowledge=known, max_parents=2)
    assert search.make_plan(problem).fits
    found = Dag.from_masks(table.names, search.run(problem))
    assert known.admits(found)
    assert max(map(len, map(found.parents, found.names))) <= 2
    best = qnml.learn(table, score, "exact", knowledge=known, max_parents=2)
    least = qnml.score(table, Dag.from_arcs(table.names, [("a", "f")]), score)
    assert least < qnml.score(table, found, score) <= best.score + 1e-9


def test_the_files_that_the_page_names_are_there(root) -> None:
    page = (root / "docs" / "add-a-search.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:src|cpp|tests)/[\w/]+\.\w+)`", page)) - {"src/qnml/search/local/fixed_order.py"}
    assert named
    assert not [name for name in named if not (root / name).exists()]


def test_the_page_needs_at_most_six_files(root) -> None:
    page = (root / "docs" / "add-a-search.md").read_text(encoding="utf-8")
    steps = re.findall(r"^\d+\. ", page.split("## Make it a method")[1], re.MULTILINE)
    assert 1 <= len(steps) <= 6
