"""``qnml learn``: the best network for a table."""

import sys
import warnings
from typing import Annotated, Any

import typer

import qnml
from qnml.cli.options import AsJson, AskedScore, DataSource, WeightColumn, parsed_levels, parsed_scores
from qnml.cli.output import show
from qnml.cli.outputs import check_files, written_files
from qnml.cli.reading import read_data
from qnml.errors import InputError, OverfullWarning, QnmlError
from qnml.report import learning_facts, learning_page, plan_facts, plan_page

__all__ = ["learn"]

_BYTES_PER_GB = 1e9


def learn(
    data: DataSource,
    score: Annotated[
        str, typer.Option("--score", metavar="NAME", help="The score; 'qnml scores' lists them.")
    ] = "qnml",
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="auto|exact|order|hill-climbing",
            help="How to search. 'exact' proves what it finds; 'order' and 'hill-climbing' take any number of "
            "columns and prove nothing; 'auto' is exact where that takes no more than about an hour.",
        ),
    ] = "auto",
    effort: Annotated[
        str,
        typer.Option(
            "--effort",
            metavar="quick|default|thorough",
            help="How much work goes into a search that proves nothing.",
        ),
    ] = "default",
    max_parents: Annotated[
        int | None, typer.Option("--max-parents", metavar="K", help="Most parents a variable may have.")
    ] = None,
    guard: Annotated[
        str,
        typer.Option(
            "--guard",
            metavar="warn|cap|off",
            help="What to do about families with more cells than half the rows, which qnml can prefer "
            "without any dependence.",
        ),
    ] = "warn",
    knowledge: Annotated[
        str | None,
        typer.Option(
            "--knowledge",
            metavar="FILE",
            help="What is known beforehand, .toml or .json: required and forbidden arcs, tiers, ….",
        ),
    ] = None,
    time: Annotated[
        float | None,
        typer.Option("--time", metavar="SECONDS", help="Stop then, with the best network found so far."),
    ] = None,
    memory: Annotated[
        float | None,
        typer.Option("--memory", metavar="GB", help="Use no more; what needs more is refused at once."),
    ] = None,
    ties: Annotated[
        str,
        typer.Option(
            "--ties",
            metavar="canonical|random|larger",
            help="Which one to take of networks that score the same.",
        ),
    ] = "canonical",
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="For --ties random, and for searches that prove nothing.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", metavar="N", help="Threads; all cores when left out. The result is the same."),
    ] = None,
    missing: Annotated[
        str, typer.Option("--missing", metavar="raise|drop|category", help="What to do about missing cells.")
    ] = "raise",
    levels: Annotated[
        list[str] | None,
        typer.Option(
            "--levels",
            metavar="WHICH",
            help="'observed', 'declared' (by the data), or COLUMN=LABEL,LABEL,… once for each column.",
        ),
    ] = None,
    weights: WeightColumn = None,
    discretize: Annotated[
        str | None,
        typer.Option(
            "--discretize",
            metavar="paper|width|frequency",
            help="Cut numeric columns into bins: 'paper' into 3 of equal width where there are 7 values or "
            "more, the others into --bins of equal width or about equal frequency.",
        ),
    ] = None,
    bins: Annotated[int, typer.Option("--bins", metavar="N", help="Number of bins for --discretize.")] = 3,
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
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
    as_json: AsJson = False,
) -> None:
    """Learn the network with the highest score.

    It is the best of all networks, and says so with a certificate. Where there are too many columns to
    prove that, it is the best that a search found, and says so too. After --time or Ctrl-C it is the best
    found so far.

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
    asked = _one_score(score)
    outputs, plots = output or [], plot or []
    known = None if knowledge is None else qnml.Knowledge.from_file(knowledge)
    given = parsed_levels(levels or [])
    table = read_data(data, levels=given, missing=missing, weights=weights, discretize=discretize, bins=bins)
    check_files(table.names, outputs, plots)
    demands: dict[str, Any] = {
        "method": method,
        "effort": effort,
        "knowledge": known,
        "max_parents": max_parents,
        "guard": guard,
        "memory_limit": None if memory is None else memory * _BYTES_PER_GB,
        "n_jobs": jobs,
        **asked.given,
    }
    if plan:
        forecast = qnml.plan(table, asked.score.name, **demands)
        show("learn", plan_facts(forecast, table, data), plan_page, as_json=as_json)
        return
    with warnings.catch_warnings():
        # The page says it, with all figures.
        warnings.simplefilter("ignore", OverfullWarning)
        result = qnml.learn(
            table,
            asked.score.name,
            time_limit=time,
            ties=ties,
            seed=seed,
            progress=not (quiet or as_json) and sys.stderr.isatty(),
            **demands,
        )
    _present(result, data, guard, outputs, plots, as_json=as_json)


def _present(
    result: qnml.SearchResult, source: str, guard: str, outputs: list[str], plots: list[str], *, as_json: bool
) -> None:
    """Write the files and show the result, also when a file fails: the search may have taken hours."""
    files: list[tuple[str, str]] = []
    failure: QnmlError | None = None
    try:
        files.extend(written_files(result, outputs, plots))
    except QnmlError as error:
        failure = error
    show("learn", learning_facts(result, source, guard=guard, files=files), learning_page, as_json=as_json)
    if failure is not None:
        raise failure


def _one_score(text: str) -> AskedScore:
    asked = parsed_scores(text)
    if len(asked) != 1:
        raise InputError(f"--score {text}: one score is needed to learn by. Run the command once for each.")
    return asked[0]
