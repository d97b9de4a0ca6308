"""Reading XDSL, the XML format of GeNIe and SMILE."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from qnml.errors import FileFormatError
from qnml.model.files.assemble import gathered
from qnml.model.files.noisy_max import noisy_max_table
from qnml.model.files.number_table import ROUNDING, read_rows, read_table, rescale_rounded
from qnml.model.files.preparation_text import assemble_annotated
from qnml.model.files.xdsl_looks import own_looks
from qnml.model.files.xml_tree import XmlElement, parse_xml, xml_text
from qnml.model.tables import magnitude

if TYPE_CHECKING:
    from collections.abc import Iterator

    from qnml._types import FloatArray
    from qnml.model.files.reading import Reading
    from qnml.model.network import Network
    from qnml.model.tables import SparseTable

__all__ = ["XdslReader"]

_KINDS = ("cpt", "deterministic", "noisymax")
_BLANKS = " \t\r\n"


class XdslReader:
    """A reader of one document."""

    def __init__(self, text: str, reading: Reading) -> None:
        self._reading = reading
        self._root, self._comments = parse_xml(text, reading)
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
        tables: dict[str, FloatArray | SparseTable] = {}
        for key in self._nodes:
            tables[self._names[key]] = self._table(key, parents[key])
        back = {name: key for key, name in self._names.items()}
        return assemble_annotated(
            self._reading,
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
        if element.tag not in _KINDS:
            known = ", ".join(f"<{kind}>" for kind in _KINDS)
            self._fail(f"a node of kind <{element.tag[:40]}>; supported are {known}", element)
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
        if self._reading.wants_titles:
            self._take_titles(every)
        for own in every:
            if own.tag == "qnml":
                name = self._own(own, name)
        owner: dict[str, str] = {}
        for key, shown in self._names.items():
            if shown in owner:
                self._fail(f"the nodes {owner[shown]!r} and {key!r} have the same name {shown!r}", self._nodes[key])
            owner[shown] = key
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

    def _take_titles(self, extensions: list[XmlElement]) -> None:
        for genie in extensions:
            for node in _nodes_within(genie) if genie.tag == "genie" else ():
                key = node.attributes.get("id", "")
                title = next((inside.text.strip() for inside in node.all("name")), "")
                if key in self._nodes and title:
                    self._names[key] = title

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
        seen = {key}
        for word in words:
            assert element is not None
            if word not in self._nodes:
                self._fail(f"the node {word[:40]!r} is not declared in this file", element)
            if word in seen:
                self._fail(f"the node {word!r} cannot be a parent here, or is named twice", element)
            seen.add(word)
        return words

    def _table(self, key: str, parents: list[str]) -> FloatArray | SparseTable:
        sizes = [len(self._states[name]) for name in (*parents, key)]
        if self._nodes[key].tag == "deterministic":
            return self._deterministic(key, sizes)
        if self._nodes[key].tag == "noisymax":
            return self._noisy_max(key, sizes)
        numbers = self._only(key, "probabilities")
        assert numbers is not None

        def fail(problem: str, offset: int) -> NoReturn:
            raise FileFormatError(self._reading.source, problem, *numbers.place(offset))

        return read_table(numbers.text, sizes, key, self._reading, lambda: numbers.line, fail)

    def _deterministic(self, key: str, sizes: list[int]) -> FloatArray:
        element = self._only(key, "resultingstates")
        assert element is not None
        words = element.text.split()
        rows = math.prod(sizes[:-1])
        if len(words) != rows:
            self._fail(f"{key!r} needs {magnitude(rows)} states here, {len(words)} are given", element)
        self._reading.hold_table(key, sizes, lambda: element.line)
        table = np.zeros((rows, sizes[-1]))
        codes = {state: code for code, state in enumerate(self._states[key])}
        for row, word in enumerate(words):
            if word not in codes:
                self._fail(f"{word[:40]!r} is not a state of {key!r}", element)
            table[row, codes[word]] = 1.0
        return table.reshape(sizes)

    def _noisy_max(self, key: str, sizes: list[int]) -> FloatArray:
        """Expand a noisy-MAX: distributions for the states of each parent, strongest first, and then a leak."""
        element = self._only(key, "parameters")
        assert element is not None

        def fail(problem: str, offset: int) -> NoReturn:
            raise FileFormatError(self._reading.source, problem, *element.place(offset))

        *above, arity = sizes
        line = element.line
        given = read_rows(element.text, sum(above) + 1, arity, key, self._reading, lambda: line, fail)
        rescale_rounded(given, self._reading, lambda: line)
        strengths = self._strengths(key, above)
        causes = []
        start = 0
        for size, order in zip(above, strengths, strict=True):
            by_strength = given[start : start + size]
            if by_strength[-1, -1] < 1.0 - ROUNDING:
                self._fail(
                    f"the weakest state of a parent of {key!r} has an effect, which a noisy-MAX rules out", element
                )
            cause = np.empty((size, arity))
            cause[order] = by_strength
            causes.append(cause)
            start += size
        self._reading.hold_table(key, sizes, lambda: line)
        return noisy_max_table(causes, given[-1])

    def _strengths(self, key: str, above: list[int]) -> list[list[int]]:
        """For each parent the codes of its states, strongest first; as declared if the file does not list them."""
        element = self._only(key, "strengths", needed=False)
        if element is None:
            return [list(range(size)) for size in above]
        words = element.text.split()
        found = []
        start = 0
        for size in above:
            order = [int(word) if word.isascii() and word.isdigit() else -1 for word in words[start : start + size]]
            if sorted(order) != list(range(size)):
                break
            found.append(order)
            start += size
        if len(found) < len(above) or start != len(words):
            self._fail(f"expected for each parent of {key!r} the numbers of its states, each once", element)
        return found

    def _only(self, key: str, tag: str, *, needed: bool = True) -> XmlElement | None:
        found = list(self._nodes[key].all(tag))
        if len(found) > 1 or (needed and not found):
            self._fail(f"expected one <{tag}> for {key!r} and found {len(found)}", (found or [self._nodes[key]])[-1])
        return found[0] if found else None

    def _fail(self, problem: str, element: XmlElement) -> NoReturn:
        raise FileFormatError(self._reading.source, problem, element.line, element.column)


def _nodes_within(element: XmlElement) -> Iterator[XmlElement]:
    # Submodels may contain nodes and further submodels.
    for inside in element.children:
        if inside.tag == "node":
            yield inside
        elif inside.tag == "submodel":
            yield from _nodes_within(inside)
