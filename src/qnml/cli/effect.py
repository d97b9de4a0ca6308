"""``qnml effect``: what setting one variable does to another, in all members of the class."""

from typing import Annotated

import typer

from qnml.cli.network_source import ModelSource, opened_network
from qnml.cli.options import AsJson, MemoryLimit, in_bytes
from qnml.cli.show import show
from qnml.errors import InputError
from qnml.reports import effect_facts, effect_page

__all__ = ["effect"]


def effect(
    network: ModelSource,
    cause: Annotated[str, typer.Option("--cause", metavar="NAME", help="The variable that is set.")],
    target: Annotated[str, typer.Option("--target", metavar="NAME", help="The variable that is looked at.")],
    values: Annotated[
        str | None,
        typer.Option(
            "--values",
            metavar="NUMBERS",
            help="A number for each label of the target, in their order, separated by commas: their means are shown, "
            "too. Not needed where all labels are numbers.",
        ),
    ] = None,
    memory: MemoryLimit = None,
    as_json: AsJson = False,
) -> None:
    """Show the distribution of a variable if another is set, over all networks that data and knowledge leave.

    One value where the effect is identified, otherwise its range and the share of the members that have each value.

    \b
    Examples:
      qnml effect asia.json --cause smoke --target lung
      qnml effect asia.bif --cause smoke --target lung --values 0,1 --json
    """
    limit = in_bytes(memory)
    net = opened_network("effect", network, memory)
    found = net.effect(cause, target, memory_limit=limit)
    numbers = None if values is None else _numbers(values, len(net.levels[target]))
    given = None if numbers is None else dict(zip(net.levels[target], numbers, strict=True))
    show("effect", effect_facts(net, network, found, given), effect_page, as_json=as_json)


def _numbers(text: str, n_levels: int) -> list[float]:
    pieces = [piece.strip() for piece in text.split(",")]
    try:
        numbers = [float(piece) for piece in pieces]
    except ValueError:
        raise InputError(f"effect: --values {text!r}: must be numbers separated by commas.") from None
    if len(numbers) != n_levels:
        raise InputError(f"effect: --values {text!r}: must be {n_levels} numbers, one for each label of the target.")
    return numbers
