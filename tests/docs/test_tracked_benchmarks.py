"""The benchmarks that are tracked over commits run, and asv finds them."""

from __future__ import annotations

import inspect
import json

import pytest

from benchmarks.tracked import speed
from tools.pages.catalog import ROOT

CLASSES = [value for _, value in inspect.getmembers(speed, inspect.isclass) if value.__module__ == speed.__name__]
METHODS = [(kind, name) for kind in CLASSES for name in vars(kind) if name.startswith("time_")]


@pytest.mark.parametrize(("kind", "name"), METHODS, ids=[name for _, name in METHODS])
def test_benchmark_checks_its_answer(kind: type, name: str) -> None:
    case = kind()
    case.setup()
    getattr(case, name)()


def test_asv_looks_where_they_are() -> None:
    settings = json.loads((ROOT / "asv.conf.json").read_text(encoding="utf-8"))
    assert (ROOT / settings["benchmark_dir"] / "speed.py").is_file()
    assert all(settings[key].startswith("build/") for key in ("env_dir", "results_dir", "html_dir"))
    assert len(METHODS) >= 9
