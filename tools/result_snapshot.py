"""Record the results of several hundred calls, and compare two records: a refactoring must not change a bit.

    python tools/result_snapshot.py record before.json
    python tools/result_snapshot.py compare before.json after.json

Only public names are called, so the same script runs before and after a change. Times, memory use and wording are left
out; numbers are kept to the last bit. Calls that need the data folder are skipped, with a message, if it is absent.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import io
import json
import sys
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import qnml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

GIB = 2.0**30
TIMED = {"seconds", "peak_memory", "trace", "total_seconds", "memory", "elapsed", "version", "sentence", "source"}
LIMITS: dict[str, Any] = {"memory_limit": 4 * GIB, "n_jobs": 2}
# With two threads a set may be counted twice, which changes the work counts of a certificate.
ONE_THREAD = {**LIMITS, "n_jobs": 1}

Call = tuple[str, "Callable[[], Any]"]


def plain(value: Any) -> Any:
    """Convert a value to JSON types: floats in hexadecimal, without times and paths."""
    if isinstance(value, float | np.floating):
        return float(value).hex()
    if isinstance(value, str | bool | int | type(None)):
        return value
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, np.ndarray):
        return {"shape": list(value.shape), "sha": hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}
    if isinstance(value, bytes):
        return hashlib.sha256(value).hexdigest()
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items() if str(key) not in TIMED}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if dataclasses.is_dataclass(value):
        return {
            field.name: plain(getattr(value, field.name))
            for field in dataclasses.fields(value)
            if field.name not in TIMED
        }
    return str(value)


def learned(**arguments: Any) -> Any:
    result = qnml.learn(**arguments)
    return {
        "dag": str(result.dag),
        "cpdag": [result.cpdag.directed, result.cpdag.undirected],
        "score": result.score,
        "certificate": result.certificate,
        "explanation": result.explanation,
        "copies": result.copies,
    }


def ranked(**arguments: Any) -> Any:
    found = qnml.k_best(**arguments)
    return {
        "entries": [(str(entry.dag), entry.score, entry.log_weight) for entry in found],
        "bound": found.bound,
        "exhausted": found.is_exhausted,
        "held": found.networks_held,
    }


def believed(**arguments: Any) -> Any:
    found = qnml.posterior(**arguments)
    errors = found.standard_errors
    return {
        "method": found.method,
        "edges": found.edges,
        "ancestors": found.ancestors,
        "log_total": found.log_total,
        "errors": None if errors is None else errors.edges,
        "parents": found.parent_sets(found.names[0], 5),
        "top": [(str(graph.graph), graph.probability) for graph in found.top_dags(5)],
        "sample": [str(dag) for dag in found.sample_dags(5, seed=3)],
    }


def resampled(**arguments: Any) -> Any:
    found = qnml.bootstrap(**arguments)
    return {
        "edges": found.edges,
        "threshold": found.threshold,
        "dag": str(found.dag),
        "dags": list(map(str, found.dags)),
    }


def planned(**arguments: Any) -> Any:
    found = qnml.plan(**arguments)
    # The seconds are a deterministic forecast, so they are kept.
    return {
        field.name: plain(getattr(found, field.name))
        for field in dataclasses.fields(found)
        if field.name not in ("advice", "work")
    }


def command(*arguments: str) -> Any:
    from qnml.cli import main

    written = io.StringIO()
    old = sys.argv
    sys.argv = ["qnml", *arguments]
    try:
        with contextlib.redirect_stdout(written), contextlib.redirect_stderr(io.StringIO()):
            code = main()
    except SystemExit as stop:
        code = stop.code
    finally:
        sys.argv = old
    text = written.getvalue()
    with contextlib.suppress(json.JSONDecodeError):
        return {"code": code, "json": json.loads(text)}
    return {"code": code, "text": text}


def bundled_tables() -> dict[str, Any]:
    tables = {name: qnml.datasets.load(name) for name in ("iris", "wine")}
    for name in ("asia", "cancer", "earthquake", "sachs", "survey"):
        tables[name] = qnml.datasets.sample(name, 500, seed=7)
    return tables


def folder_tables() -> dict[str, Any]:
    tables: dict[str, Any] = {}
    names = ("balance", "glass", "heart_cleveland", "tic_tac_toe", "post_operative", "yeast", "ecoli", "diabetes")
    for name in names:
        tables[name] = qnml.datasets.load(f"uci/{name}")
    return tables


def score_calls(tables: dict[str, Any]) -> Iterator[Call]:
    for name, table in tables.items():
        variables = list(table.names)
        chain = "".join(
            f"[{child}|{variables[place - 1]}]" if place else f"[{child}]" for place, child in enumerate(variables)
        )
        for score in qnml.SCORES:
            yield f"score {name} {score}", lambda t=table, c=chain, s=score: qnml.score(t, c, s)
            if score == "nml":
                continue
            yield (
                f"local {name} {score}",
                lambda t=table, v=variables, s=score: [
                    qnml.local_score(t, v[0], v[1 : 1 + parents], s) for parents in range(min(4, len(v)))
                ],
            )


def search_calls(tables: dict[str, Any]) -> Iterator[Call]:
    decomposable = [score for score in qnml.SCORES if score != "nml"]
    for name, table in tables.items():
        for score in decomposable:
            common = {"data": table, "score": score, "guard": "off", **LIMITS}
            yield f"exact {name} {score}", lambda a=common: learned(method="exact", **a)
        for method in ("order", "hill-climbing", "ges"):
            common = {"data": table, "score": "qnml", "guard": "off", "effort": "quick", "seed": 5, **ONE_THREAD}
            yield f"{method} {name}", lambda a=common, m=method: learned(method=m, **a)
        first, second, third = table.names[:3]
        knowledge = qnml.Knowledge(required=[(first, second)], forbidden=[(third, first)])
        yield (
            f"knowledge {name}",
            lambda t=table, k=knowledge: learned(
                data=t, method="exact", knowledge=k, max_parents=2, guard="cap", **LIMITS
            ),
        )
        for ties in ("larger", "random"):
            yield (
                f"ties {ties} {name}",
                lambda t=table, r=ties: learned(data=t, method="exact", ties=r, seed=3, guard="off", **LIMITS),
            )
        for score in ("qnml", "fnml", "bdeu"):
            for what in ("dags", "classes"):
                yield (
                    f"k-best {name} {score} {what}",
                    lambda t=table, s=score, w=what: ranked(data=t, k=7, score=s, what=w, guard="off", **LIMITS),
                )
        for score in ("qnml", "fnml", "bdeu", "bic"):
            yield f"plan {name} {score}", lambda t=table, s=score: planned(data=t, score=s, **LIMITS)


def probability_calls(tables: dict[str, Any]) -> Iterator[Call]:
    for name, table in tables.items():
        small = len(table.names) <= 10
        for prior in ("uniform", "sparse", "order"):
            if small:
                yield (
                    f"posterior exact {name} {prior}",
                    lambda t=table, p=prior: believed(data=t, method="exact", prior=p, seed=1, guard="off", **LIMITS),
                )
        for score in ("qnml", "bdeu", "k2"):
            yield (
                f"posterior mcmc {name} {score}",
                lambda t=table, s=score: believed(
                    data=t, score=s, method="mcmc", samples=60, seed=1, guard="off", **LIMITS
                ),
            )
        if len(table.names) <= 5:
            yield (
                f"posterior enumerate {name}",
                lambda t=table: believed(data=t, method="enumerate", prior="classes", seed=1, guard="off", **LIMITS),
            )
        for method in ("exact", "order") if small else ("order",):
            yield (
                f"bootstrap {name} {method}",
                lambda t=table, m=method: resampled(data=t, replicates=8, method=m, seed=2, guard="off", **LIMITS),
            )


def model_calls(tables: dict[str, Any], folder: Path) -> Iterator[Call]:
    for name, table in tables.items():
        if len(table.names) > 11:
            continue

        def fitted(t: Any = table) -> Any:
            return qnml.learn(t, method="exact", guard="off", **LIMITS)

        def files(t: Any = table, label: str = name) -> Any:
            network = fitted(t).fit()
            written = {}
            for ending in ("bif", "dsc", "net", "xml", "xdsl", "uai", "json"):
                path = folder / f"{label.replace('/', '-')}.{ending}"
                qnml.write_network(network, path)
                written[ending] = path.read_bytes()
            return written

        def drawing(t: Any = table, label: str = name) -> Any:
            result = fitted(t)
            written = {}
            for ending in ("svg", "dot"):
                path = folder / f"{label.replace('/', '-')}.{ending}"
                result.plot(path)
                written[ending] = path.read_bytes()
            return written

        def answers(t: Any = table) -> Any:
            network = fitted(t).fit()
            names = list(network.dag.names)
            target, given = names[0], names[-1]
            row = network.sample(1, seed=4)
            shown = network.query([target], {given: row.labels(given)[0]})
            drawn = network.sample(20, seed=6)
            return {
                "query": shown.values,
                "log": network.log_prob(t),
                "predicted": network.predict_proba(t, target),
                "drawn": [drawn.codes(variable) for variable in names],
                "parameters": network.n_parameters,
            }

        yield f"files {name}", files
        yield f"drawing {name}", drawing
        yield f"answers {name}", answers


def command_calls(tables: dict[str, Any], folder: Path) -> Iterator[Call]:
    for name in ("asia", "sachs", "iris"):
        path = folder / f"{name}.csv"
        tables[name].to_frame().write_csv(path)
        data, jobs = str(path), ("--jobs", "1")
        yield f"cli info {name}", lambda d=data: command("info", d, "--json")
        yield f"cli learn {name}", lambda d=data, j=jobs: command("learn", d, *j, "--json")
        yield f"cli k-best {name}", lambda d=data, j=jobs: command("k-best", d, *j, "--json")
        yield f"cli posterior {name}", lambda d=data, j=jobs: command("posterior", d, *j, "--seed", "1", "--json")
        yield (
            f"cli bootstrap {name}",
            lambda d=data, j=jobs: command("bootstrap", d, *j, "--replicates", "5", "--seed", "1", "--json"),
        )
    yield "cli regret", lambda: command("regret", "1000", "4", "--json")
    yield "cli scores", lambda: command("scores", "--json")


def large_calls() -> Iterator[Call]:
    for name, rows, columns in (("alarm", 500, 37), ("insurance", 500, 27), ("child", 800, 20)):
        table = qnml.datasets.sample(f"networks/{name}", rows, seed=3)
        for method in ("order", "hill-climbing", "ges"):
            yield (
                f"large {name} {columns} {method}",
                lambda t=table, m=method: learned(data=t, method=m, effort="quick", seed=2, guard="off", **ONE_THREAD),
            )
        yield (
            f"large mcmc {name}",
            lambda t=table: believed(data=t, score="bdeu", method="mcmc", samples=40, seed=2, guard="off", **LIMITS),
        )
        if name != "alarm":
            yield (
                f"large proof {name}",
                lambda t=table: learned(
                    data=t, method="order", effort="thorough", max_parents=2, seed=2, guard="off", **ONE_THREAD
                ),
            )
        yield f"large plan {name}", lambda t=table: planned(data=t, **LIMITS)
    child = qnml.datasets.sample("networks/child", 800, seed=3)
    for score in ("qnml", "bdeu", "fnml"):
        yield (
            f"large exact child {score}",
            lambda t=child, s=score: learned(data=t, score=s, method="exact", max_parents=3, guard="off", **LIMITS),
        )


def record(path: Path) -> None:
    """Make every call and write the results; an error is recorded by its type."""
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        folder, bundled = Path(name), bundled_tables()
        calls = [*score_calls(bundled), *search_calls(bundled), *probability_calls(bundled)]
        calls += [*model_calls(bundled, folder), *command_calls(bundled, folder)]
        try:
            tables = folder_tables()
        except qnml.QnmlError as error:
            print(f"the data folder is left out: {error}", file=sys.stderr)
        else:
            small = {key: table for key, table in tables.items() if len(table.names) <= 14}
            calls += [*score_calls(tables), *search_calls(small), *model_calls(small, folder), *large_calls()]
            calls += probability_calls({key: table for key, table in small.items() if len(table.names) <= 9})
        for label, call in calls:
            try:
                results[label] = plain(call())
            except qnml.QnmlError as error:
                results[label] = f"refused with {type(error).__name__}"
            except Exception as error:
                results[label] = f"BROKEN {type(error).__name__}: {error}"
    path.write_text(json.dumps(results, indent=1, sort_keys=True), encoding="utf-8")
    print(f"{len(results)} results in {path}")


def compare(before: Path, after: Path) -> int:
    """List every call whose results differ; the exit status is 1 if there is any."""
    old, new = (json.loads(path.read_text(encoding="utf-8")) for path in (before, after))
    differing = [label for label in sorted(old.keys() | new.keys()) if old.get(label) != new.get(label)]
    for label in differing:
        print(f"differs: {label}\n  before {str(old.get(label))[:300]}\n  after  {str(new.get(label))[:300]}")
    print(f"{len(old)} recorded, {len(differing)} differ")
    return 1 if differing else 0


def main(arguments: list[str]) -> int:
    match arguments:
        case ["record", path]:
            record(Path(path))
            return 0
        case ["compare", before, after]:
            return compare(Path(before), Path(after))
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
