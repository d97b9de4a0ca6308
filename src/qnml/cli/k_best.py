"""``qnml k-best``: the best networks or equivalence classes, in order and with proof."""

import warnings
from typing import Annotated, Any

import typer

import qnml
from qnml._interrupts import held_interrupts
from qnml.cli.options import (
    AsJson,
    Bins,
    DataSource,
    Discretize,
    Guard,
    Jobs,
    KnowledgeFile,
    Levels,
    MaxParents,
    MemoryLimit,
    Missing,
    OneScore,
    Quiet,
    WeightColumn,
    in_bytes,
    one_score,
    parsed_levels,
    wants_progress,
)
from qnml.cli.read_data import read_data
from qnml.cli.show import show
from qnml.report import k_best_facts, k_best_page

__all__ = ["k_best"]


def k_best(
    data: DataSource,
    k: Annotated[int, typer.Option("--k", metavar="K", help="How many.")] = 10,
    dags: Annotated[
        bool,
        typer.Option("--dags/--classes", help="List every network, or one for all equivalent ones."),
    ] = False,
    score: OneScore = "qnml",
    max_parents: MaxParents = None,
    guard: Guard = "warn",
    knowledge: KnowledgeFile = None,
    time: Annotated[
        float | None, typer.Option("--time", metavar="SECONDS", help="Stop then, with what is proven so far.")
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
    """List the best networks, or classes of equivalent networks, in order and with proof.

    The log weight is the score less that of the best: exp of it says how much less a structure counts.

    \b
    Examples:
      qnml k-best patients.csv
      qnml k-best patients.csv --k 100 --score bdeu:ess=1 --json
      qnml k-best flowers.csv --discretize paper --dags --k 5
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
        with warnings.catch_warnings(record=True) as caught:
            # Over-full families: the page says it.
            warnings.simplefilter("always", UserWarning)
            result = qnml.k_best(
                table,
                k,
                asked.score.name,
                "dags" if dags else "classes",
                time_limit=time,
                progress=wants_progress(quiet=quiet, as_json=as_json),
                **demands,
            )
        facts = k_best_facts(result, table, data, warnings=[str(one.message) for one in caught])
        show("k-best", facts, k_best_page, as_json=as_json)
