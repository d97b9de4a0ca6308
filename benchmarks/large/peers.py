"""Other programs on the same tables, here and now: each search in a process of its own, with a time limit.

A program that is not installed is named as absent. R's bnlearn is run where ``Rscript`` finds it, Tetrad where the
environment variable ``TETRAD_JAR`` names the jar of causal-cmd. The process runs this file, reads the search from its
standard input and prints what it found: the arcs, the edges without direction, and the seconds of the search alone.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from timing import SINGLE, timed

if TYPE_CHECKING:
    from cases import Case, Problem
    from records import Records

__all__ = ["PEERS", "REVERSED", "measure", "versions"]

REVERSED = ", columns reversed"  # a search on the same table with its last column first

# Program, the module it is installed as, its searches, the scores they take, and whether it takes minutes where others
# take seconds.
PEERS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...], bool]] = {
    "PyBNesian": ("pybnesian", ("hc", f"hc{REVERSED}"), ("bic", "bdeu"), False),
    "pyAgrum": ("pyagrum", ("hc", f"hc{REVERSED}", "tabu"), ("bic", "bdeu"), False),
    "bnlearn": ("", ("hc", "tabu"), ("bic", "bdeu", "qnml"), False),
    "Tetrad": ("", ("boss", "grasp", "fges"), ("bic", "bdeu"), False),
    "pgmpy": ("pgmpy", ("hc",), ("bic", "bdeu"), True),
    "causal-learn": ("causallearn", ("boss", "grasp", "ges"), ("bdeu",), True),
}


def versions() -> dict[str, str]:
    """The version of each program, or that it is absent."""
    found = {}
    for program, (module, *_) in PEERS.items():
        if module:
            is_here = importlib.util.find_spec(module) is not None
            found[program] = importlib.metadata.version(program) if is_here else "absent"
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
    records: Records, case: Case, problem: Problem, program: str, search: str, score: str, *, time_limit: float
) -> None:
    """One search of another program, unless it was measured before."""
    from records import describe_network

    import qnml

    identity: dict[str, Any] = {
        "part": "peer",
        "network": case.network,
        "rows": case.rows,
        "sample": case.sample,
        "program": program,
        "search": search,
        "score": score,
    }
    if records.has(**identity):
        return
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "table.csv"
        problem.write(file, is_reversed=search.endswith(REVERSED))
        job = {"program": program, "search": search.removesuffix(REVERSED), "score": score, "file": str(file)}
        found = _run(job, time_limit)
    if found["state"] == "done":
        dag = qnml.graph.consistent_extension(
            problem.table.names, [tuple(arc) for arc in found.pop("arcs")], [tuple(edge) for edge in found.pop("edges")]
        )
        found |= describe_network(problem, dag)
    records.add({**identity, **found})


def _run(job: dict[str, str], time_limit: float) -> dict[str, Any]:
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
    except subprocess.TimeoutExpired:
        return {"state": "time limit", "seconds": time_limit}
    if answer.returncode != 0:
        said = answer.stderr.strip().splitlines() or [f"exit code {answer.returncode}"]
        return {"state": f"failed: {said[-1][:200]}"}
    return {"state": "done", **json.loads(answer.stdout.strip().splitlines()[-1])}


# From here on: inside the process.


def _frame(file: str) -> Any:
    import pandas as pd

    return pd.read_csv(file, dtype=str)


def _pybnesian(file: str, search: str, score: str) -> dict[str, Any]:
    import pybnesian

    frame = _frame(file).astype("category")
    judge = pybnesian.BIC(frame) if score == "bic" else pybnesian.BDe(frame, 1.0)
    start = pybnesian.DiscreteBN(list(frame.columns))
    climb = pybnesian.GreedyHillClimbing()
    found, spent = timed(lambda: climb.estimate(pybnesian.ArcOperatorSet(), judge, start))
    return {"arcs": [list(arc) for arc in found.arcs()], "edges": [], **spent}


def _pyagrum(file: str, search: str, score: str) -> dict[str, Any]:
    import pyagrum

    learner = pyagrum.BNLearner(file)
    learner.setNumberOfThreads(1)
    learner.useScoreBDeu() if score == "bdeu" else learner.useScoreBIC()
    if search == "hc":
        learner.useGreedyHillClimbing()
    else:
        learner.useLocalSearchWithTabuList()
    found, spent = timed(learner.learnDAG)
    names = learner.names()
    return {"arcs": [[names[tail], names[head]] for tail, head in found.arcs()], "edges": [], **spent}


def _pgmpy(file: str, search: str, score: str) -> dict[str, Any]:
    from pgmpy.estimators import BIC, BDeu, HillClimbSearch

    frame = _frame(file)
    judge = BIC(frame) if score == "bic" else BDeu(frame, equivalent_sample_size=1)
    climb = HillClimbSearch(frame)
    found, spent = timed(lambda: climb.estimate(scoring_method=judge, show_progress=False))
    return {"arcs": [list(arc) for arc in found.edges()], "edges": [], **spent}


def _causal_learn(file: str, search: str, score: str) -> dict[str, Any]:
    import numpy as np
    import pandas as pd
    from causallearn.search.PermutationBased.BOSS import boss
    from causallearn.search.PermutationBased.GRaSP import grasp
    from causallearn.search.ScoreBased.GES import ges

    frame = _frame(file)
    codes = np.column_stack([pd.factorize(frame[name], sort=True)[0] for name in frame.columns])
    call = {"boss": boss, "grasp": grasp, "ges": ges}[search]
    found, spent = timed(lambda: call(codes, score_func="local_score_BDeu"))
    ends = (found["G"] if search == "ges" else found).graph
    names = list(frame.columns)
    pairs = [(i, j) for i in range(len(names)) for j in range(len(names)) if ends[i, j] == -1]
    arcs = [[names[i], names[j]] for i, j in pairs if ends[j, i] == 1]
    edges = [[names[i], names[j]] for i, j in pairs if ends[j, i] == -1 and i < j]
    return {"arcs": arcs, "edges": edges, **spent}


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


def _bnlearn(file: str, search: str, score: str) -> dict[str, Any]:
    name = {"bdeu": "bde"}.get(score, score)
    command = ["Rscript", "-e", _BNLEARN, file, search, name]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    first, *lines = answer.stdout.strip().splitlines()
    elapsed, processor = (float(number) for number in first.split())
    arcs = [line.split(",") for line in lines if line]
    return {"arcs": arcs, "edges": [], "seconds": elapsed, "processor_seconds": processor}


def _tetrad(file: str, search: str, score: str) -> dict[str, Any]:
    folder = Path(file).parent
    judge = "disc-bic-score" if score == "bic" else "bdeu-score"
    command = ["java", "-jar", os.environ["TETRAD_JAR"], "--algorithm", search, "--score", judge]
    command += ["--data-type", "discrete", "--dataset", file, "--delimiter", "comma"]
    command += ["--out", str(folder), "--prefix", "found"]
    # The start of the Java machine is in these seconds; causal-cmd does not tell them apart.
    _, spent = timed(lambda: subprocess.run(command, capture_output=True, check=True))
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
    "bnlearn": _bnlearn,
    "Tetrad": _tetrad,
}

if __name__ == "__main__":
    job = json.load(sys.stdin)
    print(json.dumps(_INSIDE[job["program"]](job["file"], job["search"], job["score"])))
