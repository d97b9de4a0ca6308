"""Fixtures for tests of the repository itself: the location of the sources, and every module of the package."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import qnml

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[2]


def every_module() -> list[ModuleType]:
    """Import and return all Python modules of the package."""
    found = [qnml]
    for info in pkgutil.walk_packages(qnml.__path__, "qnml."):
        # __main__ would run the command line.
        if info.name not in ("qnml.__main__", "qnml._core"):
            found.append(importlib.import_module(info.name))
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for ``module`` (or ``module_with_examples``) once for each of them."""
    for fixture in ("module", "module_with_examples"):
        if fixture in metafunc.fixturenames:
            modules = [module for module in every_module() if fixture == "module" or _has_examples(module)]
            metafunc.parametrize(fixture, modules, ids=[module.__name__ for module in modules])


def _has_examples(module: ModuleType) -> bool:
    return any(found.examples for found in doctest.DocTestFinder().find(module))


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout (or the unpacked sdist) these tests lie in."""
    return ROOT


@pytest.fixture(scope="session")
def tracked_files() -> list[Path]:
    """All files git knows or would add."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout: which files belong to the project is not known")
    paths = [ROOT / name for name in listed.split("\0") if name]
    return [path for path in paths if path.is_file()]
