"""The measurements grouped by case and score, ours together with those of other programs."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from statistics import mean, median
from typing import TYPE_CHECKING, Any

import recorded
from cases import FRESH, SHARED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from records import Record

__all__ = ["JUDGES", "MAY_FALL_SHORT", "NAMES", "Found", "Line", "Results"]

JUDGES = ("bic", "bdeu", "qnml")
MAY_FALL_SHORT = 1e-4  # relative to the score of the best other
NAMES = {"bic": "BIC", "bdeu": "BDeu", "qnml": "qNML", "fnml": "fNML"}


@dataclass(frozen=True)
class Found:
    """A network that another program found on a recorded sample, either recorded or run here."""

    name: str
    program: str
    search: str
    score: str
    seconds: float
    distance: float
    values: dict[str, float]
    is_live: bool


@dataclass(frozen=True)
class Line:
    """Our results on one recorded sample with one score and search, over the seeds."""

    network: str
    rows: int
    score: str
    values: list[float]
    distance: float
    processor_seconds: float
    mean_seconds: float  # CPU seconds, including moments when the machine was busy
    two_threads: float | None
    others: list[Found]

    @property
    def case(self) -> str:
        """The case in words."""
        return f"{self.network} with {self.rows:,} rows under {NAMES[self.score]}"

    @property
    def worst(self) -> float:
        """The lowest score over the seeds."""
        return min(self.values)

    def best(self, others: Iterable[Found] | None = None) -> Found:
        """The best of the others by this score."""
        return max(self.others if others is None else others, key=lambda other: other.values[self.score])

    def nearest(self) -> Found:
        """The one of the others nearest to the true network."""
        return min(self.others, key=lambda other: other.distance)

    def gain(self, other: Found) -> float:
        """Our worst score minus that of the other."""
        return self.worst - other.values[self.score]

    def falls_short(self) -> bool:
        """Whether our worst score is clearly below the best of the others."""
        best = self.best().values[self.score]
        return self.worst < best - MAY_FALL_SHORT * abs(best)

    def climbers(self, program: str = "") -> list[Found]:
        """Hill climbing with the same score by bnlearn and PyBNesian, or by one of them."""
        return [
            other
            for other in self.others
            if other.search == "hc"
            and other.score == self.score
            and other.program in ((program,) if program else ("bnlearn", "PyBNesian"))
        ]

    def boss(self) -> Found | None:
        """Tetrad's best order score search with the same score."""
        asked = ("Tetrad", "boss", self.score)
        return next((other for other in self.others if (other.program, other.search, other.score) == asked), None)


class Results:
    """All measurements of a file."""

    def __init__(self, records: Iterable[Record]) -> None:
        self.parts: dict[str, list[Record]] = defaultdict(list)
        for record in records:
            self.parts[record["part"]].append(record)
        self.machine = self.parts["machine"][-1]
        self.others: dict[tuple[str, int], list[Found]] = defaultdict(list)
        for other in recorded.read():
            if other.distance is not None and len(other.values) == len(JUDGES):
                self.others[other.network, other.rows].append(
                    Found(
                        other.name,
                        other.program,
                        other.search,
                        other.score,
                        other.seconds,
                        other.distance,
                        other.values,
                        is_live=False,
                    )
                )
        for record in self.live(is_fresh=False):
            if record["state"] == "done":
                name = f"{record['program']} {record['search']} {record['score']}"
                self.others[record["network"], record["rows"]].append(
                    Found(
                        name,
                        record["program"],
                        record["search"],
                        record["score"],
                        record.get("processor_seconds", record["seconds"]),
                        record["distance"],
                        record["values"],
                        is_live=True,
                    )
                )

    def live(self, *, is_fresh: bool) -> list[Record]:
        """Other programs, run on the recorded samples or on fresh ones."""
        return [record for record in self.parts["peer"] if (record["sample"] != SHARED) == is_fresh]

    def ours(self, **wanted: Any) -> list[Record]:
        """Our measurements with these properties."""
        return [record for record in self.parts["ours"] if all(record[name] == wanted[name] for name in wanted)]

    def lines(self, search: str) -> list[Line]:
        """A search on all recorded samples, in the order of the networks."""
        found = []
        for network, rows in self.tables(SHARED):
            for score in JUDGES:
                mine = self.ours(network=network, rows=rows, sample=SHARED, search=search, score=score, guard="off")
                single = [record for record in mine if record["threads"] == 1]
                double = [record for record in mine if record["threads"] == 2]
                if not single:
                    continue
                found.append(
                    Line(
                        network,
                        rows,
                        score,
                        [record["values"][score] for record in single],
                        mean(record["distance"] for record in single),
                        # Other load on the machine only makes some of them longer.
                        median(record["processor_seconds"] for record in single),
                        mean(record["processor_seconds"] for record in single),
                        median(record["seconds"] for record in double) if double else None,
                        self.others[network, rows],
                    )
                )
        return found

    def tables(self, sample: str | None = None) -> list[tuple[str, int]]:
        """Networks and numbers of rows of the recorded samples, or of the fresh ones."""
        found = {
            (record["network"], record["rows"])
            for record in self.parts["ours"]
            if (record["sample"] == SHARED) == (sample == SHARED)
        }
        return sorted(found, key=lambda table: (FRESH.index(table[0]), table[1]))

    def fresh(self, network: str, rows: int, score: str, guard: str = "off") -> list[Record]:
        """Our default search on the fresh samples, by sample."""
        found = [
            record
            for record in self.ours(network=network, rows=rows, score=score, guard=guard)
            if record["sample"] != SHARED
        ]
        return sorted(found, key=lambda record: int(record["sample"]))

    def truth(self, network: str, rows: int, sample: str) -> Record | None:
        """The network that the rows were drawn from."""
        asked = (network, rows, sample)
        known = self.parts["truth"]
        return next((one for one in known if (one["network"], one["rows"], one["sample"]) == asked), None)

    def disagreements(self) -> list[Record]:
        """Searches on two threads that found another network than on one."""
        single = {_of(record): record["values"] for record in self.parts["ours"] if record["threads"] == 1}
        return [
            record
            for record in self.parts["ours"]
            if record["threads"] == 2 and single.get(_of(record), record["values"]) != record["values"]
        ]


def _of(record: Record) -> tuple[Any, ...]:
    return tuple(record[name] for name in ("network", "rows", "sample", "search", "score", "guard", "seed"))
