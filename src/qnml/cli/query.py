"""``qnml query``: exact probabilities of some variables given others."""

from typing import Annotated

import typer

import qnml
from qnml.cli.mends import mends_told
from qnml.cli.options import AsJson, MemoryLimit, in_bytes
from qnml.cli.parse_evidence import parsed_names, parsed_settings
from qnml.cli.show import show
from qnml.errors import InputError
from qnml.report import mpe_facts, mpe_page, query_facts, query_page

__all__ = ["query"]


def query(
    network: Annotated[
        str, typer.Argument(metavar="NETWORK", help="A network file with probabilities, such as .bif or .json.")
    ],
    target: Annotated[
        list[str] | None,
        typer.Option("--target", metavar="NAMES", help="Query variables; their joint distribution if several."),
    ] = None,
    evidence: Annotated[
        list[str] | None,
        typer.Option("--evidence", metavar="NAME=LABEL", help="Observed labels, separated by commas."),
    ] = None,
    do: Annotated[
        list[str] | None,
        typer.Option("--do", metavar="NAME=LABEL", help="Interventions, separated by commas."),
    ] = None,
    mpe: Annotated[bool, typer.Option("--mpe", help="The most probable labels of all variables instead.")] = False,
    memory: MemoryLimit = None,
    as_json: AsJson = False,
) -> None:
    """Compute exact probabilities with a network.

    Options may be repeated. Give a label or name that contains a comma in a separate option.

    \b
    Examples:
      qnml query asia.bif --target lung --evidence xray=yes,dysp=no
      qnml query asia.bif --target lung,bronc --do smoke=no
      qnml query asia.bif --mpe --evidence dysp=yes --json
    """
    if mpe == bool(target):
        raise InputError("query: either --target NAMES or --mpe is needed, but not both.")
    limit = in_bytes(memory)
    with mends_told():
        net = qnml.read_network(network, memory_limit=limit)
    seen = parsed_settings(net, "--evidence", evidence or [])
    forced = parsed_settings(net, "--do", do or [])
    if mpe:
        best = net.most_probable(seen, forced, memory_limit=limit)
        weight = net.log_evidence(seen, forced, memory_limit=limit)
        show("query", mpe_facts(net, network, best, weight, seen, forced), mpe_page, as_json=as_json)
    else:
        answer = net.query(parsed_names(net, target or []), seen, forced, memory_limit=limit)
        show("query", query_facts(net, network, answer, seen, forced), query_page, as_json=as_json)
