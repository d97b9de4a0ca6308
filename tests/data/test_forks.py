"""A forked child of a process that used Polars works or fails at once; it never hangs."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="the system has no fork")

_SETTING = """
import multiprocessing, os, sys, warnings
import numpy as np
import pandas as pd
import polars as pl
import qnml
from qnml.errors import InputError

warnings.simplefilter("ignore")  # Python itself warns of forks with threads
path = sys.argv[1]
rng = np.random.default_rng(1)
codes = rng.integers(0, 3, (20_000, 3))
words = np.array(["x", "y", "zz"])[codes]
real = np.where(codes == 2, np.nan, codes)
if sys.argv[2] == "used":
    pl.DataFrame(codes).write_csv(path)
    pl.read_csv(path).group_by("column_0").len()
table = qnml.Table.from_codes(codes)
TASKS = {
    "merged": lambda: table.merged().n_rows,
    "learn": lambda: qnml.learn(table, n_jobs=2).score,
    "bootstrap": lambda: qnml.bootstrap(table, 3, seed=1).replicates,
    "integers": lambda: qnml.read_table(codes).n_rows,
    "real numbers with missing ones": lambda: qnml.read_table(real, missing="drop").n_rows,
    "text": lambda: qnml.read_table(words).levels["X1"],
    "mapping": lambda: qnml.read_table({"a": words[:, 0].tolist()}).levels["a"],
    "pandas": lambda: qnml.read_table(pd.DataFrame({"a": words[:, 0], "b": real[:, 1]}), missing="drop").n_rows,
    "matching": lambda: qnml.fit(table, qnml.Dag(table.names)).predict_proba({"X2": codes[:, 1]}, "X1").shape,
    "sample": lambda: qnml.fit(table, qnml.Dag(table.names)).sample(10_000, seed=1).to_frame().shape,
    "csv": lambda: qnml.read_table(path).n_rows,
    "polars": lambda: qnml.read_table(frame).n_rows,
    "lazy": lambda: qnml.read_table(frame.lazy()).n_rows,
    "series": lambda: qnml.read_table({"a": frame["a"]}).n_rows,
    "Discretizer": lambda: qnml.Discretizer().fit(frame),
}
frame = pl.DataFrame({"a": codes[:, 0]})


def work(task, results):
    try:
        results.put(("done", str(TASKS[task]())))
    except InputError as error:
        results.put(("refused", str(error)))


context = multiprocessing.get_context("fork")
for task in sys.argv[3:]:
    results = context.SimpleQueue()
    child = context.Process(target=work, args=(task, results))
    child.start()
    child.join(60)
    if child.is_alive():
        child.kill()
        print("hangs")
    else:
        print(*results.get(), sep=": ")
"""

_WORKED_ON = [
    "merged", "learn", "bootstrap", "integers", "real numbers with missing ones", "text", "mapping", "pandas",
    "matching", "sample",
]  # fmt: skip
_REFUSED = ["csv", "polars", "lazy", "series", "Discretizer"]


def _run(path: Path, polars: str, tasks: list[str]) -> dict[str, str]:
    words = [sys.executable, "-c", _SETTING, str(path), polars, *tasks]
    done = subprocess.run(words, capture_output=True, text=True, timeout=400, check=False)
    assert done.returncode == 0, done.stderr[-1000:]
    return dict(zip(tasks, done.stdout.splitlines(), strict=True))


def test_tables_and_arrays_are_worked_on_in_a_forked_child(tmp_path: Path) -> None:
    outcomes = _run(tmp_path / "t.csv", "used", _WORKED_ON)
    assert {task for task, outcome in outcomes.items() if not outcome.startswith("done: ")} == set(), outcomes


def test_files_and_frames_are_refused_in_a_forked_child_with_advice(tmp_path: Path) -> None:
    for outcome in _run(tmp_path / "t.csv", "used", _REFUSED).values():
        assert outcome.startswith("refused: ")
        for words in ("forked", "Polars", "'spawn' or 'forkserver'", "NumPy arrays"):
            assert words in outcome


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere qnml cannot look whether threads run")
def test_a_child_reads_files_when_the_parent_has_not_used_polars(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + "0,x\n1,y\n" * 100, encoding="utf-8")
    assert _run(path, "unused", ["csv"]) == {"csv": "done: 200"}
