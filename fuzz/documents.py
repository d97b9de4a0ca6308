"""Readers of other documents: background knowledge, local scores, states of Markov chains, the paper's result files."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import polars as pl

import qnml
from fuzz.reader import Reader
from qnml.errors import FileFormatError
from qnml.paper.results import read_results
from qnml.paper.store import Store, installed_version
from qnml.paper.work import Chunk
from qnml.scores.jkl import read_jkl, write_jkl

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["DOCUMENT_READERS", "state_table"]

_SEED = 1


def _knowledge_check(ending: str) -> Callable[[bytes, Path], None]:
    def check(content: bytes, folder: Path) -> None:
        path = folder / f"input.{ending}"
        path.write_bytes(content)
        knowledge = qnml.Knowledge.from_file(path)
        found = qnml.learn(state_table(), knowledge=knowledge, guard="off", n_jobs=1)
        assert set(knowledge.required) <= set(found.dag.arcs), "a required arc is missing"
        assert not set(knowledge.forbidden) & set(found.dag.arcs), "a forbidden arc is present"

    return check


def _check_jkl(content: bytes, folder: Path) -> None:
    path = folder / "input.jkl"
    path.write_bytes(content)
    scores = qnml.read_local_scores(path)
    assert read_jkl(write_jkl(scores)).families == scores.families, "the scores change when written and read"
    scores.total(dict.fromkeys(scores, ()))


@cache
def state_table() -> qnml.Table:
    """Return a small table to which the knowledge and the states of chains refer."""
    rows = 30
    columns = {"a": [0, 1], "b": [0, 0, 1], "c": [0, 1, 1, 0, 0, 1], "d": [1, 1, 0, 0, 1]}
    return qnml.read_table({name: cells * (rows // len(cells)) for name, cells in columns.items()})


def _check_state(content: bytes, folder: Path) -> None:
    try:
        state = json.loads(content)
    except (ValueError, RecursionError):
        raise FileFormatError("input.json", "no JSON, so no state") from None  # the public call stops earlier
    found = qnml.posterior(state_table(), method="mcmc", state=state, samples=8, guard="off", n_jobs=1)
    assert -1e-9 <= found.edges.min() <= found.edges.max() <= 1 + 1e-9


def _paper_check(name: str) -> Callable[[bytes, Path], None]:
    def check(content: bytes, folder: Path) -> None:
        out = folder / "out"
        if not out.exists():
            _make_results(out)
        good = (out / name).read_bytes()
        # Results of other versions are rejected, but the examples must stay valid after a release.
        (out / name).write_bytes(content.replace(b"@VERSION@", installed_version().encode()))
        try:
            read_results(out)
            store = Store(out)
            store.note_run(_run())
            store.prepare(_SEED, ["regret"], resume=True)
        finally:
            (out / name).write_bytes(good)

    return check


def _make_results(out: Path) -> None:
    """Write the smallest valid folder of results, using the store itself."""
    store = Store(out)
    store.prepare(_SEED, ["regret"], resume=False)
    store.save(Chunk("regret", "all", 0, 1, _SEED), pl.DataFrame({"n": [1]}))
    store.note_run(_run())


def _run() -> dict[str, Any]:
    return {"parts": {"table1": None}, "date": "2026-01-01T00:00:00", "learnings": 1, "seconds": 1.0, "workers": 1}


DOCUMENT_READERS = (
    Reader("knowledge-toml", _knowledge_check("toml")),
    Reader("knowledge-json", _knowledge_check("json"), "json"),
    Reader("jkl", _check_jkl),
    Reader("state", _check_state, "json"),
    Reader("settings", _paper_check("settings.json"), "json"),
    Reader("runs", _paper_check("runs.json"), "json"),
)
