"""The targets of the Makefile are documented, and documented targets exist."""

import re


def _targets(root):
    text = (root / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z-]+):.*##", text, re.MULTILINE)), text


def test_every_target_is_phony(root):
    targets, text = _targets(root)
    phony = re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE)
    assert phony is not None
    assert set(phony[1].split()) == targets


def test_documents_name_only_targets_that_are_there(root):
    targets, _ = _targets(root)
    pages = [*root.glob("*.md"), *(root / "docs").rglob("*.md"), *(root / "fuzz").glob("*.md")]
    named = {
        (page.name, target)
        for page in pages
        if "output" not in page.parts
        for target in re.findall(r"`make ([a-z-]+)", page.read_text(encoding="utf-8"))
    }
    assert {(page, target) for page, target in named if target not in targets} == set()


def test_contributors_are_told_of_the_daily_targets(root):
    page = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for target in ("test", "lint", "core-test", "sanitize", "fuzz", "stubs", "docs", "sdist-test"):
        assert f"| `make {target}` |" in page, target


def test_what_is_run_before_a_change_is_what_is_told(root):
    run = re.findall(r"^make ([a-z-]+)", (root / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    told = re.search(r"`\.ci/run` must pass[^.]*\.[^.]*", (root / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert told is not None
    assert re.findall(r"`make ([a-z-]+)`", told[0]) == run
    workflow = (root / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert {target for target in run if f"run: make {target}\n" not in workflow} == set()


def test_help_lists_every_target(root):
    """The help finds names by a pattern, which must match every character in them."""
    targets, text = _targets(root)
    assert "s/^\\([a-z-]*\\):" in text
    assert {"fuzz", "sanitize", "test"} <= targets
