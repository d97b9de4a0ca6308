"""``qnml compare``: the differences between two networks."""

from typing import Annotated, Any

import typer

import qnml
from qnml.cli.network_source import opened_structure
from qnml.cli.options import AsJson
from qnml.cli.show import show
from qnml.reports import compare_facts, compare_page

__all__ = ["compare"]

_HELP = (
    "A network file (.bif, .json, .txt; also with .gz), the name of a bundled network such as asia (a file of that "
    "name is preferred), or a model string such as '[A][B|A]'."
)


def compare(
    first: Annotated[str, typer.Argument(metavar="NET1", help=f"The reference. {_HELP}")],
    second: Annotated[str, typer.Argument(metavar="NET2", help="The network compared with it.")],
    on: Annotated[
        str,
        typer.Option(
            "--on",
            metavar="cpdag|mpdag|dag",
            help="Compare equivalence classes (cpdag), the graphs arc by arc (dag), or, of networks that were learned "
            "with background knowledge, the members that it leaves (mpdag).",
        ),
    ] = "cpdag",
    as_json: AsJson = False,
) -> None:
    """Compare two networks over the same variables.

    Shows whether they are equivalent, their structural Hamming distance, how many effects of interventions the second
    gets wrong if the first is true, and the edges in which they differ.

    \b
    Examples:
      qnml compare asia learned.json
      qnml compare '[A][C][B|A:C]' '[A][B|A][C|B]' --on dag
    """
    sources = (first, second)
    opened = [opened_structure("compare", source) for source in sources]
    one, other = (structure.dag if isinstance(structure, qnml.Network) else structure for structure in opened)
    way: Any = on
    facts = compare_facts(
        qnml.compare(_compared(opened[0], on), _compared(opened[1], on), on=way),
        sources=sources,
        dags=(one, other),
        class_sizes=(qnml.class_size(one), qnml.class_size(other)),
        equivalent=one.is_equivalent(other),
    )
    show("compare", facts, compare_page, as_json=as_json)


def _compared(structure: qnml.Network | qnml.Dag, on: str) -> qnml.Dag | qnml.Mpdag:
    """The graph of a structure that is compared: with mpdag, that of a network with all that is known about it."""
    if not isinstance(structure, qnml.Network):
        return structure
    return structure.mpdag if on == "mpdag" and structure.mpdag is not None else structure.dag
