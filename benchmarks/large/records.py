"""The measurements, one JSON object per line, written immediately, so that a stopped run can be resumed."""

from __future__ import annotations

import json
import os
import platform
from datetime import UTC, datetime
from importlib import metadata
from typing import TYPE_CHECKING, Any

import qnml
from qnml.counts import MemoryCounts

if TYPE_CHECKING:
    from pathlib import Path

    from cases import Case, Problem

__all__ = ["IDENTITY", "SCORES", "Record", "Records", "describe_network", "describe_truth", "machine"]

Record = dict[str, Any]

# Ours, with the parameters used here. Every network found by any program is scored by all of them.
SCORES: dict[str, dict[str, Any]] = {"bic": {}, "bdeu": {"ess": 1.0}, "qnml": {}, "fnml": {}}
# The keys that identify a measurement.
IDENTITY = ("part", "network", "rows", "sample", "program", "search", "score", "guard", "seed", "threads")


class Records:
    """The file of measurements and its content so far."""

    def __init__(self, file: Path, *, goes_on: bool) -> None:
        self.file = file
        self.known: dict[tuple[Any, ...], Record] = {}
        file.parent.mkdir(parents=True, exist_ok=True)
        if goes_on and file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                record = json.loads(line)
                self.known[_key(record)] = record
        else:
            file.write_text("", encoding="utf-8")

    def has(self, **identity: Any) -> bool:
        """Return whether this was measured."""
        return _key(identity) in self.known

    def state(self, case: Case, program: str, search: str, score: str) -> str:
        """Return how a search of another program ended."""
        asked = {"part": "peer", "network": case.network, "rows": case.rows, "sample": case.sample}
        return str(self.known[_key({**asked, "program": program, "search": search, "score": score})]["state"])

    def add(self, record: Record) -> None:
        """Store a measurement with the load of the machine."""
        record = {**record, "load": round(os.getloadavg()[0], 2)}
        self.known[_key(record)] = record
        with self.file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(record) + "\n")


def _key(record: Record) -> tuple[Any, ...]:
    return tuple(record.get(name) for name in IDENTITY)


def describe_network(problem: Problem, dag: qnml.Dag) -> Record:
    """Return our scores of a learned network, and the distance of its CPDAG from that of the true network."""
    parents = [len(dag.parents(name)) for name in dag.names]
    return {
        "distance": qnml.shd(dag, problem.truth),
        "arcs": sum(parents),
        "most_parents": max(parents),
        "values": {score: qnml.score(problem.table, dag, score, **given) for score, given in SCORES.items()},
    }


def describe_truth(case: Case, problem: Problem) -> Record:
    """Describe the network the rows were drawn from like a learned one."""
    known = {"part": "truth", "network": case.network, "rows": case.rows, "sample": case.sample}
    place = {name: place for place, name in enumerate(problem.table.names)}
    forward = sum(place[tail] < place[head] for tail, head in problem.truth.arcs)
    return {
        **known,
        **describe_network(problem, problem.truth),
        "variables": len(problem.truth.names),
        "copies": sum(len(group) - 1 for group in MemoryCounts(problem.table).copies),
        "arcs_along_columns": forward,
    }


def machine(peers: dict[str, str]) -> Record:
    """Describe the machine, the date and the programs."""
    return {
        "part": "machine",
        "when": datetime.now(UTC).strftime("%Y-%m-%d %H:%M"),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "qnml": metadata.version("qnml"),
        "peers": peers,
    }
