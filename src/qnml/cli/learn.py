"""``qnml learn``: the best network for a table."""

import warnings
from typing import Annotated, Any

import typer

import qnml
from qnml._interrupts import Interrupts, held_interrupts
from qnml.cli.options import (
    AsJson,
    Bins,
    DataSource,
    Discretize,
    Effort,
    Guard,
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
from qnml.cli.result_files import check_files, refuse_overwriting, written_files
from qnml.cli.show import show
from qnml.errors import OverfullWarning, QnmlError
from qnml.report import learn_facts, learn_page, plan_facts, plan_page

__all__ = ["learn"]


def learn(
    data: DataSource,
    score: OneScore = "qnml",
    method: SearchMethod = "auto",
    effort: Effort = "default",
    max_parents: MaxParents = None,
    guard: Guard = "warn",
    knowledge: KnowledgeFile = None,
    time: Annotated[
        float | None,
        typer.Option("--time", metavar="SECONDS", help="Stop then, with the best network found so far."),
    ] = None,
    memory: MemoryLimit = None,
    ties: Annotated[
        str,
        typer.Option(
            "--ties",
            metavar="canonical|random|larger",
            help="Which one to take of networks that score the same.",
        ),
    ] = "canonical",
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="For --ties random, 'order' and 'hill-climbing'.")
    ] = None,
    jobs: Jobs = None,
    missing: Missing = "raise",
    levels: Levels = None,
    weights: WeightColumn = None,
    discretize: Discretize = None,
    bins: Bins = 3,
    output: Annotated[
        list[str] | None,
        typer.Option(
            "--output",
            metavar="FILE",
            help="Write the network: .json or .bif with its parameters, .dot for Graphviz, .txt as a model "
            "string. May be given several times.",
        ),
    ] = None,
    plot: Annotated[
        list[str] | None, typer.Option("--plot", metavar="FILE", help="Draw the network: .svg or .png.")
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Say what the search would need, and stop.")] = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Learn the network with the highest score.

    It is the best of all networks, and says so with a certificate. Where there are too many columns to
    prove that, it is the best that a search found, and says so too. After --time or Ctrl-C it is the best
    found so far; a second Ctrl-C leaves out pictures and nothing else.

    Arcs that data alone cannot direct are shown as a -- b. The bits of an arc are what the score
    loses without it.

    \b
    Examples:
      qnml learn patients.csv
      qnml learn patients.csv --output net.bif --plot net.svg
      qnml learn flowers.csv --discretize paper --score bdeu:ess=1
      qnml learn wide.parquet --max-parents 3 --time 60 --json
      qnml learn genes.csv --method order --effort thorough
    """
    asked = one_score(score)
    outputs, plots = output or [], plot or []
    refuse_overwriting("learn", {"--output": outputs, "--plot": plots}, [data, knowledge])
    known = None if knowledge is None else qnml.Knowledge.from_file(knowledge)
    given = parsed_levels(levels or [])
    table = read_data(
        data, levels=given, missing=missing, weights=weights, discretize=discretize, bins=bins, memory=memory
    )
    check_files(table.names, outputs, plots)
    demands: dict[str, Any] = {
        "method": method,
        "effort": effort,
        "knowledge": known,
        "max_parents": max_parents,
        "guard": guard,
        "memory_limit": in_bytes(memory),
        "n_jobs": jobs,
        **asked.given,
    }
    if plan:
        forecast = qnml.plan(table, asked.score.name, **demands)
        show("learn", plan_facts(forecast, table, data), plan_page, as_json=as_json)
        return
    with held_interrupts() as interrupts:
        with warnings.catch_warnings():
            # The page says it, with all figures.
            warnings.simplefilter("ignore", OverfullWarning)
            result = qnml.learn(
                table,
                asked.score.name,
                time_limit=time,
                ties=ties,
                seed=seed,
                progress=wants_progress(quiet=quiet, as_json=as_json),
                **demands,
            )
        _present(result, data, guard, outputs, plots, interrupts, as_json=as_json)


def _present(
    result: qnml.SearchResult,
    source: str,
    guard: str,
    outputs: list[str],
    plots: list[str],
    interrupts: Interrupts,
    *,
    as_json: bool,
) -> None:
    """Write the files and show the result, also when a file fails: the search may have taken hours."""
    files: list[tuple[str, str]] = []
    failure: QnmlError | KeyboardInterrupt | None = None
    try:
        files.extend(written_files(result, outputs, plots, interrupts))
    except (QnmlError, KeyboardInterrupt) as error:
        failure = error
    show("learn", learn_facts(result, source, guard=guard, files=files), learn_page, as_json=as_json)
    if failure is not None:
        raise failure
