"""Run the code of documentation pages: ``python -m tools.pages [--write] [PAGE …]``, all pages by default.

``--write`` stores the outputs and pictures of this run in the pages.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tools.pages.blocks import with_outputs
from tools.pages.catalog import DOCS, pages
from tools.pages.running import run_page
from tools.pages.scene import make_files


def main() -> int:
    """Run the pages that are asked for, and print what is wrong with them."""
    parser = argparse.ArgumentParser(prog="python -m tools.pages", description=__doc__)
    parser.add_argument("--write", action="store_true", help="store outputs and pictures in the pages")
    parser.add_argument("pages", nargs="*", type=Path, help="Markdown files; all pages by default")
    asked = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        files = make_files(Path(folder, "files"))
        for number, page in enumerate(path.resolve() for path in asked.pages or pages()):
            findings, outputs = run_page(page, files, Path(folder, str(number)), DOCS, write=asked.write)
            if asked.write:
                text = page.read_text(encoding="utf-8")
                page.write_text(with_outputs(text, outputs), encoding="utf-8")
                findings = [found for found in findings if "instead of" not in found.message]
            for found in findings:
                print(f"{page}:{found.line}: {found.message}\n")
            failed += bool(findings)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
