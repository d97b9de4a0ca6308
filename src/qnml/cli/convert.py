"""``qnml convert``: conversion of a network from one file format to another."""

import warnings
from pathlib import Path
from typing import Annotated, Any

import typer

import qnml
from qnml.cli.network_source import NETWORK_NAMES, is_named
from qnml.cli.options import AsJson, MemoryLimit, in_bytes
from qnml.cli.result_files import refuse_overwriting
from qnml.cli.show import show
from qnml.errors import InputError, bad_argument, unknown_name
from qnml.model import NETWORK_FORMATS, STRUCTURE_FORMATS
from qnml.model.files.formats import ending_of
from qnml.reports import convert_facts, convert_page

__all__ = ["convert"]

_STRUCTURE_ENDINGS = {ending: one.name for one in STRUCTURE_FORMATS.values() for ending in one.endings}
_NETWORK_ENDINGS = {ending: one.name for one in NETWORK_FORMATS.values() for ending in one.endings}
_ADVICE = "qnml learn estimates them from data; a structure can go to .dot, .graphml, .dagitty or .txt."
_FORMATS = (*NETWORK_FORMATS, *STRUCTURE_FORMATS)


def convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            help="A network file: .bif, .json, .xmlbif (.bifxml, .xml), .net, .dsc, .xdsl, .uai, also with .gz; "
            f"{NETWORK_NAMES}; or a structure: .txt, or a text such as '[A][B|A]'.",
        ),
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="OUT", help="The file to write: one of these, or .dot, .graphml, .dagitty, .txt (structure only)."
        ),
    ],
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="FORMAT", help=f"Format of OUT, whatever its ending: {', '.join(_FORMATS)}."),
    ] = None,
    source_format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="Format of IN, whatever its ending.")
    ] = None,
    names: Annotated[
        str,
        typer.Option(
            "--names",
            metavar="identifiers|titles",
            help="What variables of .xdsl, .net and .dsc files are called: by their identifiers or, where they have "
            "one, by their title.",
        ),
    ] = "identifiers",
    memory: MemoryLimit = None,
    as_json: AsJson = False,
) -> None:
    """Convert a network to another file format.

    Probabilities are kept to the last bit. A name that a format does not take is written as one it does, together with
    the name as it was, which converting back restores; only .uai has no names.

    \b
    Examples:
      qnml convert asia.bif asia.xdsl
      qnml convert munin.bif.gz munin.net.gz --json
      qnml convert asia.bif asia.gv --to dot
    """
    if to is not None and to not in _FORMATS:
        raise unknown_name("convert", "to", to, _FORMATS)
    chosen = to or _STRUCTURE_ENDINGS.get(ending_of(target)) or _NETWORK_ENDINGS.get(ending_of(target))
    if chosen is None:
        known = ", ".join((*_NETWORK_ENDINGS, *_STRUCTURE_ENDINGS))
        allowed = f"a file name ending in one of {known}, or one of these with .gz"
        raise bad_argument("convert", "OUT", target, allowed, "Or say --to FORMAT.")
    refuse_overwriting("convert", {"OUT": [target]}, [source])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        network, dag, read_as = _read(source, source_format, names, in_bytes(memory))
    notes = [str(one.message) for one in caught]
    if chosen in STRUCTURE_FORMATS:
        qnml.write_structure(dag if network is None else network, target, chosen)
    elif network is None:
        raise InputError(f"convert: {source} has no probabilities, and {target} needs them. {_ADVICE}")
    else:
        qnml.write_network(network, target, chosen)
        notes += _losses(network, chosen)
    facts = convert_facts(
        (source, read_as, dag, network),
        (target, chosen, Path(target).stat().st_size),
        holds="structure" if chosen in STRUCTURE_FORMATS else "network",
        notes=notes,
    )
    show("convert", facts, convert_page, as_json=as_json)


def _read(
    source: str, source_format: str | None, names: Any, memory_limit: float | None
) -> tuple[qnml.Network | None, qnml.Dag, str]:
    is_structure = source.lstrip().startswith("[") or ending_of(source) == ".txt"
    if source_format == "modelstring" or (source_format is None and is_structure):
        return None, qnml.read_structure(source, memory_limit=memory_limit)[0], "modelstring"
    if source_format is None and is_named("convert", source):
        network = qnml.datasets.load_network(source, memory_limit=memory_limit)
        return network, network.dag, "by name"
    network = qnml.read_network(source, source_format, names=names, memory_limit=memory_limit)
    return network, network.dag, source_format or _NETWORK_ENDINGS[ending_of(source)]


def _losses(network: qnml.Network, name: str) -> list[str]:
    loses = NETWORK_FORMATS[name].loses
    if name == "uai":
        return [f"The format {name} does not hold {loses}."]
    notes = []
    if network.mpdag is not None and network.mpdag.undirected and name != "json":
        notes.append(
            f"The format {name} does not hold which directions data cannot tell: whoever reads it takes the arcs at "
            "their word."
        )
    others = any(not isinstance(label, str) for labels in network.levels.values() for label in labels)
    return [*notes, f"The format {name} does not hold {loses}."] if loses and others else notes
