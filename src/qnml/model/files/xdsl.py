"""XDSL, the XML format of GeNIe and SMILE: networks of chance nodes.

Names and states are identifiers in XDSL. Those that are not are replaced, and the originals are kept in an extension
of our own, ``<extensions><qnml>``, which other programs ignore; so are annotations that have no other place, and the
order of the variables if parents do not come first. User properties of a node are annotations of the form
``key = value``, and GeNIe's layout and style of a node is kept as verbatim XML. GeNIe's extension is always written,
since not every program reads a file without it.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING

from qnml.errors import QnmlError
from qnml.graph.masks import child_masks, topological_order
from qnml.model.files.assemble import of_variable, texts
from qnml.model.files.identifiers import IDENTIFIER, identifiers
from qnml.model.files.number_table import number_rows
from qnml.model.files.preparation_text import network_texts
from qnml.model.files.reading import Reading
from qnml.model.files.xdsl_looks import filled_looks, is_xml
from qnml.model.files.xdsl_reader import XdslReader
from qnml.model.files.xml_tree import XmlElement, attribute_text, comment_lines, content_text, parse_xml, xml_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from qnml.model.network import Network

__all__ = ["read_xdsl", "write_xdsl"]

_USER_PROPERTY = re.compile(r"([A-Za-z]\w*+) = (.*)", re.DOTALL)


def read_xdsl(text: str, source: str = "XDSL text", reading: Reading | None = None) -> Network:
    """Build a network from the text of an XDSL file.

    Deterministic nodes become tables of zeros and ones, noisy-MAX nodes are expanded to tables; other kinds of nodes
    are errors.

    Parameters
    ----------
    text
        The content.
    source
        The file it came from, for error messages.
    reading
        The record of this read; a new one by default.

    Raises
    ------
    FileFormatError
        With line and column, if the text is not a complete and consistent network of chance nodes.
    """
    return XdslReader(text, reading or Reading(source)).read()


def write_xdsl(net: Network) -> str:
    """Return the text of an XDSL file; numbers are written so that they read back to the last bit."""
    return "".join(_Writer(net).lines())


class _Writer:
    def __init__(self, net: Network) -> None:
        self._net = net
        self._properties = net.properties
        self._keys = identifiers(net.names, IDENTIFIER, "x")
        self._genie_nodes: list[str] = []
        self._own_nodes: list[str] = []

    def lines(self) -> Iterator[str]:
        net = self._net
        name = str(self._properties.get("name", "unknown"))
        key = identifiers([name], IDENTIFIER, "x")[name]
        yield '<?xml version="1.0" encoding="UTF-8"?>\n'
        yield from comment_lines(texts(self._properties.get("comments")))
        yield f'<smile version="1.0" id="{key}" numsamples="10000">\n  <nodes>\n'
        # Parents first, as SMILE requires.
        order = _parents_first(net)
        for place, node in enumerate(order):
            yield from self._node(node, place)
        yield "  </nodes>\n"
        others = network_texts(net, "json")
        genie = [place for place, text in enumerate(others) if _is_element(text, "genie")]
        shown = attribute_text(name if is_xml(name) else key)
        opening = f'<genie version="1.0" app="qnml" name="{shown}"'
        if genie:
            opening = others.pop(genie[0]).removesuffix("/>").rstrip()
        own = [] if key == name else [f"<name>{_json(name)}</name>"]
        if order != list(net.names):
            own.append(f"<order>{_json([self._keys[name] for name in net.names])}</order>")
        own += [f"<property>{_json(text)}</property>" for text in others]
        yield from self._extensions(opening, own)
        yield "</smile>\n"

    def _node(self, name: str, place: int) -> Iterator[str]:
        net, key = self._net, self._keys[name]
        labels = [str(label) for label in net.levels[name]]
        states = identifiers(labels, IDENTIFIER, "s")
        yield f'    <cpt id="{key}">\n'
        yield from (f'      <state id="{states[label]}" />\n' for label in labels)
        if net.dag.parents(name):
            yield f"      <parents>{' '.join(self._keys[parent] for parent in net.dag.parents(name))}</parents>\n"
        rows = " ".join(" ".join(row) for row in number_rows(net, name))
        yield f"      <probabilities>{rows}</probabilities>\n"
        own = [] if key == name else [f"<name>{_json(name)}</name>"]
        if list(states.values()) != labels:
            own.append(f"<states>{_json(labels)}</states>")
        genie = []
        used: set[str] = set()
        for text in of_variable(self._properties, "variables", name):
            match = _USER_PROPERTY.fullmatch(text)
            if _is_element(text):
                genie.append(text)
            elif match and match[1] not in used and is_xml(text):
                used.add(match[1])
                yield f'      <property id="{attribute_text(match[1])}">{content_text(match[2])}</property>\n'
            else:
                own.append(f"<property>{_json(text)}</property>")
        own += [
            f"<probability>{_json(text)}</probability>" for text in of_variable(self._properties, "probabilities", name)
        ]
        yield "    </cpt>\n"
        self._genie_nodes += _extension_node(key, filled_looks(genie, name, key, place))
        self._own_nodes += _extension_node(key, own)

    def _extensions(self, opening: str, own: list[str]) -> Iterator[str]:
        yield f"  <extensions>\n    {opening}>\n"
        yield from (f"      {line}\n" for line in self._genie_nodes)
        yield "    </genie>\n"
        if own or self._own_nodes:
            yield '    <qnml version="1">\n'
            yield from (f"      {line}\n" for line in (*own, *self._own_nodes))
            yield "    </qnml>\n"
        yield "  </extensions>\n"


def _extension_node(key: str, inside: Sequence[str]) -> list[str]:
    return [f'<node id="{key}">', *(f"  {line}" for line in inside), "</node>"] if inside else []


def _parents_first(net: Network) -> list[str]:
    masks = net.dag.parent_masks
    return [net.names[i] for i in topological_order(masks, child_masks(masks))]


def _json(value: object) -> str:
    # ASCII only: JSON escapes can represent characters that XML cannot.
    return content_text(json.dumps(value))


def _is_element(text: str, tag: str | None = None) -> bool:
    """Whether a text is an element exactly as we would write it, so that it reads back the same."""
    if not text.startswith("<"):
        return False
    try:
        element, comments = parse_xml(text, Reading("annotation", math.inf))
    except QnmlError:
        return False
    if tag is None and element.tag == "genie":
        return False
    return not comments and xml_text(element) == text and (tag is None or (element.tag == tag and not _inside(element)))


def _inside(element: XmlElement) -> bool:
    return bool(element.children or element.text)
