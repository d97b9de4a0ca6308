"""Which pages there are."""

from __future__ import annotations

from pathlib import Path

__all__ = ["DOCS", "ROOT", "pages"]

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


def pages() -> list[Path]:
    """Every Markdown page of the documentation, and the README; not what was built from them."""
    found = [path for path in DOCS.rglob("*.md") if "output" not in path.relative_to(DOCS).parts]
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(found)]
