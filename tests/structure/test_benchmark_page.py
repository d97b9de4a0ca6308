"""The benchmark page agrees with its measurements."""

import json
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "benchmarks" / "large"
DISTANCES = {"bic": (9, 11), "bdeu": (4, 6), "qnml": (7, 9), "fnml": (12, 12)}


def write_page(tmp_path: Path, records: list[dict[str, object]]) -> str:
    """The page made from these measurements."""
    results, page = tmp_path / "results.jsonl", tmp_path / "page.md"
    results.write_text("\n".join(json.dumps({"load": 0.5, **record}) for record in records))
    subprocess.run([sys.executable, FOLDER / "document.py", "--results", results, page], check=True)
    return " ".join(page.read_text().split())


def fresh(score: str, sample: int, distance: int, guard: str = "off") -> dict[str, object]:
    """A measurement on a fresh sample."""
    place = {"part": "ours", "network": "child", "rows": 1000, "sample": str(sample), "program": "qnml"}
    how = {"search": "default", "score": score, "guard": guard, "seed": 0, "threads": 2, "state": "done"}
    found = {"seconds": 1.0, "processor_seconds": 1.0, "distance": distance, "arcs": 20, "most_parents": 2}
    return {**place, **how, **found, "values": dict.fromkeys(DISTANCES, -100.0)}


MACHINE = {
    "part": "machine",
    "when": "2026-01-01 00:00",
    "cores": 2,
    "python": "3.11",
    "qnml": "0",
    "peers": {"pyAgrum": "1", "Tetrad": "absent"},
}


def test_distances_are_compared_by_sample(tmp_path):
    records = [fresh(score, k, value) for score, values in DISTANCES.items() for k, value in enumerate(values, 1)]
    text = write_page(tmp_path, [MACHINE, *records])
    assert "from 8 measurements" in text
    assert "compared with: pyAgrum 1." in text
    assert "recorded results only: Tetrad." in text
    # Means 10, 5, 8, 12; against BDeu the differences are 3 and 3, so without error; against BIC -2 and -2.
    assert "| child | 1,000 | 2 | 10.0 | 5.0 | 8.0 | 12.0 |" in text
    assert "qNML is not the nearest on child with 1,000 rows (8.0; BDeu 5.0)." in text
    assert "in 1: child with 1,000 rows (+3.0 to BDeu); it is better by as much in 2." in text
    assert "BDeu 1.00, qNML 2.00, BIC 3.00 and fNML 4.00" in text


def test_a_cap_that_helps_once(tmp_path):
    records = [fresh("qnml", 1, 7), fresh("qnml", 2, 9), fresh("qnml", 1, 7, "cap"), fresh("qnml", 2, 4, "cap")]
    text = write_page(tmp_path, [MACHINE, *records])
    assert "smaller with the cap in 1, larger in 0 and the same in 0; the mean change is -2.5 arcs" in text


def test_the_last_measurement_of_a_kind_counts(tmp_path):
    records = [fresh("qnml", 1, 7), fresh("qnml", 1, 3), fresh("qnml", 1, 3, "cap")]
    assert "and the same in 1;" in write_page(tmp_path, [MACHINE, *records])
