"""`import qnml` is fast, and most of it works without the packages that only files and frames need."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

import qnml

HEAVY = [
    "cotengra",
    "dask",
    "duckdb",
    "ibis",
    "matplotlib",
    "narwhals",
    "networkx",
    "pandas",
    "polars",
    "pyarrow",
    "rich",
    "scipy",
    "sklearn",
    "typer",
]

# A package that is not installed cannot be imported: neither can these.
_ABSENT = """
import sys
from importlib.abc import MetaPathFinder

class Absent(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in sys.argv[1:]:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
"""

_WORK = """
import numpy as np
import qnml

rng = np.random.default_rng(1)
codes = rng.integers(0, 3, (60, 3))
words = np.array(["x", "y", "zz"])[codes]
columns = {"a": words[:, 0].tolist(), "b": codes[:, 1], "c": [None, *words[1:, 2].tolist()]}

learned = qnml.learn(codes)
assert qnml.learn(words).score == qnml.score(words, learned.dag) == learned.score
qnml.learn(qnml.read_table(columns, missing="drop"))
assert qnml.posterior(codes).edges.shape == (3, 3)
assert qnml.bootstrap(codes, 2, seed=1).replicates == 2
assert len(qnml.k_best(codes, 2)) == 2
network = qnml.fit(codes, qnml.Dag.from_arcs(["X1", "X2", "X3"], [("X1", "X2")]))
assert network.predict_proba({"X2": codes[:, 1]}, "X1").shape == (60, 3)
assert network.query("X1", {"X2": 1}).values.sum() > 0.999
assert network.sample(5, seed=1).n_rows == 5
assert qnml.datasets.load("asia").dag.names
"""

_PANDAS = """
import pandas as pd

frame = pd.DataFrame({"a": words[:, 0], "b": codes[:, 1], "c": pd.Categorical(words[:, 2])})
assert qnml.learn(frame).dag.names == ("a", "b", "c")
network = qnml.fit(frame, qnml.Dag.from_arcs(["a", "b", "c"], [("a", "b")]))
assert network.predict_proba(frame, "a").shape == (60, 3)
assert qnml.posterior(frame).edges.shape == (3, 3)
assert qnml.read_table(frame.astype({"a": "string", "b": "Int64"})).arities["b"] == 3
"""

_NAMED = """
from qnml.errors import MissingExtraError

for call in (
    lambda: qnml.read_table("t.csv"),
    lambda: network.predict_proba("t.csv", "X1"),
    lambda: qnml.read_table(codes).to_frame(),
    lambda: network.query("X1").to_frame(),
    lambda: qnml.posterior(codes).to_frame(),
    lambda: qnml.datasets.load("iris"),
):
    try:
        call()
    except MissingExtraError as error:
        assert "needs polars" in str(error) and "pip install polars" in str(error), error
    else:
        raise AssertionError("does not need polars")
"""


def _run(script: str, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script, *words], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_import_leaves_heavy_packages_alone():
    script = "import sys, qnml; dir(qnml); print(*(name for name in sys.argv[1:] if name in sys.modules))"
    assert _run(script, *HEAVY).split() == []


@pytest.mark.parametrize("package", ["polars", "networkx", "sklearn", "typer", "rich", "pyarrow"])
def test_arrays_and_mappings_do_without(package):
    _run(_ABSENT + _WORK, package)


def test_arrays_and_mappings_do_without_all_libraries_of_frames():
    _run(_ABSENT + _WORK, "narwhals", "pandas", "polars", "pyarrow", "sklearn", "rich", "typer", "scipy", "matplotlib")


def test_pandas_frames_do_without_polars():
    _run(_ABSENT + _WORK + _PANDAS, "polars", "networkx", "sklearn", "typer", "rich")


def test_errors_name_the_package_that_is_absent():
    _run(_ABSENT + _WORK + _NAMED, "polars")


def test_every_public_name_is_found_and_listed():
    assert set(qnml.__all__) <= set(dir(qnml))
    for name in qnml.__all__:
        assert getattr(qnml, name) is getattr(qnml, name)
    with pytest.raises(AttributeError, match="no attribute 'larn'"):
        _ = qnml.larn


def test_type_checkers_see_the_names_where_they_are_found(root):
    """The imports that type checkers read are those of the table that `__getattr__` reads."""
    tree = ast.parse((root / "src" / "qnml" / "__init__.py").read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    read = {alias.name: node.module for node in block.body for alias in node.names}
    found = {name: f"qnml.{module}" for name, module in qnml._MODULE_OF.items()}
    assert read == found | {"datasets": "qnml"}
