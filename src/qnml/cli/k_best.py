"""``qnml k-best``: the best networks or equivalence classes, in order and with proof."""

import warnings
from typing import Annotated

import typer

import qnml
from qnml._interrupts import held_interrupts
from qnml.cli.learning_options import LearningOptions, learning_command, time_limit
from qnml.cli.show import show
from qnml.reports import k_best_facts, k_best_page

__all__ = ["k_best"]


@learning_command(time=time_limit("Stop after this time with the structures proven so far."))
def k_best(
    *,
    k: Annotated[int, typer.Option("--k", metavar="K", help="Number of structures.")] = 10,
    dags: Annotated[
        bool,
        typer.Option("--dags/--classes", help="List all networks, or one for each equivalence class."),
    ] = False,
    options: LearningOptions,
) -> None:
    """List the best networks, or equivalence classes, in order and with proof.

    The log weight is the score minus that of the best: its exponential is the weight relative to the best.

    \b
    Examples:
      qnml k-best patients.csv
      qnml k-best patients.csv --k 100 --score bdeu:ess=1 --json
      qnml k-best flowers.csv --discretize paper --dags --k 5
      qnml k-best scores.jkl --k 3
    """
    scores = options.local_scores()
    table = options.table() if scores is None else scores
    what = "dags" if dags else "classes"
    with held_interrupts():  # until it is shown
        with warnings.catch_warnings(record=True) as caught:
            # Over-full families: the page has the warning.
            warnings.simplefilter("always", UserWarning)
            result = qnml.k_best(table, k, what=what, **options.arguments(), **options.running())
        facts = k_best_facts(result, table, options.data, warnings=[str(one.message) for one in caught])
        show("k-best", facts, k_best_page, as_json=options.as_json)
