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
            metavar="cpdag|dag",
            help="Compare equivalence classes (cpdag), or the graphs arc by arc (dag).",
        ),
    ] = "cpdag",
    as_json: AsJson = False,
) -> None:
    """Compare two networks over the same variables.

    Shows whether they are equivalent, their structural Hamming distance, and the edges in which they differ.

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
        qnml.compare(one, other, on=way),
        sources=sources,
        dags=(one, other),
        class_sizes=(qnml.class_size(one), qnml.class_size(other)),
        equivalent=one.is_equivalent(other),
    )
    show("compare", facts, compare_page, as_json=as_json)
