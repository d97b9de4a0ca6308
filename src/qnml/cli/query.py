"""``qnml query``: exact probabilities of some variables given others."""

from typing import Annotated

import typer

from qnml.cli.directions import OnUnidentified, told_of_directions
from qnml.cli.network_source import ModelSource, opened_network
from qnml.cli.options import AsJson, MemoryLimit, in_bytes
from qnml.cli.parse_evidence import parsed_names, parsed_settings
from qnml.cli.show import show
from qnml.errors import InputError
from qnml.reports import mpe_facts, mpe_page, query_facts, query_page

__all__ = ["query"]


def query(
    network: ModelSource,
    target: Annotated[
        list[str] | None,
        typer.Option("--target", metavar="NAMES", help="Query variables; their joint distribution if several."),
    ] = None,
    evidence: Annotated[
        list[str] | None,
        typer.Option("--evidence", metavar="NAME=LABEL", help="Observed labels or raw values, separated by commas."),
    ] = None,
    do: Annotated[
        list[str] | None,
        typer.Option("--do", metavar="NAME=LABEL", help="Interventions, separated by commas."),
    ] = None,
    on_unidentified: OnUnidentified = "warn",
    mpe: Annotated[bool, typer.Option("--mpe", help="The most probable labels of all variables instead.")] = False,
    memory: MemoryLimit = None,
    as_json: AsJson = False,
) -> None:
    """Compute exact probabilities with a network.

    Options may be repeated. Intervals may contain commas: --evidence "age=(52, 59],smoke=yes". Give other labels and
    names that contain a comma in a separate option.

    \b
    Examples:
      qnml query asia --target lung --evidence xray=yes,dysp=no
      qnml query asia.bif --target lung,bronc --do smoke=no
      qnml query asia.bif --mpe --evidence dysp=yes --json
    """
    if mpe == bool(target):
        raise InputError("query: either --target NAMES or --mpe is needed, but not both.")
    limit = in_bytes(memory)
    net = opened_network("query", network, memory)
    seen = parsed_settings(net, "--evidence", evidence or [])
    forced = parsed_settings(net, "--do", do or [])
    with told_of_directions() as told:
        if mpe:
            best = net.most_probable(seen, forced, on_unidentified=on_unidentified, memory_limit=limit)
            weight = net.log_evidence(seen, forced, on_unidentified="ignore", memory_limit=limit)
        else:
            asked = parsed_names(net, target or [])
            answer = net.query(asked, seen, forced, on_unidentified=on_unidentified, memory_limit=limit)
    if mpe:
        facts = mpe_facts(net, network, best, weight, seen, forced, warnings=told)
        show("query", facts, mpe_page, as_json=as_json)
    else:
        facts = query_facts(net, network, answer, seen, forced, warnings=told)
        show("query", facts, query_page, as_json=as_json)
