"""XMLBIF 0.3, the XML form of the interchange format, used by JavaBayes, Weka and pyAgrum (.bifxml).

Names and states are free text. If blanks begin or end a name, ``xml:space="preserve"`` says that they belong to it;
without it they are layout. Characters that XML does not allow (control characters) cannot be written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from qnml.errors import FileFormatError
from qnml.model.files.assemble import gathered, of_variable, texts
from qnml.model.files.number_table import number_rows, read_table
from qnml.model.files.preparation_text import assemble_annotated, network_texts
from qnml.model.files.reading import Reading
from qnml.model.files.xml_tree import XmlElement, comment_lines, content_text, parse_xml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from qnml._types import FloatArray
    from qnml.model.network import Network
    from qnml.model.tables import SparseTable

__all__ = ["read_xmlbif", "write_xmlbif"]


def read_xmlbif(text: str, source: str = "XMLBIF text", reading: Reading | None = None) -> Network:
    """Build a network from the text of an XMLBIF file.

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
        With line and column, if the text is not a complete and consistent network.
    """
    return _XmlbifReader(text, reading or Reading(source)).read()


class _XmlbifReader:
    def __init__(self, text: str, reading: Reading) -> None:
        self._reading = reading
        self._root, self._comments = parse_xml(text, reading, upper=True)
        self._levels: dict[str, tuple[str, ...]] = {}
        self._parents: dict[str, tuple[str, ...]] = {}
        self._tables: dict[str, FloatArray | SparseTable] = {}
        self._definitions: dict[str, XmlElement] = {}
        self._of_variables: dict[str, list[str]] = {}
        self._of_definitions: dict[str, list[str]] = {}

    def read(self) -> Network:
        if self._root.tag != "BIF":
            self._fail(f"expected the element <BIF> and found <{self._root.tag}>", self._root)
        network = self._only(self._root, "NETWORK")
        variables = {}
        for element in network.all("VARIABLE"):
            variables[self._variable(element)] = element
        if not variables:
            self._fail("no <VARIABLE> in the file", network)
        for element in network.all("DEFINITION"):
            self._definition(element)
        for name, element in variables.items():
            if name not in self._definitions:
                self._fail(f"the variable {name!r} has no <DEFINITION>", element)
        names = [_name(element) for element in network.all("NAME")]
        return assemble_annotated(
            self._reading,
            self._levels,
            self._parents,
            self._tables,
            gathered(
                names[0] if names else None,
                self._comments,
                _properties(network),
                self._of_variables,
                self._of_definitions,
            ),
            lambda name: (self._definitions[name].line, self._definitions[name].column),
        )

    def _variable(self, element: XmlElement) -> str:
        kind = element.attributes.get("TYPE", "nature")
        if kind != "nature":
            self._fail(f"a variable of type {kind[:40]!r}; only those of type 'nature' are supported", element)
        name = _name(self._only(element, "NAME"))
        if not name or name in self._levels:
            self._fail(f"the variable {name!r} is declared twice" if name else "a variable without a name", element)
        labels: dict[str, None] = {}
        for outcome in element.all("OUTCOME"):
            if _name(outcome) in labels:
                self._fail(f"the state {_name(outcome)!r} of {name!r} is listed twice", outcome)
            labels[_name(outcome)] = None
        if not labels:
            self._fail(f"the variable {name!r} has no <OUTCOME>", element)
        self._levels[name] = tuple(labels)
        self._of_variables[name] = _properties(element)
        return name

    def _definition(self, element: XmlElement) -> None:
        child = self._known(self._only(element, "FOR"))
        if child in self._definitions:
            self._fail(f"the variable {child!r} has two definitions", element)
        given: list[str] = []
        for condition in element.all("GIVEN"):
            parent = self._known(condition)
            if parent == child or parent in given:
                self._fail(f"the variable {parent!r} is named twice", condition)
            given.append(parent)
        table = self._only(element, "TABLE")
        sizes = [len(self._levels[name]) for name in (*given, child)]

        def fail(problem: str, offset: int) -> NoReturn:
            raise FileFormatError(self._reading.source, problem, *table.place(offset))

        self._tables[child] = read_table(table.text, sizes, child, self._reading, lambda: table.line, fail)
        self._parents[child] = tuple(given)
        self._definitions[child] = element
        self._of_definitions[child] = _properties(element)

    def _known(self, element: XmlElement) -> str:
        name = _name(element)
        if name not in self._levels:
            self._fail(f"the variable {name[:40]!r} is not declared in this file", element)
        return name

    def _only(self, element: XmlElement, tag: str) -> XmlElement:
        found = list(element.all(tag))
        if len(found) != 1:
            self._fail(f"expected one <{tag}> in <{element.tag}> and found {len(found)}", (found or [element])[-1])
        return found[0]

    def _fail(self, problem: str, element: XmlElement) -> NoReturn:
        raise FileFormatError(self._reading.source, problem, element.line, element.column)


def _name(element: XmlElement) -> str:
    kept = element.attributes.get("xml:space") == "preserve"
    return element.text if kept else element.text.strip(" \t\r\n")


def _properties(element: XmlElement) -> list[str]:
    return [_name(inside) for inside in element.all("PROPERTY")]


def write_xmlbif(net: Network) -> str:
    """Return the text of an XMLBIF file; numbers are written so that they read back to the last bit."""
    return "".join(_lines(net))


def _lines(net: Network) -> Iterator[str]:
    properties = net.properties
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield from comment_lines(texts(properties.get("comments")))
    # No document type: pyAgrum does not read files with one.
    yield '<BIF VERSION="0.3">\n<NETWORK>\n'
    yield _element("NAME", str(properties.get("name", "unknown")), "")
    yield from _property_lines(network_texts(net, "json"), "")
    for name in net.names:
        yield '<VARIABLE TYPE="nature">\n'
        yield _element("NAME", name)
        yield from (_element("OUTCOME", str(label)) for label in net.levels[name])
        yield from _property_lines(of_variable(properties, "variables", name))
        yield "</VARIABLE>\n"
    for name in net.names:
        yield "<DEFINITION>\n"
        yield _element("FOR", name)
        yield from (_element("GIVEN", parent) for parent in net.dag.parents(name))
        yield "  <TABLE>\n"
        yield from (f"    {' '.join(row)}\n" for row in number_rows(net, name))
        yield "  </TABLE>\n"
        yield from _property_lines(of_variable(properties, "probabilities", name))
        yield "</DEFINITION>\n"
    yield "</NETWORK>\n</BIF>\n"


def _property_lines(given: list[str], indent: str = "  ") -> Iterator[str]:
    return (_element("PROPERTY", text, indent) for text in given)


def _element(tag: str, text: str, indent: str = "  ") -> str:
    kept = ' xml:space="preserve"' if text != text.strip(" \t\r\n") else ""
    return f"{indent}<{tag}{kept}>{content_text(text)}</{tag}>\n"
