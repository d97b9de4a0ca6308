"""``qnml compare``: the differences between two networks."""

from typing import Annotated, Any

import typer

import qnml
from qnml.cli.mends import mends_told
from qnml.cli.options import AsJson
from qnml.cli.show import show
from qnml.report import compare_facts, compare_page

__all__ = ["compare"]

_HELP = "A network file (.bif, .json, .txt; also with .gz) or a model string such as '[A][B|A]'."


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
      qnml compare truth.bif learned.json
      qnml compare '[A][C][B|A:C]' '[A][B|A][C|B]' --on dag
    """
    sources = (first, second)
    with mends_told():
        one, other = (qnml.read_structure(source)[0] for source in sources)
    way: Any = on
    facts = compare_facts(
        qnml.compare(one, other, on=way),
        sources=sources,
        dags=(one, other),
        class_sizes=(qnml.class_size(one), qnml.class_size(other)),
        equivalent=one.is_equivalent(other),
    )
    show("compare", facts, compare_page, as_json=as_json)
