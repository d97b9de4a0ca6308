"""``qnml report``: one web page about a network, learned from a table or read from a file."""

import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

import qnml
from qnml._interrupts import held_interrupts
from qnml.cli.learning_options import LearningOptions, learning_command, time_limit
from qnml.cli.network_source import is_named, opened_network
from qnml.cli.read_data import STANDARD_INPUT
from qnml.cli.result_files import refuse_overwriting
from qnml.cli.show import show
from qnml.errors import InputError
from qnml.model import NETWORK_KINDS
from qnml.reports import report_facts, report_page

__all__ = ["Source", "holds_a_network", "report", "source_name"]

Source = Annotated[
    str,
    typer.Argument(
        metavar="DATA|NETWORK",
        help="A table, from which a network is learned first, or a network file such as .bif or .json, or the name of "
        "a bundled network such as asia.",
    ),
]


@learning_command(
    data=Source, time=time_limit("Stop learning after this time; as long again for each of the other parts.")
)
def report(
    *,
    options: LearningOptions,
    output: Annotated[
        str | None,
        typer.Option("--output", metavar="FILE", help="The page, ending in .html; by default named after the source."),
    ] = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="The heading of the page.")] = None,
    probabilities: Annotated[
        str,
        typer.Option(
            "--probabilities",
            metavar="auto|posterior|bootstrap|none",
            help="How the probabilities of arcs are computed; 'auto' takes the posterior for up to 15 columns, "
            "otherwise the bootstrap.",
        ),
    ] = "auto",
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="Seed of the search and of the bootstrap.")
    ] = None,
) -> None:
    """Write one web page about a network that anybody can open.

    The page tells what the data were, what was done to them, what the network is and how certain it is. The network in
    it can be moved, searched and asked: clicking a bar sets evidence, and all probabilities follow. The page is a
    single file and needs no connection.

    \b
    Examples:
      qnml report patients.csv
      qnml report patients.csv --output page.html --knowledge known.toml
      qnml report asia --output asia.html
    """
    path = output or f"{_stem(options.data)}.html"
    if not path.lower().endswith((".html", ".htm")):
        raise InputError(f"report: --output {path} must end in .html.")
    refuse_overwriting("report", {"--output": [path]}, [options.data, options.knowledge])
    if not Path(path).resolve().parent.is_dir():
        raise InputError(f"report: {path} cannot be written: there is no folder {Path(path).parent}.")
    given: dict[str, Any] = {
        "title": title,
        "name": source_name(options.data),
        "commands": (shlex.join(["qnml", *sys.argv[1:]]),),
    }
    if holds_a_network("report", options.data):
        page = qnml.report(opened_network("report", options.data, options.memory), path, **given)
    else:
        table = options.table(estimates_missing=True)
        joint = "joint" if options.bins_jointly and table.numbers else None
        with held_interrupts():
            page = qnml.report(
                table,
                path,
                probabilities=probabilities,
                seed=seed,
                discretize=joint,
                **options.arguments(),
                **options.running(),
                **given,
            )
    show("report", report_facts(page, path), report_page, as_json=options.as_json)


def holds_a_network(command: str, source: str) -> bool:
    """Whether a source is a network and not a table.

    Parameters
    ----------
    command
        The subcommand.
    source
        The argument.
    """
    if source.lower().removesuffix(".gz").endswith(NETWORK_KINDS):
        return True
    return not Path(source).suffix and source != STANDARD_INPUT and is_named(command, source)


def source_name(source: str) -> str:
    """What a page calls a source.

    Parameters
    ----------
    source
        The argument.
    """
    return "standard input" if source == STANDARD_INPUT else Path(source).name


def _stem(source: str) -> str:
    return source_name(source).split(".")[0].replace(" ", "-") or "report"
