"""The folders of cpp/core include lower layers only; docs/architecture.md has the same table."""

import re
from pathlib import Path

import pytest

# Folders of one layer do not see each other.
LAYERS = (
    ("base",),
    ("layout", "numbers"),
    ("counting",),
    ("graph", "model", "scores"),
    ("binning", "inference", "problem"),
    ("chains", "exact", "k_best", "proving", "shapes", "sums"),
    ("local",),
    ("listed",),
)
LAYER_OF = {folder: layer for layer, folders in enumerate(LAYERS) for folder in folders}
INCLUDE = re.compile(r'^\s*#\s*include\s+"core/([a-z_]+)/[a-z_]+\.hpp"', re.MULTILINE)


def wrong_includes(folder: str, text: str) -> list[str]:
    """The folders that `text`, a file of `folder`, includes although they are not below its own."""
    return [other for other in INCLUDE.findall(text) if other != folder and LAYER_OF[other] >= LAYER_OF[folder]]


def core_files(root: Path) -> list[Path]:
    return sorted((root / "cpp" / "core").rglob("*.?pp"))


def test_every_file_is_in_a_folder_of_a_layer(root):
    assert {path.parent.name for path in core_files(root)} == LAYER_OF.keys()
    assert all(path.parent.parent.name == "core" for path in core_files(root))


def test_includes_go_down(root):
    wrong = {path.name: wrong_includes(path.parent.name, path.read_text(encoding="utf-8")) for path in core_files(root)}
    assert {name: folders for name, folders in wrong.items() if folders} == {}


def test_includes_within_the_core_name_their_folder(root):
    """Otherwise the rule above would not cover them."""
    for path in core_files(root):
        quoted = re.findall(r'^\s*#\s*include\s+"(.*?)"', path.read_text(encoding="utf-8"), re.MULTILINE)
        assert len(quoted) == len(INCLUDE.findall(path.read_text(encoding="utf-8"))), path.name


@pytest.mark.parametrize(
    ("folder", "included", "is_wrong"),
    [
        ("scores", "exact", True),
        ("scores", "graph", True),
        ("exact", "k_best", True),
        ("exact", "problem", False),
        ("problem", "exact", True),
    ],
)
def test_a_wrong_include_is_found(folder, included, is_wrong):
    text = f'#pragma once\n\n#include "core/{included}/something.hpp"\n'
    assert wrong_includes(folder, text) == ([included] if is_wrong else [])


def test_bindings_and_tests_have_the_folders_of_the_core(root):
    for beside in ("bind", "tests"):
        folders = {path.name for path in (root / "cpp" / beside).iterdir() if path.is_dir()}
        assert folders <= LAYER_OF.keys(), beside


def test_the_layers_are_on_the_map(root):
    page = (root / "docs" / "architecture.md").read_text(encoding="utf-8")
    for layer, folders in enumerate(LAYERS):
        for folder in folders:
            assert re.search(rf"^\| {layer} \| `{folder}` \|", page, re.MULTILINE), folder
