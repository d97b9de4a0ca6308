"""``qnml bootstrap``: how often each arc is found when the rows are drawn again."""

from typing import Annotated, Any

import typer

import qnml
from qnml._interrupts import held_interrupts
from qnml.cli.options import (
    AsJson,
    Bins,
    DataSource,
    Discretize,
    Effort,
    Jobs,
    KnowledgeFile,
    Levels,
    MaxParents,
    MemoryLimit,
    Missing,
    OneScore,
    Quiet,
    SearchMethod,
    WeightColumn,
    in_bytes,
    one_score,
    parsed_levels,
    wants_progress,
)
from qnml.cli.read_data import read_data
from qnml.cli.show import show
from qnml.report import bootstrap_facts, bootstrap_page

__all__ = ["bootstrap"]


def bootstrap(
    data: DataSource,
    replicates: Annotated[
        int, typer.Option("--replicates", metavar="R", help="How many times to draw the rows.")
    ] = 200,
    score: OneScore = "qnml",
    method: SearchMethod = "auto",
    effort: Effort = "quick",
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="For drawing the rows.")] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold", metavar="SHARE", help="Join pairs found more often; by default found from the shares."
        ),
    ] = None,
    max_parents: MaxParents = None,
    guard: Annotated[
        str,
        typer.Option("--guard", metavar="cap|off", help="'cap' admits no family with more cells than half the rows."),
    ] = "off",
    knowledge: KnowledgeFile = None,
    time: Annotated[
        float | None,
        typer.Option("--time", metavar="SECONDS", help="Stop then, with the replicates done so far."),
    ] = None,
    memory: MemoryLimit = None,
    jobs: Jobs = None,
    missing: Missing = "raise",
    levels: Levels = None,
    weights: WeightColumn = None,
    discretize: Discretize = None,
    bins: Bins = 3,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Draw the rows again and again, and say how often each arc is found.

    Every replicate's network is the best one for its rows, proven, where an exact search fits; the last line says which
    search it was. The strength of a pair is the share of replicates in which it is joined, forward and backward how
    often it points each way; pairs that data cannot direct count half each way.

    \b
    Examples:
      qnml bootstrap patients.csv --seed 1
      qnml bootstrap flowers.csv --discretize paper
      qnml bootstrap patients.csv --replicates 1000 --threshold 0.85 --json
    """
    asked = one_score(score)
    demands: dict[str, Any] = {
        "knowledge": None if knowledge is None else qnml.Knowledge.from_file(knowledge),
        "max_parents": max_parents,
        "guard": guard,
        "memory_limit": in_bytes(memory),
        "n_jobs": jobs,
        **asked.given,
    }
    given = parsed_levels(levels or [])
    table = read_data(
        data, levels=given, missing=missing, weights=weights, discretize=discretize, bins=bins, memory=memory
    )
    with held_interrupts():  # until it is shown
        result = qnml.bootstrap(
            table,
            replicates,
            asked.score.name,
            method,
            effort=effort,
            seed=seed,
            threshold=threshold,
            time_limit=time,
            progress=wants_progress(quiet=quiet, as_json=as_json),
            **demands,
        )
        show("bootstrap", bootstrap_facts(result, data), bootstrap_page, as_json=as_json)
