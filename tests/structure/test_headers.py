"""Every header of cpp/core compiles alone, so that the order of includes does not matter."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

FIRST_INCLUDE = re.compile(r"^#include [<\"](.*?)[>\"]", re.MULTILINE)


def headers(root: Path) -> list[Path]:
    return sorted((root / "cpp" / "core").rglob("*.hpp"))


@pytest.fixture(scope="module")
def compiler() -> str:
    found = shutil.which(os.environ.get("CXX", "c++"))
    if found is None or os.name == "nt":
        pytest.skip("no C++ compiler that takes the options of GCC and Clang")
    return found


def complaints(compiler: str, cpp: Path, header: str) -> str:
    """The errors of the compiler about a file that includes nothing but `header`."""
    command = [compiler, "-std=c++20", "-fsyntax-only", "-I", str(cpp), "-x", "c++", "-"]
    text = f'#include "{header}"\n'
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False).stderr


def test_a_file_includes_its_own_header_first(root: Path) -> None:
    """Then every build compiles that header alone."""
    for header in headers(root):
        source = header.with_suffix(".cpp")
        if source.is_file():
            first = FIRST_INCLUDE.search(source.read_text(encoding="utf-8"))
            assert first is not None, source
            assert first[1] == header.relative_to(root / "cpp").as_posix(), source


def test_headers_without_a_file_compile_alone(root: Path, compiler: str) -> None:
    cpp = root / "cpp"
    alone = [path.relative_to(cpp).as_posix() for path in headers(root) if not path.with_suffix(".cpp").is_file()]
    assert alone
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        errors = pool.map(lambda header: complaints(compiler, cpp, header), alone)
        assert {header: error for header, error in zip(alone, errors, strict=True) if error} == {}


def test_a_header_that_needs_another_is_found(tmp_path: Path, compiler: str) -> None:
    (tmp_path / "needs.hpp").write_text("#pragma once\ninline std::size_t size() { return 0; }\n", encoding="utf-8")
    assert "size_t" in complaints(compiler, tmp_path, "needs.hpp")
