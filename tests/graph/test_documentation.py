"""The examples in the docstrings run, and every module lists its public names in order."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import qnml.graph

MODULES = ["qnml.graph", *(f"qnml.graph.{found.name}" for found in pkgutil.iter_modules(qnml.graph.__path__))]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_exported_names(name):
    module = importlib.import_module(name)
    assert module.__all__ == sorted(module.__all__)
    assert all(hasattr(module, exported) for exported in module.__all__)


def test_examples_are_found():
    finder = doctest.DocTestFinder()
    assert sum(len(test.examples) for name in MODULES for test in finder.find(importlib.import_module(name))) >= 20
