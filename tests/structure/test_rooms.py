"""The import rules of docs/architecture.md hold."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

SOURCES = sorted((Path(__file__).parents[2] / "src" / "qnml").rglob("*.py"))

# Packages that may call the C++ core; the others use it through these.
CORE_ROOMS = {"counts", "data", "gpu", "graph", "model", "scores", "search"}
# Packages that use the public interface, and may import it by its public name.
OUTSIDE_ROOMS = {"cli", "serving", "sklearn"}


def room(path: Path) -> str:
    """The part of a module's path below the package that names its room: a folder, or a file beside them."""
    inside = path.parts[path.parts.index("qnml", path.parts.index("src")) + 1 :]
    return inside[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """Full names of everything a file imports, anywhere in the file."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}, line {node.lineno}: write the import out from 'qnml'"
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def test_import_contracts_are_kept(root):
    """The contracts of [tool.importlinter] in pyproject.toml."""
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run([sys.executable, "-c", command, "--no-cache"], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"Contracts: [1-9]\d* kept, 0 broken", done.stdout)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: f"{room(path)}-{path.stem}")
def test_core_and_package_are_imported_by_the_right_rooms(path):
    """Two rules that import-linter cannot check: it treats the compiled module as the package itself."""
    names = imported(path)
    if any(name == "qnml._core" or name.startswith("qnml._core.") for name in names):
        assert room(path) in CORE_ROOMS
    if "qnml" in names:
        assert room(path) in OUTSIDE_ROOMS


# Compilers' own headers: vector registers cannot be permuted in standard C++. The file has a plain way beside it.
COMPILER_HEADERS = {("simd_counts.cpp", "immintrin.h")}


def test_the_core_uses_the_standard_library_only(root):
    """No include in cpp/core reaches outside it, but for one compiler header; and what is checked is not empty."""
    sources = sorted((root / "cpp" / "core").rglob("*.?pp"))
    assert sources
    for source in sources:
        for line in source.read_text(encoding="utf-8").splitlines():
            include = re.match(r'\s*#\s*include\s+([<"])(.*?)[>"]', line)
            if include:
                bracket, name = include.groups()
                standard = bracket == "<" and re.fullmatch(r"[a-z_]+", name)
                known = standard or name.startswith("core/") or (source.name, name) in COMPILER_HEADERS
                assert known, f"{source.name}: {line}"


def test_every_room_is_on_the_map(root):
    """docs/architecture.md names each folder of the package."""
    page = (root / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = {room(path) for path in SOURCES if path.parent.name != "qnml"}
    assert {name for name in rooms if f"`{name}`" not in page} == set()
