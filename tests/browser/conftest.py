"""A real Chromium for the tests of pages; without one they are skipped, and say what is missing."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from browser.visits import Visit

if TYPE_CHECKING:
    from collections.abc import Iterator

_ABSENT = "Playwright is absent: make test-browser installs it"
_PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
_QUIET = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run")


def _program() -> str | None:
    return os.environ.get("QNML_CHROMIUM") or next(filter(None, map(shutil.which, _PROGRAMS)), None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A headless browser."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="Playwright is absent: make test-browser installs it"
    )
    program = _program()
    if program is None:
        pytest.skip("Chromium is absent: install it, or name its program in QNML_CHROMIUM")
    with playwright.sync_playwright() as running:
        # Without a sandbox, because containers often cannot have one; the pages are ours.
        browser = running.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu", *_QUIET])
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Any) -> Iterator[Visit]:
    """A fresh window."""
    context = chromium.new_context(viewport={"width": 1300, "height": 900})
    yield Visit(context.new_page())
    context.close()
