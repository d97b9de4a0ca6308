"""Every block of code in the documentation runs, and prints what the page says it prints."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tools.pages.blocks import blocks_of, with_outputs
from tools.pages.catalog import DOCS, ROOT, pages
from tools.pages.running import RUN, run_page
from tools.pages.scene import make_files

if TYPE_CHECKING:
    from pathlib import Path

# Languages that are run elsewhere or cannot be run, with the reason.
NOT_RUN = {
    "cpp": "compiled by tests/structure/test_add_a_score.py",
    "text": "no code",
    "toml": "a file, which the Python code of the page reads",
    "bash": "for people who install or contribute",
}


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that pages speak of."""
    return make_files(tmp_path_factory.mktemp("pages") / "files")


@pytest.mark.skipif(sys.platform == "win32", reason="commands of pages are written for a POSIX shell")
@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_page_runs(page: Path, files: Path, tmp_path: Path) -> None:
    findings, _ = run_page(page, files, tmp_path / "here", DOCS)
    assert not findings, "\n".join(f"{page}:{found.line}: {found.message}" for found in findings)


def test_every_block_is_run_or_says_why_not() -> None:
    for page in pages():
        languages = {block.language for block in blocks_of(page.read_text(encoding="utf-8")) if not block.not_run}
        assert languages <= {*RUN, *NOT_RUN}, page


def test_every_fence_has_a_language() -> None:
    """A block without a language would be left out by accident."""
    for page in pages():
        fences = [line.strip() for line in page.read_text(encoding="utf-8").splitlines() if line.strip()[:3] == "```"]
        assert all(line != "```" for line in fences[::2]), page


def test_blocks_are_found_with_their_outputs() -> None:
    text = "<!--python\nx = 1\n-->\n\n```python\nx\n```\n\n```output\n2\n```\n"
    text += "<!-- not run: it waits -->\n```console\n$ qnml show\n```\n"
    hidden, shown, waiting = blocks_of(text)
    assert (hidden.code, hidden.output, shown.code, shown.output) == ("x = 1", None, "x", "2")
    assert waiting.not_run == "it waits"
    assert "```output\n1\n```" in with_outputs(text, {shown.line: "1"})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("```python\n1 + 1\n```\n\n```output\n2\n```\n", ""),
        ("```python\n1 + 1\n```\n\n```output\n3\n```\n", "instead of"),
        ("```python\nprint('took 3.5 s')\n```\n\n```output\ntook 0.1 s\n```\n", ""),
        ("```python\nmissing\n```\n", "NameError"),
        ("```pycon\n>>> 1 + 1\n3\n```\n", "AssertionError"),
        ("```console\n$ qnml regret 50 ten\n```\n", "ended with 2"),
    ],
)
def test_a_wrong_page_is_found(text: str, found: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    (tmp_path / "files").mkdir()
    findings, _ = run_page(page, tmp_path / "files", tmp_path / "here", tmp_path)
    assert [found in finding.message for finding in findings] == ([True] if found else [])
