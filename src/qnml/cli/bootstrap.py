"""``qnml bootstrap``: how often each arc is found when the rows are drawn again."""

import sys
from typing import Annotated, Any

import typer

import qnml
from qnml.cli.options import AsJson, DataSource, WeightColumn, parsed_scores
from qnml.cli.output import show
from qnml.cli.reading import read_data
from qnml.errors import InputError
from qnml.report import bootstrap_facts, bootstrap_page

__all__ = ["bootstrap"]

_BYTES_PER_GB = 1e9


def bootstrap(
    data: DataSource,
    replicates: Annotated[
        int, typer.Option("--replicates", metavar="R", help="How many times to draw the rows.")
    ] = 200,
    score: Annotated[
        str, typer.Option("--score", metavar="NAME", help="The score; 'qnml scores' lists them.")
    ] = "qnml",
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="For drawing the rows.")] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold", metavar="SHARE", help="Join pairs found more often; by default found from the shares."
        ),
    ] = None,
    max_parents: Annotated[
        int | None, typer.Option("--max-parents", metavar="K", help="Most parents a variable may have.")
    ] = None,
    guard: Annotated[
        str,
        typer.Option("--guard", metavar="cap|off", help="'cap' admits no family with more cells than half the rows."),
    ] = "off",
    knowledge: Annotated[
        str | None,
        typer.Option("--knowledge", metavar="FILE", help="What is known beforehand, .toml or .json."),
    ] = None,
    time: Annotated[
        float | None,
        typer.Option("--time", metavar="SECONDS", help="Stop then, with the replicates done so far."),
    ] = None,
    memory: Annotated[
        float | None,
        typer.Option("--memory", metavar="GB", help="Use no more; what needs more is refused at once."),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", metavar="N", help="Threads; all cores when left out. The result is the same."),
    ] = None,
    weights: WeightColumn = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
    as_json: AsJson = False,
) -> None:
    """Draw the rows again and again, and say how often each arc is found.

    Every replicate's network is the best one for its rows, proven. The strength of a pair is the share of
    replicates in which it is joined, forward and backward how often it points each way; pairs that data
    cannot direct count half each way.

    \b
    Examples:
      qnml bootstrap patients.csv --seed 1
      qnml bootstrap patients.csv --replicates 1000 --threshold 0.85 --json
    """
    asked = parsed_scores(score)
    if len(asked) != 1:
        raise InputError(f"--score {score}: one score is needed to learn by. Run the command once for each.")
    demands: dict[str, Any] = {
        "knowledge": None if knowledge is None else qnml.Knowledge.from_file(knowledge),
        "max_parents": max_parents,
        "guard": guard,
        "memory_limit": None if memory is None else memory * _BYTES_PER_GB,
        "n_jobs": jobs,
        **asked[0].given,
    }
    result = qnml.bootstrap(
        read_data(data, levels=None, missing="raise", weights=weights, discretize=None, bins=3),
        replicates,
        asked[0].score.name,
        seed=seed,
        threshold=threshold,
        time_limit=time,
        progress=not (quiet or as_json) and sys.stderr.isatty(),
        **demands,
    )
    show("bootstrap", bootstrap_facts(result, data), bootstrap_page, as_json=as_json)
