"""What may and may not be in the tracked files."""

import ast
import re
import tomllib

import qnml

# Joined here so that this file does not find itself.
MACHINE_PATHS = re.compile("|".join("/" + folder + "/" for folder in ("work", "root", "home", "Users")))
BINARY = {".arrow", ".feather", ".gz", ".parquet", ".png"}
LONGEST = 500


def test_no_machine_paths(tracked_files):
    """Nothing depends on where one person keeps the project."""
    found = [
        f"{path.name}, line {number}: {line.strip()}"
        for path in tracked_files
        if path.suffix not in BINARY
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if MACHINE_PATHS.search(line)
    ]
    assert found == []


def test_files_hold_one_idea(root):
    """Past a few hundred lines a source file usually holds two."""
    sources = [*(root / "src").rglob("*.py"), *(root / "cpp").rglob("*.?pp")]
    assert sources
    sizes = {path.relative_to(root): len(path.read_text(encoding="utf-8").splitlines()) for path in sources}
    assert {path: lines for path, lines in sizes.items() if lines > LONGEST} == {}


def test_no_print_in_the_library(root):
    """Printing is for the command line."""
    for path in sorted((root / "src" / "qnml").rglob("*.py")):
        if "cli" in path.parts:
            continue
        lines = [
            node.lineno
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
        ]
        assert lines == [], path.name


def test_one_version_everywhere(root):
    """A release changes all three."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    cited = re.search(r"^version: (.*)$", (root / "CITATION.cff").read_text(encoding="utf-8"), re.M)
    assert qnml.__version__ == project
    assert cited is not None
    assert cited[1] == project
