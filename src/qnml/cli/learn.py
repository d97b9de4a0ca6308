"""``qnml learn``: the best network for a table."""

import warnings
from functools import partial
from typing import Annotated, Any

import typer

import qnml
from qnml._interrupts import Interrupts, held_interrupts
from qnml.cli.learning_options import LearningOptions, learning_command, time_limit
from qnml.cli.network_source import opened_structure
from qnml.cli.options import Effort, SearchMethod
from qnml.cli.result_files import check_files, refuse_overwriting, written_files
from qnml.cli.show import show
from qnml.errors import InputError, OverfullWarning, QnmlError, bad_argument
from qnml.reports import learn_facts, learn_page, learn_scores_facts, learn_scores_page, plan_facts, plan_page

__all__ = ["learn"]


_Discretize = Annotated[
    str | None,
    typer.Option(
        "--discretize",
        metavar="joint|nml|paper|width|frequency",
        help="Bin the numeric columns that have many values (all under --prepare strict): "
        "'joint' together with the network, by the shortest code for both; 'nml' by the "
        "histogram with the shortest code; 'paper' into 3 bins of equal width if a column has 7 values or more; "
        "'width' and 'frequency' into --bins bins of equal width or about equal frequency. By default 'joint' for the "
        "columns that --prepare auto bins, and 'nml' with at most 10 bins where the score does not admit it, or with "
        "--start.",
    ),
]


@learning_command(
    time=time_limit("Stop after this time with the best network found so far."), discretize=(_Discretize, None)
)
def learn(
    *,
    method: SearchMethod = "auto",
    effort: Effort = "default",
    ties: Annotated[
        str,
        typer.Option(
            "--ties",
            metavar="canonical|random|larger",
            help="Which of several networks with the same score to take.",
        ),
    ] = "canonical",
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="Seed of --ties random, 'order' and 'hill-climbing'.")
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(
            "--start",
            metavar="FILE",
            help="Start from the network in this file, of any format that qnml reads, or from a model string such as "
            "'[a][b|a]'; columns are matched by name. The result is never worse.",
        ),
    ] = None,
    shape: Annotated[
        str | None,
        typer.Option(
            "--shape",
            metavar="tree|forest|tan",
            help="Look among networks of this shape alone, where the best is proven for any number of columns: 'tree', "
            "'forest' (at most one parent each), or 'tan', a tree-augmented classifier of the column --target.",
        ),
    ] = None,
    target: Annotated[
        str | None, typer.Option("--target", metavar="COLUMN", help="With --shape tan: the column to be predicted.")
    ] = None,
    device: Annotated[
        str,
        typer.Option(
            "--device",
            metavar="cpu|gpu|auto",
            help="Where an exact search counts; the result is the same. 'auto' takes a GPU if it is faster.",
        ),
    ] = "cpu",
    options: LearningOptions,
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
        list[str] | None, typer.Option("--plot", metavar="FILE", help="Draw the network: .svg, .png or .pdf.")
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Show what the search would need, and stop.")] = False,
) -> None:
    """Learn the network with the highest score.

    A certificate says whether the network is proven to be the best of all. Where there are too many columns for a
    proof, it is the best network that a search found. After --time or Ctrl-C it is the best network found so far; a
    second Ctrl-C skips pictures and nothing else.

    Arcs that the data alone cannot direct are shown as a -- b. The bits of an arc are what the
    score, with the log prior, loses without it.

    \b
    Examples:
      qnml learn patients.csv
      qnml learn patients.csv --output net.bif --plot net.svg
      qnml learn flowers.csv --discretize paper --score bdeu:ess=1
      qnml learn wide.parquet --max-parents 3 --time 60 --json
      qnml learn genes.csv --method order --effort thorough
      qnml learn patients.csv --shape tan --target ill
      qnml learn scores.jkl --max-parents 4
    """
    outputs, plots = output or [], plot or []
    _ = options.asked  # a wrong score is named before a wrong file
    refuse_overwriting("learn", {"--output": outputs, "--plot": plots}, [options.data, options.knowledge, start])
    if start is not None and options.discretize == "joint":
        raise InputError("--start: not with --discretize joint. Choose the bins first: --discretize nml.")
    begun = None if start is None else opened_structure("learn", start)
    scores = options.local_scores()
    if scores is not None:
        asked = {"method": method, "effort": effort, "ties": ties, "seed": seed, "start": begun, "device": device}
        _learn_from_scores(scores, options, outputs, plots, {**asked, "shape": shape, "target": target}, plan=plan)
        return
    table = options.table(estimates_missing=True)
    check_files(table.names, outputs, plots)
    chosen = {
        "method": method,
        "effort": effort,
        "shape": shape,
        "target": target,
        "device": device,
        **options.arguments(),
    }
    if plan:
        forecast = qnml.plan(table, **chosen)
        show("learn", plan_facts(forecast, table, options.data), plan_page, as_json=options.as_json)
        return
    with held_interrupts() as interrupts:
        with warnings.catch_warnings():
            # The page has the warning, with all figures.
            warnings.simplefilter("ignore", OverfullWarning)
            is_joint = options.bins_jointly and table.numbers and start is None
            result = qnml.learn(
                table,
                ties=ties,
                seed=seed,
                start=begun,
                discretize="joint" if is_joint else None,
                **chosen,
                **options.running(),
            )
        _present(result, options, outputs, plots, interrupts)


def _learn_from_scores(
    scores: qnml.LocalScores,
    options: LearningOptions,
    outputs: list[str],
    plots: list[str],
    chosen: dict[str, Any],
    *,
    plan: bool,
) -> None:
    if plan:
        raise InputError("--plan forecasts how families are counted, and those of a .jkl file are only looked up.")
    for path in outputs:
        if not path.lower().endswith((".txt", ".dot")):
            allowed = "a file name ending in .txt or .dot"
            raise bad_argument("learn", "output", path, allowed, "There are no data to estimate parameters from.")
    check_files(scores.names, outputs, plots)
    with held_interrupts() as interrupts:
        result = qnml.learn(scores, **chosen, **options.arguments(), **options.running())
        _present(result, options, outputs, plots, interrupts)


def _present(
    result: qnml.SearchResult, options: LearningOptions, outputs: list[str], plots: list[str], interrupts: Interrupts
) -> None:
    """Write the files and show the result, also when a file fails: the search may have taken hours."""
    files: list[tuple[str, str]] = []
    failure: QnmlError | KeyboardInterrupt | None = None
    try:
        files.extend(written_files(result, outputs, plots, interrupts))
    except (QnmlError, KeyboardInterrupt) as error:
        failure = error
    if isinstance(result, qnml.LocalScoreResult):
        facts = learn_scores_facts(result, options.data, files=files)
        show("learn", facts, learn_scores_page, as_json=options.as_json)
    else:
        facts = learn_facts(result, options.data, guard=options.guard, files=files)
        page = partial(learn_page, penalty_saturates=result.bound_score.score.penalty_saturates)
        show("learn", facts, page, as_json=options.as_json)
    if failure is not None:
        raise failure
