"""``qnml regret``: the multinomial regret."""

from typing import Annotated

import numpy as np
import typer

import qnml
from qnml.cli.options import AsJson, parsed_numbers
from qnml.cli.show import show
from qnml.reports import regret_facts, regret_page
from qnml.scores import REGRET_METHODS

__all__ = ["regret"]


def regret(
    n: Annotated[
        str,
        typer.Argument(metavar="N", help="Number of observations, such as 100 or 1e6, or several: 50,500."),
    ],
    r: Annotated[str, typer.Argument(metavar="R", help="Number of values of the variable, or several: 2,10,1e4.")],
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="NAME",
            help="exact, szpankowski, szpankowski-weinberger, several of them, or all.",
        ),
    ] = "exact",
    as_json: AsJson = False,
) -> None:
    """Compute the regret of a categorical variable.

    The variable has R values and is observed N times; the regret is in nats. With several numbers, separated by
    commas, the regret of every pair of an N and an R is computed.

    \b
    Examples:
      qnml regret 1000 4
      qnml regret 50,500,5000 10,100,1000,10000 --method all
    """
    rows, values = parsed_numbers("regret", "n", n), parsed_numbers("regret", "r", r)
    methods = list(REGRET_METHODS) if method == "all" else method.split(",")
    pairs = np.asarray(rows)[:, np.newaxis], np.asarray(values)[np.newaxis, :]
    regrets = {name: qnml.regret(*pairs, method=name) for name in methods}
    show("regret", regret_facts(rows, values, regrets), regret_page, as_json=as_json)
