"""``qnml query``: exact probabilities of some variables given others."""

from typing import Annotated, Any

import typer

from qnml.cli.directions import OnUnidentified, told_of_directions
from qnml.cli.network_source import ModelSource, opened_network
from qnml.cli.options import AsJson, MemoryLimit, in_bytes
from qnml.cli.parse_evidence import parsed_evidence, parsed_likelihoods, parsed_names, parsed_settings
from qnml.cli.show import show
from qnml.errors import InputError
from qnml.reports import (
    marginals_facts,
    marginals_page,
    mpe_facts,
    mpe_page,
    next_facts,
    next_page,
    query_facts,
    query_page,
)

__all__ = ["query"]


def query(
    network: ModelSource,
    target: Annotated[
        list[str] | None,
        typer.Option("--target", metavar="NAMES", help="Query variables; their joint distribution if several."),
    ] = None,
    evidence: Annotated[
        list[str] | None,
        typer.Option(
            "--evidence",
            metavar="NAME=LABEL",
            help="Observed labels or raw values, separated by commas; NAME=A|B is one of several, NAME!=A any other.",
        ),
    ] = None,
    likelihood: Annotated[
        list[str] | None,
        typer.Option(
            "--likelihood",
            metavar="NAME:LABEL=NUMBER",
            help="Uncertain evidence: the probability of what was observed under each level, separated by commas.",
        ),
    ] = None,
    do: Annotated[
        list[str] | None,
        typer.Option("--do", metavar="NAME=LABEL", help="Interventions, separated by commas."),
    ] = None,
    on_unidentified: OnUnidentified = "warn",
    marginals: Annotated[
        bool, typer.Option("--marginals", help="The distribution of every variable, or of each target.")
    ] = False,
    mpe: Annotated[
        bool, typer.Option("--mpe", help="The most probable labels of all variables, or of the targets.")
    ] = False,
    best: Annotated[int, typer.Option("--best", metavar="K", help="With --mpe: the K most probable ones.")] = 1,
    look: Annotated[
        str | None,
        typer.Option("--next", metavar="NAME", help="Which variable to look at next to learn about this one."),
    ] = None,
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
      qnml query asia.bif --marginals --likelihood xray:yes=0.8,no=0.2
      qnml query asia.bif --mpe --evidence dysp=yes --best 3 --json
      qnml query asia.bif --next lung --evidence dysp=yes
    """
    chosen = [flag for flag, is_on in (("--marginals", marginals), ("--mpe", mpe), ("--next", look)) if is_on]
    if len(chosen) > 1 or (look and target) or not (chosen or target):
        raise InputError(
            "query: say what is asked by --target NAMES, --marginals, --mpe or --next NAME. Of these, --target goes "
            "with --marginals or --mpe only, and no others go together."
        )
    if best != 1 and not mpe:
        raise InputError("query --best: ranks explanations, so it needs --mpe.")
    net = opened_network("query", network, memory)
    seen = parsed_evidence(net, "--evidence", evidence or [])
    soft = parsed_likelihoods(net, likelihood or [])
    forced = parsed_settings(net, "--do", do or [])
    asked = parsed_names(net, target) if target else None
    common: dict[str, Any] = {"likelihood": soft, "on_unidentified": on_unidentified, "memory_limit": in_bytes(memory)}
    given = (seen, forced)
    with told_of_directions() as told:
        said: dict[str, Any] = {"likelihood": soft, "warnings": told}
        if mpe:
            ranked = net.k_most_probable(best, *given, targets=asked, **common)
            weight = net.log_evidence(*given, **{**common, "on_unidentified": "ignore"})
        elif marginals:
            every = net.marginals(*given, targets=asked, **common)
        elif look:
            informative = net.value_of_information(look, *given, **common)
        else:
            answer = net.query(asked or [], *given, **common)
    if mpe:
        show("query", mpe_facts(net, network, ranked, weight, *given, **said), mpe_page, as_json=as_json)
    elif marginals:
        show("query", marginals_facts(net, network, every, *given, **said), marginals_page, as_json=as_json)
    elif look:
        show("query", next_facts(net, network, look, informative, *given, **said), next_page, as_json=as_json)
    else:
        show("query", query_facts(net, network, answer, *given, **said), query_page, as_json=as_json)
