"""Other programs run on the same tables: each search in a separate process, with a time limit.

A program that is not installed is reported as absent. R's bnlearn is run if ``Rscript`` finds it, Tetrad if the
environment variable ``TETRAD_JAR`` names the jar of causal-cmd. The process runs this file, reads the search from its
standard input and prints the result for each table: the arcs, the undirected edges, and the seconds of the search
alone.

Columns are in the order of the network file unless the search says otherwise: programs that break ties by that order,
or start from it, benefit from it.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from timing import RUNS, SINGLE, timed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cases import Case, Problem
    from records import Records

__all__ = ["GIVEN", "PEERS", "SHUFFLED", "measure", "versions"]

SHUFFLED = ", columns shuffled"  # the columns are in a random order, seeded by the number of the sample
MARK = "found: "  # prefix of a line with the result of a search

GIVEN = "causal-learn, given our local scores"  # its own take minutes

# Program, the module it is installed as, its searches, the scores they take, and whether it takes minutes where others
# take seconds.
PEERS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...], bool]] = {
    "PyBNesian": ("pybnesian", ("hc",), ("bic", "bdeu"), False),
    "pyAgrum": ("pyagrum", ("hc", "tabu"), ("bic", "bdeu"), False),
    "bnlearn": ("", ("hc", "tabu"), ("bic", "bdeu", "qnml"), False),
    "Tetrad": ("", ("boss", "grasp", "fges"), ("bic", "bdeu"), False),
    "pgmpy": ("pgmpy", ("hc",), ("bic", "bdeu"), True),
    "causal-learn": ("causallearn", ("boss", "grasp", "ges"), ("bdeu",), True),
    GIVEN: ("causallearn", ("boss", "grasp"), ("bic", "bdeu", "qnml"), False),
}


def versions() -> dict[str, str]:
    """Return the version of each program, or that it is absent."""
    found = {}
    for program, (module, *_) in PEERS.items():
        if module:
            is_here = importlib.util.find_spec(module) is not None
            found[program] = importlib.metadata.version(program.partition(",")[0]) if is_here else "absent"
        elif program == "bnlearn":
            found[program] = _version_of_bnlearn()
        else:
            jar = os.environ.get("TETRAD_JAR", "")
            found[program] = Path(jar).stem if jar and Path(jar).exists() and shutil.which("java") else "absent"
    return found


def _version_of_bnlearn() -> str:
    if shutil.which("Rscript") is None:
        return "absent"
    asked = ["Rscript", "-e", 'cat(as.character(packageVersion("bnlearn")))']
    answer = subprocess.run(asked, capture_output=True, text=True, check=False)
    return answer.stdout.strip() if answer.returncode == 0 else "absent"


def measure(
    records: Records,
    cases: Sequence[Case],
    program: str,
    search: str,
    score: str,
    *,
    time_limit: float,
    runs: int = RUNS,
) -> None:
    """Run a search of another program on several tables in turn, unless they were measured before.

    Parameters
    ----------
    records
        The measurements.
    cases
        The tables.
    program
        One of `PEERS`.
    search
        One of its searches, with a suffix if the columns are not in the order of the table.
    score
        One of its scores.
    time_limit
        Seconds for each table; unused seconds are carried over to later tables.
    runs
        How often a short search is run, for its seconds.
    """
    from cases import load
    from records import describe_network

    import qnml

    asked = {"part": "peer", "program": program, "search": search, "score": score}
    identities = [{**asked, "network": case.network, "rows": case.rows, "sample": case.sample} for case in cases]
    open_ones = [
        (case, identity) for case, identity in zip(cases, identities, strict=True) if not records.has(**identity)
    ]
    if not open_ones:
        return
    with tempfile.TemporaryDirectory() as scratch:
        files = [Path(scratch) / f"table{number}.csv" for number in range(len(open_ones))]
        for file, (case, _) in zip(files, open_ones, strict=True):
            problem = load(case)
            problem.write(file, _ordered(problem, case, search))
        kind = search.partition(",")[0]
        names = [str(file) for file in files]
        job = {"program": program, "search": kind, "score": score, "files": names, "runs": runs}
        found = _run(job, time_limit * len(files))
    for (case, identity), one in zip(open_ones, found, strict=True):
        problem = load(case)
        if one["state"] == "done":
            arcs, edges = ([tuple(pair) for pair in one.pop(kind)] for kind in ("arcs", "edges"))
            one |= describe_network(problem, qnml.graph.consistent_extension(problem.table.names, arcs, edges))
        records.add({**identity, **one})


def _ordered(problem: Problem, case: Case, search: str) -> list[str]:
    names = list(problem.table.names)
    if search.endswith(SHUFFLED):
        random.Random(int(case.sample)).shuffle(names)
    return names


def _run(job: dict[str, Any], time_limit: float) -> list[dict[str, Any]]:
    """Return the result for each file; files that were not reached have the reason instead."""
    command = [sys.executable, __file__]
    try:
        answer = subprocess.run(
            command,
            input=json.dumps(job),
            capture_output=True,
            text=True,
            timeout=time_limit,
            check=False,
            env={**os.environ, **SINGLE},
        )
    except subprocess.TimeoutExpired as stopped:
        printed = stopped.stdout.decode() if isinstance(stopped.stdout, bytes) else stopped.stdout or ""
        missing: dict[str, Any] = {"state": "time limit", "seconds": time_limit}
    else:
        printed = answer.stdout
        said = answer.stderr.strip().splitlines() or [f"exit code {answer.returncode}"]
        missing = {"state": f"failed: {said[-1][:200]}"}
    # Programs print as well; a line truncated by the time limit does not count.
    lines = [line.removeprefix(MARK) for line in printed.split("\n")[:-1] if line.startswith(MARK)]
    done = [{"state": "done", **json.loads(line)} for line in lines]
    return done + [dict(missing) for _ in range(len(job["files"]) - len(done))]


# From here on: inside the process.


def _frame(file: str) -> Any:
    import pandas as pd

    return pd.read_csv(file, dtype=str)


def _pybnesian(file: str, search: str, score: str, runs: int) -> dict[str, Any]:
    import pybnesian

    frame = _frame(file).astype("category")
    judge = pybnesian.BIC(frame) if score == "bic" else pybnesian.BDe(frame, 1.0)
    start = pybnesian.DiscreteBN(list(frame.columns))
    climb = pybnesian.GreedyHillClimbing()
    found, spent = timed(lambda: climb.estimate(pybnesian.ArcOperatorSet(), judge, start), runs)
    return {"arcs": [list(arc) for arc in found.arcs()], "edges": [], **spent}


def _pyagrum(file: str, search: str, score: str, runs: int) -> dict[str, Any]:
    import pyagrum

    learner = pyagrum.BNLearner(file)
    learner.setNumberOfThreads(1)
    learner.useScoreBDeu() if score == "bdeu" else learner.useScoreBIC()
    if search == "hc":
        learner.useGreedyHillClimbing()
    else:
        learner.useLocalSearchWithTabuList()
    found, spent = timed(learner.learnDAG, runs)
    names = learner.names()
    return {"arcs": [[names[tail], names[head]] for tail, head in found.arcs()], "edges": [], **spent}


def _pgmpy(file: str, search: str, score: str, runs: int) -> dict[str, Any]:
    from pgmpy.estimators import BIC, BDeu, HillClimbSearch

    frame = _frame(file)
    judge = BIC(frame) if score == "bic" else BDeu(frame, equivalent_sample_size=1)
    climb = HillClimbSearch(frame)
    found, spent = timed(lambda: climb.estimate(scoring_method=judge, show_progress=False), runs)
    return {"arcs": [list(arc) for arc in found.edges()], "edges": [], **spent}


def _causal_learn(file: str, search: str, score: str, runs: int) -> dict[str, Any]:
    import numpy as np
    import pandas as pd
    from causallearn.search.PermutationBased.BOSS import boss
    from causallearn.search.PermutationBased.GRaSP import grasp
    from causallearn.search.ScoreBased.GES import ges

    frame = _frame(file)
    codes = np.column_stack([pd.factorize(frame[name], sort=True)[0] for name in frame.columns])
    call = {"boss": boss, "grasp": grasp, "ges": ges}[search]
    found, spent = timed(lambda: call(codes, score_func="local_score_BDeu"), runs)
    ends = (found["G"] if search == "ges" else found).graph
    return {**_pairs(ends, list(frame.columns)), **spent}


def _causal_learn_given_scores(file: str, search: str, score: str, runs: int) -> dict[str, Any]:
    import numpy as np
    from causallearn.search.PermutationBased import BOSS, GRaSP
    from records import SCORES

    import qnml
    from qnml.counts import MemoryCounts
    from qnml.scores import bind_score, find_score, local_scores

    table = qnml.read_table(file, levels="observed")
    bound = bind_score("benchmark", find_score("benchmark", score), table.total, SCORES[score])
    counts, n = MemoryCounts(table), len(table.names)

    def local(_: Any, child: int, parents: list[int], __: Any) -> float:
        family = (int(child), tuple(sorted(map(int, parents))))
        return float(local_scores(counts, [family], bound, n_variables=n, n_jobs=1)[0])

    module: Any = {"boss": BOSS, "grasp": GRaSP}[search]
    module.local_score_BDeu = local  # looked up by name when the search begins
    call: Callable[..., Any] = getattr(module, search)
    random.seed(0)  # it draws from Python's own generator
    shape = np.zeros((table.n_rows, n))
    found, spent = timed(lambda: call(shape, score_func="local_score_BDeu", verbose=False), runs)
    return {**_pairs(found.graph, list(table.names)), **spent}


def _pairs(ends: Any, names: list[str]) -> dict[str, list[list[str]]]:
    """Return the arcs and edges in causal-learn's matrix of endpoints."""
    tails = [(i, j) for i in range(len(names)) for j in range(len(names)) if ends[i, j] == -1]
    return {
        "arcs": [[names[i], names[j]] for i, j in tails if ends[j, i] == 1],
        "edges": [[names[i], names[j]] for i, j in tails if ends[j, i] == -1 and i < j],
    }


