"""What is needed for a release agrees: versions, requirements of the recipe, fragments of the changelog, the paper."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

import pytest

from tools.pages.catalog import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FRAGMENT = re.compile(r"[\w+-]+\.(added|changed|deprecated|removed|fixed|security)\.md")


def test_the_recipe_has_the_version_and_the_requirements() -> None:
    recipe = (ROOT / "recipe" / "recipe.yaml").read_text(encoding="utf-8")
    run = re.findall(r"^    - ([\w-]+) >=([\d.]+)$", recipe.split("  run:\n")[1], re.MULTILINE)
    wanted = [tuple(entry.split(">=")) for entry in PROJECT["project"]["dependencies"]]
    assert run == [("python", PROJECT["project"]["requires-python"].removeprefix(">=")), *wanted]
    for entry in PROJECT["build-system"]["requires"]:
        assert f"- {entry.replace('>=', ' >=')}" in recipe
    version = re.search(r'version: "([\d.]+)"', recipe)
    assert version is not None
    assert version[1] >= PROJECT["project"]["version"]


def test_fragments_of_the_changelog_have_a_kind() -> None:
    kinds = {kind["directory"] for kind in PROJECT["tool"]["towncrier"]["type"]}
    found = [path.name for path in (ROOT / PROJECT["tool"]["towncrier"]["directory"]).iterdir()]
    assert [name for name in found if name != "README.md" and not FRAGMENT.fullmatch(name)] == []
    assert kinds == set(re.findall(r"\w+", FRAGMENT.pattern.split("(")[1].split(")")[0]))


def test_the_paper_cites_what_it_lists() -> None:
    text = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
    cited = set(re.findall(r"@([a-z]+\d*)", text))
    listed = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "paper" / "paper.bib").read_text(encoding="utf-8"), re.MULTILINE))
    assert cited == listed


def test_the_table_of_the_paper_is_that_of_the_benchmarks() -> None:
    rows = re.findall(r"^\| (\w+) \| ([\d,]+) \| (\w+) \| ([-\d.,]+) \|", _paper(), re.MULTILINE)
    measured = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert len(rows) == 12
    assert [row for row in rows if f"| {' | '.join(row)} |" not in measured] == []


def _paper() -> str:
    return (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("fails", [False, True])
def test_the_build_shows_how_far_it_is(fails: bool) -> None:
    code = "print('noise'); [print(f'[{i}/20] Building') for i in range(1, 21)]"
    code += "; raise SystemExit(3)" if fails else ""
    command = [sys.executable, str(ROOT / "tools" / "show_build.py"), "Building", sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "Building: 20 of 20 files" in done.stdout
    assert ("noise" in done.stdout) == fails
    assert done.returncode == (3 if fails else 0)
