"""``qnml score``: the scores of a given network."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

import qnml
from qnml.cli.mends import mends_told
from qnml.cli.options import (
    AsJson,
    AskedScore,
    DataSource,
    Jobs,
    MemoryLimit,
    Missing,
    NetworkSource,
    WeightColumn,
    in_bytes,
    parsed_levels,
    parsed_scores,
)
from qnml.cli.show import show
from qnml.errors import DataError
from qnml.report import explanation_facts, score_facts, score_page

__all__ = ["score"]


def score(
    data: DataSource,
    network: NetworkSource,
    scores: Annotated[
        str,
        typer.Option("--score", metavar="NAMES", help="Scores, separated by commas; 'qnml scores' lists them."),
    ] = "qnml",
    explain: Annotated[bool, typer.Option("--explain", help="Show the terms of each score.")] = False,
    missing: Missing = "raise",
    levels: Annotated[
        list[str] | None,
        typer.Option(
            "--levels",
            metavar="WHICH",
            help="'observed', 'declared' (by the data), or COLUMN=LABEL,LABEL,… once for each column. "
            "By default the levels that the network declares, if any, else those that the data declare.",
        ),
    ] = None,
    weights: WeightColumn = None,
    memory: MemoryLimit = None,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Score a network on data.

    The score is the fit minus a penalty for the parameters, in nats; higher is better.

    A score takes its parameter after a colon: bdeu:ess=10, bdq:alpha=0.5, ebic:gamma=1.

    \b
    Examples:
      qnml score patients.csv asia.bif
      qnml score patients.csv '[age][smokes|age][ill|age:smokes]' --explain
      qnml score patients.csv asia.bif --score qnml,bic,bdeu:ess=10 --json
    """
    asked = parsed_scores(scores)
    given = parsed_levels(levels or [])
    with mends_told():
        dag, declared = qnml.read_structure(network, memory_limit=in_bytes(memory))
    table, from_network = _read(data, given, missing, weights, declared, in_bytes(memory))
    results = [
        {
            "name": one.score.name,
            "parameters": one.parameters,
            "label": one.label,
            "value": qnml.score(table, dag, one.score.name, n_jobs=jobs, **one.given),
            "explanation": _explained(table, dag, one, jobs) if explain else None,
        }
        for one in asked
    ]
    facts = score_facts(table, data, dag, network, levels_from_network=from_network, scores=results)
    show("score", facts, score_page, as_json=as_json)


def _read(
    data: str,
    given: str | dict[str, list[str]] | None,
    missing: Any,
    weights: str | None,
    declared: Mapping[str, Sequence[object]] | None,
    memory_limit: float | None,
) -> tuple[qnml.Table, bool]:
    """Return the table and whether the network declared its levels; --levels takes precedence over the network."""
    levels: Any = given or "declared"
    options: Any = {"missing": missing, "weights": weights, "memory_limit": memory_limit}
    table = qnml.read_table(data, levels=levels, **options)
    if declared is None or isinstance(given, str):
        return table, False
    # Variables the data lack are left to qnml.score, which names them all.
    wanted = {name: labels for name, labels in declared.items() if name in table.names} | (given or {})
    try:
        if missing == "category":
            # No network declares the level for missing cells; the reader adds it.
            return qnml.read_table(data, levels=wanted, **options), True
        return table.with_levels(wanted), True
    except DataError as error:
        advice = "These levels are the network's; --levels declared uses those of the data."
        raise DataError(f"{error} {advice}") from error


def _explained(table: qnml.Table, dag: qnml.Dag, one: AskedScore, jobs: int | None) -> dict[str, Any]:
    return explanation_facts(qnml.explain(table, dag, one.score.name, n_jobs=jobs, **one.given))
