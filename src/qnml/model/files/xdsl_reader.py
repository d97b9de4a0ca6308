"""Reading XDSL, the XML of GeNIe and SMILE."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from qnml.errors import FileFormatError
from qnml.model.files.assemble import assemble_network, gathered
from qnml.model.files.number_table import check_size, read_table
from qnml.model.files.xdsl_looks import own_looks
from qnml.model.files.xml_tree import XmlElement, parse_xml, xml_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from qnml._types import FloatArray
    from qnml.model.network import Network

__all__ = ["XdslReader"]

_BLANKS = " \t\r\n"


class XdslReader:
    """One document."""

    def __init__(self, text: str, source: str) -> None:
        self._source = source
        self._root, self._comments = parse_xml(text, source)
        self._nodes: dict[str, XmlElement] = {}
        self._states: dict[str, list[str]] = {}
        self._names: dict[str, str] = {}
        self._labels: dict[str, tuple[str, ...]] = {}
        self._properties: list[str] = []
        self._of_variables: dict[str, list[str]] = {}
        self._user: dict[str, list[str]] = {}
        self._looks: dict[str, list[str]] = {}
        self._of_probabilities: dict[str, list[str]] = {}
        self._order: list[str] = []

    def read(self) -> Network:
        """Read the whole document."""
        if self._root.tag != "smile":
            self._fail(f"expected the element <smile> and found <{self._root.tag[:40]}>", self._root)
        for nodes in self._root.all("nodes"):
            for element in nodes.children:
                self._node(element)
        if not self._nodes:
            self._fail("no node in the file", self._root)
        name = self._extensions(self._root.attributes.get("id", ""))
        parents = {key: self._parents(key) for key in self._nodes}
        tables = {self._names[key]: self._table(key, parents[key]) for key in self._nodes}
        back = {name: key for key, name in self._names.items()}
        return assemble_network(
            self._source,
            {self._names[key]: self._labels[key] for key in self._order or self._nodes},
            {self._names[key]: tuple(self._names[parent] for parent in parents[key]) for key in self._nodes},
            tables,
            gathered(
                name,
                self._comments,
                self._properties,
                self._named(self._user, self._looks, self._of_variables),
                self._named(self._of_probabilities),
            ),
            lambda name: (self._nodes[back[name]].line, self._nodes[back[name]].column),
        )

    def _named(self, *kinds: dict[str, list[str]]) -> dict[str, list[str]]:
        keys = self._order or self._nodes
        return {self._names[key]: [text for kind in kinds for text in kind.get(key, ())] for key in keys}

    def _node(self, element: XmlElement) -> None:
        if element.tag not in ("cpt", "deterministic"):
            self._fail(f"a node of kind <{element.tag[:40]}>; only <cpt> and <deterministic> are supported", element)
        key = element.attributes.get("id", "")
        if key in self._nodes:
            self._fail(f"the node {key[:40]!r} is declared twice", element)
        if key.split() != [key]:
            self._fail(f"expected an identifier as 'id' and found {key[:40]!r}", element)
        states: dict[str, None] = {}
        for state in element.all("state"):
            label = state.attributes.get("id")
            if label is None:
                self._fail("a <state> without 'id'", state)
            if label in states:
                self._fail(f"the state {label!r} of {key!r} is listed twice", state)
            states[label] = None
        if not states:
            self._fail(f"the node {key!r} has no <state>", element)
        self._nodes[key] = element
        self._states[key] = list(states)
        self._names[key] = key
        self._labels[key] = tuple(states)
        self._user[key] = [f"{inside.attributes.get('id', '')} = {inside.text}" for inside in element.all("property")]

    # --- extensions

    def _extensions(self, name: str) -> str:
        every = [element for extensions in self._root.all("extensions") for element in extensions.children]
        for own in every:
            if own.tag == "qnml":
                name = self._own(own, name)
        if len(set(self._names.values())) < len(self._names):
            self._fail("two nodes have the same name", self._root)
        places = {key: place for place, key in enumerate(self._nodes)}
        for genie in every:
            if genie.tag != "genie":
                continue
            if genie.attributes.get("app") != "qnml":
                self._properties.insert(0, xml_text(XmlElement("genie", genie.attributes, genie.line, genie.column)))
            for node in _nodes_within(genie):
                key = node.attributes.get("id", "")
                if key in places:
                    looks = list(map(xml_text, node.children))
                    self._looks[key] = own_looks(looks, self._names[key], key, places[key])
        return name

    def _own(self, own: XmlElement, name: str) -> str:
        for element in own.children:
            if element.tag == "name":
                name = self._json(element, str)
            elif element.tag == "property":
                self._properties.append(self._json(element, str))
            elif element.tag == "order":
                self._order = self._json(element, list)
                if sorted(map(str, self._order)) != sorted(self._nodes):
                    self._fail("expected the identifiers of all nodes", element)
            elif element.tag == "node":
                key = element.attributes.get("id", "")
                if key not in self._nodes:
                    self._fail(f"the node {key[:40]!r} is not declared in this file", element)
                for inside in element.children:
                    self._own_node(key, inside)
        return name

    def _own_node(self, key: str, element: XmlElement) -> None:
        if element.tag == "name":
            self._names[key] = self._json(element, str)
        elif element.tag == "states":
            labels = self._json(element, list)
            if len(labels) != len(self._states[key]) or not all(isinstance(label, str) for label in labels):
                self._fail(f"expected the {len(self._states[key])} labels of {key!r}", element)
            self._labels[key] = tuple(labels)
        elif element.tag == "property":
            self._of_variables.setdefault(key, []).append(self._json(element, str))
        elif element.tag == "probability":
            self._of_probabilities.setdefault(key, []).append(self._json(element, str))

    def _json(self, element: XmlElement, kind: type) -> Any:
        try:
            value = json.loads(element.text)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, kind):
            self._fail(f"expected JSON text of a {kind.__name__} in <{element.tag}>", element)
        return value

    # --- distributions

    def _parents(self, key: str) -> list[str]:
        element = self._only(key, "parents", needed=False)
        words = element.text.strip(_BLANKS).split() if element is not None else []
        for i, word in enumerate(words):
            assert element is not None
            if word not in self._nodes:
                self._fail(f"the node {word[:40]!r} is not declared in this file", element)
            if word == key or word in words[:i]:
                self._fail(f"the node {word!r} cannot be a parent here, or is named twice", element)
        return words

    def _table(self, key: str, parents: list[str]) -> FloatArray:
        sizes = [len(self._states[name]) for name in (*parents, key)]
        if self._nodes[key].tag == "deterministic":
            return self._deterministic(key, sizes)
        numbers = self._only(key, "probabilities")
        assert numbers is not None

        def fail(problem: str, offset: int) -> NoReturn:
            raise FileFormatError(self._source, problem, *numbers.place(offset))

        return read_table(numbers.text, sizes, key, fail)

    def _deterministic(self, key: str, sizes: list[int]) -> FloatArray:
        element = self._only(key, "resultingstates")
        assert element is not None
        check_size(self._source, element.line, key, sizes)
        words = element.text.split()
        rows = int(np.prod(sizes[:-1], dtype=np.int64))
        if len(words) != rows:
            self._fail(f"{key!r} needs {rows} states here, {len(words)} are given", element)
        table = np.zeros((rows, sizes[-1]))
        codes = {state: code for code, state in enumerate(self._states[key])}
        for row, word in enumerate(words):
            if word not in codes:
                self._fail(f"{word[:40]!r} is not a state of {key!r}", element)
            table[row, codes[word]] = 1.0
        return table.reshape(sizes)

    def _only(self, key: str, tag: str, *, needed: bool = True) -> XmlElement | None:
        found = list(self._nodes[key].all(tag))
        if len(found) > 1 or (needed and not found):
            self._fail(f"expected one <{tag}> for {key!r} and found {len(found)}", (found or [self._nodes[key]])[-1])
        return found[0] if found else None

    def _fail(self, problem: str, element: XmlElement) -> NoReturn:
        raise FileFormatError(self._source, problem, element.line, element.column)


def _nodes_within(element: XmlElement) -> Iterator[XmlElement]:
    # Submodels may hold others, and nodes.
    for inside in element.children:
        if inside.tag == "node":
            yield inside
        elif inside.tag == "submodel":
            yield from _nodes_within(inside)
