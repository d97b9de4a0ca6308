"""``qnml posterior``: how sure one may be of each arc."""

import warnings
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

import qnml
from qnml._interrupts import Interrupts, held_interrupts
from qnml.cli.frame_files import check_frame_file, write_frame
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
from qnml.cli.result_files import drawn, refuse_overwriting
from qnml.cli.show import show
from qnml.errors import InputError, QnmlError, bad_argument
from qnml.report import posterior_facts, posterior_page
from qnml.report.heat_map import HEAT_MAP_KINDS
from qnml.report.picture import PICTURE_KINDS, check_picture

__all__ = ["posterior"]


def posterior(
    data: DataSource,
    score: OneScore = "qnml",
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="auto|enumerate|exact|mcmc",
            help="Go through all structures, sum over them, or draw from them; auto takes the first that fits.",
        ),
    ] = "auto",
    prior: Annotated[
        str,
        typer.Option(
            "--prior",
            metavar="uniform|sparse|classes|order",
            help="What is equally probable beforehand: every DAG, every number of parents, every equivalence "
            "class, or every order.",
        ),
    ] = "uniform",
    knowledge: KnowledgeFile = None,
    max_parents: MaxParents = None,
    guard: Guard = "warn",
    samples: Annotated[
        int | None, typer.Option("--samples", metavar="N", help="Structures to draw where some are drawn.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="Of everything random; 0 when left out.")
    ] = None,
    time: Annotated[
        float | None,
        typer.Option(
            "--time",
            metavar="SECONDS",
            help="Stop then: chains give what they have, and stand in for exact sums that are not done.",
        ),
    ] = None,
    memory: MemoryLimit = None,
    jobs: Jobs = None,
    missing: Missing = "raise",
    levels: Levels = None,
    weights: WeightColumn = None,
    discretize: Discretize = None,
    bins: Bins = 3,
    top: Annotated[int, typer.Option("--top", metavar="K", help="How many structures to list.")] = 3,
    least: Annotated[
        float, typer.Option("--least", metavar="P", help="Least probability of a pair that is shown and drawn.")
    ] = 0.1,
    output: Annotated[
        list[str] | None,
        typer.Option("--output", metavar="FILE", help="Write the pairs to a .csv or .parquet file."),
    ] = None,
    plot: Annotated[
        list[str] | None,
        typer.Option("--plot", metavar="FILE", help="Draw lines as opaque as they are probable: .svg, .png or .dot."),
    ] = None,
    heat_map: Annotated[
        list[str] | None,
        typer.Option("--heat-map", metavar="FILE", help="Draw the matrix of arcs: .png, .svg or .pdf."),
    ] = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Say how probable every arc is, and which structures are the most probable.

    A structure counts exp(score) times its prior: posterior probabilities for bdeu, bds, bdj and k2, NML
    weights for qnml and fnml.

    \b
    Examples:
      qnml posterior patients.csv
      qnml posterior flowers.csv --discretize paper --plot arcs.svg
      qnml posterior flowers.csv --score bdq:alpha=0.3 --prior classes
      qnml posterior wide.csv --method mcmc --time 60 --json
    """
    asked = one_score(score)
    if top < 1:
        raise bad_argument("posterior", "top", top, "a whole number of at least 1")
    if not 0 <= least <= 1:
        raise bad_argument("posterior", "least", least, "a number from 0 to 1")
    given_parameters: dict[str, Any] = dict(asked.given)
    outputs, plots, maps = output or [], plot or [], heat_map or []
    written = {"--output": outputs, "--plot": plots, "--heat-map": maps}
    refuse_overwriting("posterior", written, [data, knowledge])
    _check_files(outputs, plots, maps)
    known = None if knowledge is None else qnml.Knowledge.from_file(knowledge)
    given = parsed_levels(levels or [])
    table = read_data(
        data, levels=given, missing=missing, weights=weights, discretize=discretize, bins=bins, memory=memory
    )
    with held_interrupts() as interrupts:
        with warnings.catch_warnings(record=True) as caught:
            # Over-full families, chains that have not mixed or stand in for exact figures: the page says it.
            warnings.simplefilter("always", UserWarning)
            result = qnml.posterior(
                table,
                asked.score.name,
                method,
                prior=prior,
                knowledge=known,
                max_parents=max_parents,
                guard=guard,
                samples=samples,
                seed=seed,
                n_jobs=jobs,
                time_limit=time,
                memory_limit=in_bytes(memory),
                progress=wants_progress(quiet=quiet, as_json=as_json),
                **given_parameters,
            )
        files: list[tuple[str, str]] = []
        failure: QnmlError | KeyboardInterrupt | None = None
        try:
            _write_files(result, least, outputs, plots, maps, files, interrupts)
        except (QnmlError, KeyboardInterrupt) as error:
            # The work may have taken hours: show it all the same.
            failure = error
        said = [str(one.message) for one in caught]
        facts = posterior_facts(result, data, top=top, least=least, warnings=said, files=files)
        show("posterior", facts, posterior_page, as_json=as_json)
        if failure is not None:
            raise failure


def _check_files(outputs: list[str], plots: list[str], maps: list[str]) -> None:
    """Refuse what could not be written, before the work."""
    for path in outputs:
        check_frame_file("posterior", path)
    for option, paths, kinds in (("plot", plots, PICTURE_KINDS), ("heat_map", maps, HEAT_MAP_KINDS)):
        for path in paths:
            if not path.lower().endswith(kinds):
                raise bad_argument("posterior", option, path, f"a file name ending in one of {', '.join(kinds)}")
            if not Path(path).parent.is_dir():
                raise InputError(f"posterior: {path} cannot be written: there is no folder {Path(path).parent}.")
    for path in plots:
        check_picture("posterior", path)


def _write_files(
    result: qnml.Posterior,
    least: float,
    outputs: list[str],
    plots: list[str],
    maps: list[str],
    files: list[Any],
    interrupts: Interrupts,
) -> None:
    for path in outputs:
        write_frame("posterior", result.to_frame(), path)
        files.append((path, "pairs with their probabilities"))
    for path in plots:
        files.append((path, drawn(interrupts, path, partial(result.plot(threshold=least).save, path), "picture")))
    for path in maps:
        files.append((path, drawn(interrupts, path, partial(result.plot("heat map").save, path), "heat map")))
