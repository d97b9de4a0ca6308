"""``qnml score``: the scores of a given network."""

from typing import Annotated, Any

import typer

import qnml
from qnml.cli.network_source import opened_structure
from qnml.cli.options import (
    AsJson,
    AskedScore,
    ColumnWishes,
    DataSource,
    InterventionColumn,
    Jobs,
    MemoryLimit,
    Missing,
    NetworkSource,
    Prepare,
    WeightColumn,
    parsed_columns,
    parsed_levels,
    parsed_scores,
)
from qnml.cli.read_data import column_names, opened_data
from qnml.cli.reading_options import ReadingOptions, reading_command
from qnml.cli.show import show
from qnml.errors import DataError
from qnml.reports import explanation_facts, score_facts, score_page

__all__ = ["score"]


@reading_command
def score(
    data: DataSource,
    network: NetworkSource,
    *,
    scores: Annotated[
        str,
        typer.Option("--score", metavar="NAMES", help="Scores, separated by commas; 'qnml scores' lists them."),
    ] = "qnml",
    explain: Annotated[bool, typer.Option("--explain", help="Show the terms of each score.")] = False,
    prepare: Prepare = "auto",
    column: ColumnWishes = None,
    missing: Missing = None,
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
    interventions: InterventionColumn = None,
    file: ReadingOptions,
    memory: MemoryLimit = None,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Score a network on data.

    The score is the fit minus a penalty for the parameters, in nats; higher is better.

    Columns are prepared as the network file remembers, if it does. Otherwise the variables of a network with labels are
    taken as they are, and those of a structure alone as --prepare and --column say.

    A score takes its parameter after a colon: bdeu:ess=10, bdq:alpha=0.5, ebic:gamma=1.

    \b
    Examples:
      qnml score patients.csv asia.bif
      qnml score patients.csv '[age][smokes|age][ill|age:smokes]' --explain
      qnml score patients.csv asia.bif --score qnml,bic,bdeu:ess=10 --json
    """
    asked = parsed_scores(scores)
    given = parsed_levels(levels or [])
    policy = missing or ("category" if prepare == "auto" else "raise")
    structure = opened_structure("score", network, memory)
    dag = structure.dag if isinstance(structure, qnml.Network) else structure
    if isinstance(structure, qnml.Network) and structure.preparation is not None and not isinstance(given, str):
        table = _prepared(structure, opened_data(data, file, memory), given, policy, weights, interventions)
        from_network, is_prepared = True, True
    else:
        rows = opened_data(data, file, memory, name_unnamed=prepare == "auto", stays=True)
        options: dict[str, Any] = {"missing": policy, "columns": parsed_columns(column or [])}
        options |= {"weights": weights, "interventions": interventions}
        if isinstance(structure, qnml.Network):
            table, from_network = _as_declared(structure, rows, given, options), not isinstance(given, str)
        else:
            table, from_network = _as_asked(structure, rows, given, prepare, options), False
        is_prepared = False
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
    facts = score_facts(
        table, data, dag, network, levels_from_network=from_network, is_prepared=is_prepared, scores=results
    )
    show("score", facts, score_page, as_json=as_json)


def _prepared(
    net: qnml.Network,
    rows: Any,
    given: dict[str, list[str]] | None,
    missing: str,
    weights: str | None,
    interventions: str | None,
) -> qnml.Table:
    """Read raw rows as the network remembers. What it says of missing cells holds unless their rows are to go."""
    policy: Any = "drop" if missing == "drop" else None
    table = net.prepare(rows, weights=weights, interventions=interventions, missing=policy)
    return table.with_levels(given) if given else table


def _as_declared(
    net: qnml.Network, rows: Any, given: str | dict[str, list[str]] | None, options: dict[str, Any]
) -> qnml.Table:
    """Read the variables of a network with the levels that it declares; --levels and --column take precedence."""
    there = set(column_names(rows))
    wanted = {name: "category" for name in net.names if name in there}
    options = {**options, "prepare": "auto", "columns": {**wanted, **(options["columns"] or {})}}
    if isinstance(given, str):
        asked: Any = given
        return qnml.read_table(rows, levels=asked, **options)
    # Variables the data lack are left to qnml.score, which names them all.
    levels: dict[str, Any] = {name: labels for name, labels in net.levels.items() if name in there} | (given or {})
    try:
        return qnml.read_table(rows, levels=levels, **options)
    except DataError as error:
        advice = "These levels are the network's; --levels declared uses those of the data."
        raise DataError(f"{error} {advice}") from error


def _as_asked(
    dag: qnml.Dag, rows: Any, given: str | dict[str, list[str]] | None, prepare: str, options: dict[str, Any]
) -> qnml.Table:
    """Prepare the variables of a structure; those that the rules would leave out are taken as they are."""
    levels: Any = given or "declared"
    if prepare == "auto":
        used = ("columns", "weights", "interventions")
        looked = qnml.inspect_table(rows, **{name: options[name] for name in used})
        kept = dict.fromkeys((name for name in looked.dropped if name in dag.names), "category")
        options = {**options, "columns": {**kept, **(options["columns"] or {})}}
    chosen: Any = prepare
    return qnml.read_table(rows, prepare=chosen, levels=levels, **options)


def _explained(table: qnml.Table, dag: qnml.Dag, one: AskedScore, jobs: int | None) -> dict[str, Any]:
    return explanation_facts(qnml.explain(table, dag, one.score.name, prior="uniform", n_jobs=jobs, **one.given))
