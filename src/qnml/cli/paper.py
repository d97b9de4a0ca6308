"""``qnml paper``: rerun the experiments of the paper and compare with the printed numbers."""

import sys
from contextlib import nullcontext
from typing import Annotated, Any

import typer

from qnml._progress import counting_bar
from qnml.cli.options import AsJson
from qnml.cli.show import show
from qnml.errors import InputError
from qnml.paper.report import About, check_document, check_figures, write_document, write_report
from qnml.paper.report.paper import paper_facts, paper_page
from qnml.paper.results import Results, read_results
from qnml.paper.run import Outcome, Progress, run
from qnml.paper.wanted import DEFAULT_SEED, Settings

__all__ = ["paper"]

_REPORT = "report"


def paper(
    part: Annotated[
        list[str],
        typer.Argument(
            metavar="PART",
            help="table1, figure1, figure2, figure3, table2, table3, theory, appendix-c, appendix-d, appendix-e, or "
            "all; or report, to rewrite the report from the results in the folder.",
        ),
    ],
    reps: Annotated[
        int | None,
        typer.Option("--reps", metavar="R", help="Repetitions; 1000 by default, 100 of what comes with theory."),
    ] = None,
    as_published: Annotated[
        bool,
        typer.Option(
            "--as-published",
            help="Also run table3, figure2 and appendix-e as the authors' program did, slips included.",
        ),
    ] = False,
    datasets: Annotated[
        str | None, typer.Option("--datasets", metavar="NAMES", help="Only these data sets, such as iris,wine.")
    ] = None,
    networks: Annotated[
        str | None, typer.Option("--networks", metavar="NAMES", help="Only these networks, such as asia,sachs.")
    ] = None,
    out: Annotated[str, typer.Option("--out", metavar="DIR", help="Folder for all results.")] = "paper-output",
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers", metavar="W", help="Number of processes; all cores by default. The results do not depend on it."
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option("--scheduler", metavar="ADDRESS", help="Run on the Dask cluster with this scheduler instead."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Keep the results in the folder and run only what is missing.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Seed of all random numbers.")] = DEFAULT_SEED,
    document: Annotated[
        str | None,
        typer.Option("--document", metavar="FILE", help="Also write one Markdown page, with its figures beside it."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run the experiments of the paper and show the results beside its printed numbers.

    The folder gets the raw results (Parquet and CSV), tables (Markdown), figures (SVG, PNG, PDF) and
    report.html with everything. Ctrl-C or a kill loses only the last seconds: --resume continues the run, and
    can also add repetitions later.

    \b
    Examples:
      qnml paper table1
      qnml paper table3 --reps 10 --datasets iris,wine
      qnml paper all --workers 2 --out results
      qnml paper all --resume --scheduler tcp://10.0.0.1:8786 --out results
      qnml paper table3 --as-published --reps 20 --datasets wine
      qnml paper report --out results
    """
    check_figures("qnml paper")
    if document is not None:
        check_document("paper", document, out)
    settings = Settings(seed, reps, _names("--datasets", datasets), _names("--networks", networks), as_published)
    outcome = None
    if _REPORT in part:
        if len(part) > 1:
            raise InputError("qnml paper report: takes no other part. It shows every part in the folder.")
    else:
        outcome = _run(part, settings, out, workers, scheduler, resume=resume, quiet=quiet or as_json)
    results = read_results(out)
    summaries = results.summaries()
    about = _about(results, outcome)
    files = [*(outcome.files if outcome else ()), *write_report(summaries, out, about)]
    if document is not None:
        files += write_document(summaries, document, about)
    shown = [summary for summary in summaries if outcome is None or summary.part in outcome.asked]
    show("paper", paper_facts(outcome, shown, results.seed, out, files), paper_page, as_json=as_json)


def _run(
    parts: list[str],
    settings: Settings,
    out: str,
    workers: int | None,
    scheduler: str | None,
    *,
    resume: bool,
    quiet: bool,
) -> Outcome:
    with nullcontext() if quiet else counting_bar("networks") as tell:

        def watch(progress: Progress) -> None:
            if tell is not None:
                tell(progress.done, progress.total, progress.seconds_left)

        outcome = run(parts, settings, out, workers=workers, scheduler=scheduler, resume=resume, watch=watch)
    for line in outcome.missing.values():
        print(f"qnml: {line}", file=sys.stderr)
    return outcome


def _names(option: str, text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    names = tuple(piece.strip() for piece in text.split(",") if piece.strip())
    if not names:
        raise InputError(f"{option} {text!r}: must be one name or several separated by commas.")
    return names


def _about(results: Results, outcome: Outcome | None) -> About:
    remarks: list[str] = []
    if results.seconds > 0 and results.learnings:
        remarks.append(
            f"{results.learnings:,} networks were learned in {results.seconds / 60:.1f} minutes, "
            f"{results.learnings / results.seconds:,.0f} a second."
        )
    given: dict[str, Any] = {"version": results.version, "date": results.date, "seed": results.seed}
    return About(**given, remarks=tuple(remarks))