_BNLEARN = """
suppressMessages(library(bnlearn))
given <- commandArgs(trailingOnly = TRUE)
data <- read.csv(given[1], stringsAsFactors = TRUE, check.names = FALSE)
judge <- list(score = given[3])
if (given[3] == "bde") judge$iss <- 1
began <- proc.time()
found <- do.call(given[2], c(list(data), judge))
spent <- proc.time() - began
cat(spent[["elapsed"]], spent[["user.self"]] + spent[["sys.self"]], "\\n")
write.table(arcs(found), col.names = FALSE, row.names = FALSE, quote = FALSE, sep = ",")
"""


def _bnlearn(file: str, search: str, score: str, runs: int) -> dict[str, Any]:
    name = {"bdeu": "bde"}.get(score, score)
    command = ["Rscript", "-e", _BNLEARN, file, search, name]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    first, *lines = answer.stdout.strip().splitlines()
    elapsed, processor = (float(number) for number in first.split())
    arcs = [line.split(",") for line in lines if line]
    return {"arcs": arcs, "edges": [], "seconds": elapsed, "processor_seconds": processor}


def _tetrad(file: str, search: str, score: str, runs: int) -> dict[str, Any]:
    folder = Path(file).parent
    judge = "disc-bic-score" if score == "bic" else "bdeu-score"
    command = ["java", "-jar", os.environ["TETRAD_JAR"], "--algorithm", search, "--score", judge]
    command += ["--data-type", "discrete", "--dataset", file, "--delimiter", "comma"]
    command += ["--out", str(folder), "--prefix", "found"]
    # These seconds include starting Java; causal-cmd does not report them separately.
    _, spent = timed(lambda: subprocess.run(command, capture_output=True, check=True), runs)
    spent.pop("processor_seconds")
    text = (folder / "found.txt").read_text(encoding="utf-8")
    lines = re.findall(r"^\d+\. (\S+) (-->|---) (\S+)", text, flags=re.MULTILINE)
    arcs = [[tail, head] for tail, mark, head in lines if mark == "-->"]
    edges = [[tail, head] for tail, mark, head in lines if mark == "---"]
    return {"arcs": arcs, "edges": edges, **spent}


_INSIDE = {
    "PyBNesian": _pybnesian,
    "pyAgrum": _pyagrum,
    "pgmpy": _pgmpy,
    "causal-learn": _causal_learn,
    GIVEN: _causal_learn_given_scores,
    "bnlearn": _bnlearn,
    "Tetrad": _tetrad,
}


def _search(job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for file in job["files"]:
        yield _INSIDE[job["program"]](file, job["search"], job["score"], job["runs"])


if __name__ == "__main__":
    for answer in _search(json.load(sys.stdin)):
        print(f"{MARK}{json.dumps(answer)}", flush=True)
