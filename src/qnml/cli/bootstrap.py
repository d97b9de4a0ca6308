"""``qnml bootstrap``: the share of resampled tables in which each arc is found."""

from typing import Annotated

import typer

import qnml
from qnml._interrupts import held_interrupts
from qnml.cli.learning_options import LearningOptions, learning_command, time_limit
from qnml.cli.options import Effort, SearchMethod
from qnml.cli.show import show
from qnml.reports import bootstrap_facts, bootstrap_page

__all__ = ["bootstrap"]

_Guard = Annotated[
    str,
    typer.Option("--guard", metavar="cap|off", help="'cap' excludes families with more cells than half the rows."),
]


@learning_command(time=time_limit("Stop after this time with the replicates done so far."), guard=(_Guard, "off"))
def bootstrap(
    *,
    replicates: Annotated[int, typer.Option("--replicates", metavar="R", help="Number of resampled tables.")] = 200,
    method: SearchMethod = "auto",
    effort: Effort = "quick",
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="Seed of the resampling.")] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold",
            metavar="SHARE",
            help="Join pairs that are found more often; by default derived from the strengths.",
        ),
    ] = None,
    options: LearningOptions,
) -> None:
    """Resample the rows with replacement, and show how often each arc is found.

    The network of every replicate is proven optimal for its rows where an exact search fits; the last line says which
    search was used. The strength of a pair is the share of replicates in which it is joined; forward and backward are
    the shares by direction, and an edge that neither data nor knowledge directs counts half each way.

    \b
    Examples:
      qnml bootstrap patients.csv --seed 1
      qnml bootstrap flowers.csv --discretize paper
      qnml bootstrap patients.csv --replicates 1000 --threshold 0.85 --json
    """
    table = options.table()
    with held_interrupts():  # until it is shown
        result = qnml.bootstrap(
            table,
            replicates,
            method=method,
            effort=effort,
            seed=seed,
            threshold=threshold,
            **options.arguments(),
            **options.running(),
        )
        show("bootstrap", bootstrap_facts(result, table, options.data), bootstrap_page, as_json=options.as_json)
