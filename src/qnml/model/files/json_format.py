"""qnml's own network file: versioned JSON, exact to the last bit; ``network.schema.json`` describes it.

Version 1 has dense tables only. Version 2 adds the tables of estimated networks: they list the observed
configurations with their counts, and the file names the rule that estimated the probabilities. Version 3 adds the
preparation: what was done to the columns of the data. Version 4 adds the class that a network was learned in, as its
arcs that neither data nor knowledge direct. A network is written in the oldest version that can represent it.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from qnml.errors import FileFormatError, InputError, bad_argument
from qnml.model.files.assemble import assemble_network, line_and_column
from qnml.model.files.preparation_text import checked_document, damaged_entry
from qnml.model.files.reading import Reading
from qnml.model.network import ROW_SUM_TOLERANCE
from qnml.model.parameters import RULES, Parameters
from qnml.model.tables import SparseTable, magnitude

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from qnml._types import FloatArray, Label
    from qnml.data import Preparation
    from qnml.model.network import Network

__all__ = ["FORMAT", "VERSION", "read_json", "write_json"]

FORMAT = "qnml-network"
VERSION = 4

_DOCUMENT_KEYS = {
    1: ("format", "version", "properties", "variables"),
    2: ("format", "version", "properties", "parameters", "variables"),
    3: ("format", "version", "properties", "parameters", "preparation", "variables"),
    4: ("format", "version", "properties", "parameters", "preparation", "undirected", "variables"),
}
_VARIABLE_KEYS = ("name", "levels", "parents")
_SPARSE_KEYS = ("configurations", "probabilities", "unseen", "counts")
_BYTES_PER_VALUE = 64  # a number or a list of the parser, and its entry in the list that contains it
_WHITESPACE = " \t\n\r"


def read_json(text: str, source: str = "JSON text", reading: Reading | None = None) -> Network:
    """Build a network from the text of a qnml JSON file.

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
    return _JsonReader(text, reading or Reading(source)).read()


def write_json(net: Network) -> str:
    """Return the text of a qnml JSON file: a line per distribution, numbers that read back to the last bit."""
    return "".join(_pieces(net))


def _pieces(net: Network) -> Iterator[str]:
    dense = net.parameters is None and not any(isinstance(net.conditional(name), SparseTable) for name in net.names)
    version = 4 if net.mpdag is not None else 3 if net.preparation is not None else 1 if dense else 2
    yield f'{{\n  "format": {_dumps(FORMAT)},\n  "version": {version},\n'
    properties = net.properties
    if properties:
        try:
            text = json.dumps(properties, indent=2, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise bad_argument(
                "write_network",
                "net.properties",
                properties,
                "text, numbers, lists and dictionaries only",
            ) from error
        yield '  "properties": ' + text.replace("\n", "\n  ") + ",\n"
    if net.parameters is not None:
        made = {"rule": net.parameters.rule, "options": dict(net.parameters.options)}
        yield f'  "parameters": {_dumps(made)},\n'
    if net.preparation is not None:
        yield from _preparation_pieces(net.preparation.to_dict())
    if net.mpdag is not None:
        yield f'  "undirected": {_lines([list(edge) for edge in net.mpdag.undirected], "    ")},\n'
    yield '  "variables": [\n'
    for i, name in enumerate(net.names):
        yield f'    {{\n      "name": {_dumps(name)},\n'
        yield f'      "levels": {_dumps(net.levels[name])},\n'
        yield f'      "parents": {_dumps(net.dag.parents(name))},\n'
        yield from _table_pieces(net, name)
        yield "\n    }" + (",\n" if i + 1 < len(net.names) else "\n")
    yield "  ]\n}\n"


def _preparation_pieces(document: dict[str, Any]) -> Iterator[str]:
    columns = document.pop("columns")
    yield '  "preparation": {\n'
    yield from (f"    {_dumps(key)}: {_dumps(value)},\n" for key, value in document.items())
    yield '    "columns": [\n' + ",\n".join(f"      {_dumps(column)}" for column in columns) + "\n    ]\n  },\n"


def _table_pieces(net: Network, name: str) -> Iterator[str]:
    table = net.conditional(name)
    if not isinstance(table, SparseTable):
        yield f'      "table": {_lines(table.rows.tolist())}'
        return
    yield f'      "configurations": {_lines(table.configs.tolist())},\n'
    yield f'      "probabilities": {_lines(table.rows.tolist())},\n'
    if table.counts is not None:
        yield f'      "counts": {_lines(table.counts.tolist())},\n'
    yield f'      "unseen": {_dumps(table.unseen.tolist())}'


def _lines(rows: Sequence[object], indent: str = "        ") -> str:
    return "[\n" + ",\n".join(f"{indent}{_dumps(row)}" for row in rows) + f"\n{indent[2:]}]" if rows else "[]"


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


class _RepeatedKeyError(ValueError):
    """An object of the document has the same key twice; plain JSON readers would silently drop one."""


class _JsonReader:
    def __init__(self, text: str, reading: Reading) -> None:
        reading.hold_text(text, "[{,:", _BYTES_PER_VALUE)
        self._text = text
        self._reading = reading

    def read(self) -> Network:
        document = self._load()
        version = document.get("version") if isinstance(document, dict) else None
        known = _DOCUMENT_KEYS.get(version) if type(version) is int else None
        self._check_object(document, known or _DOCUMENT_KEYS[VERSION], ("format", "version", "variables"))
        if document["format"] != FORMAT:
            self._fail(f"the format is {document['format']!r}, must be {FORMAT!r}", "format")
        if known is None:
            self._fail(f"version {version!r} is not known; this qnml reads versions 1 to {VERSION}", "version")
        properties = document.get("properties", {})
        if not isinstance(properties, dict):
            self._fail("must be an object", "properties")
        variables = document["variables"]
        if not isinstance(variables, list) or not variables:
            self._fail("must be a list of at least one variable", "variables")

        position: dict[str, int] = {}
        levels: dict[str, tuple[Label, ...]] = {}
        for i, variable in enumerate(variables):
            self._check_variable(variable, version, i)
            name = variable["name"]
            if not isinstance(name, str) or not name:
                self._fail("must be text of at least one character", "variables", i, "name")
            if name in position:
                self._fail(f"the variable {name!r} is declared twice", "variables", i, "name")
            position[name] = i
            levels[name] = self._levels(variable["levels"], i)
        parents = {name: self._parents(variables[i]["parents"], name, levels, i) for name, i in position.items()}
        tables: dict[str, FloatArray | SparseTable] = {}
        for name, i in position.items():
            shape = [len(levels[v]) for v in (*parents[name], name)]
            dense = "table" in variables[i]
            tables[name] = (
                self._table(variables[i]["table"], shape, i) if dense else self._sparse(variables[i], shape, i)
            )
        return assemble_network(
            self._reading,
            levels,
            parents,
            tables,
            properties,
            lambda name: self._place("variables", position[name], "parents"),
            self._parameters(document.get("parameters")),
            self._preparation(document.get("preparation"), levels),
            self._undirected(document.get("undirected"), parents),
        )

    def _check_variable(self, variable: Any, version: int | None, i: int) -> None:
        if version == 1 or not isinstance(variable, dict) or "configurations" not in variable:
            keys = (*_VARIABLE_KEYS, "table")
            self._check_object(variable, keys, keys, "variables", i)
        else:
            needed = (*_VARIABLE_KEYS, *_SPARSE_KEYS[:-1])
            self._check_object(variable, (*_VARIABLE_KEYS, *_SPARSE_KEYS), needed, "variables", i)

    def _parameters(self, given: Any) -> Parameters | None:
        if given is None:
            return None
        self._check_object(given, ("rule", "options"), ("rule", "options"), "parameters")
        rule = RULES.get(given["rule"]) if isinstance(given["rule"], str) else None
        if rule is None:
            self._fail(f"{given['rule']!r} is not a rule; known are {', '.join(RULES)}", "parameters", "rule")
        known = (rule.option,) if rule.option else ()
        self._check_object(given["options"], known, known, "parameters", "options")
        for key, value in given["options"].items():
            if type(value) not in (int, float) or not 0 < value < math.inf:
                self._fail("must be a positive number", "parameters", "options", key)
        return Parameters(rule.name, {key: float(value) for key, value in given["options"].items()})

    def _preparation(self, given: Any, levels: dict[str, tuple[Label, ...]]) -> Preparation | None:
        if given is None:
            return None
        try:
            return checked_document(given, levels)
        except InputError as error:
            self._fail(str(error), "preparation", *damaged_entry(given))

    def _undirected(self, given: Any, parents: dict[str, tuple[str, ...]]) -> list[tuple[str, str]] | None:
        if given is None:
            return None
        if not isinstance(given, list):
            self._fail("must be a list of pairs of names", "undirected")
        for k, edge in enumerate(given):
            if not (isinstance(edge, list) and len(edge) == 2 and all(isinstance(name, str) for name in edge)):
                self._fail("must be a pair of names", "undirected", k)
            first, second = edge
            if first not in parents.get(second, ()) and second not in parents.get(first, ()):
                self._fail(f"there is no arc between {first!r} and {second!r}", "undirected", k)
        return [(first, second) for first, second in given]

    def _load(self) -> Any:
        try:
            return json.loads(self._text, object_pairs_hook=_unique_keys, parse_constant=_refuse_constant)
        except json.JSONDecodeError as error:
            raise FileFormatError(self._reading.source, f"not JSON: {error.msg}", error.lineno, error.colno) from error
        except (ValueError, RecursionError) as error:
            # Without a position, which the parser of the standard library does not report here.
            raise FileFormatError(self._reading.source, f"not usable JSON: {error}") from error

    def _check_object(self, value: Any, known: tuple[str, ...], needed: tuple[str, ...], *path: str | int) -> None:
        if not isinstance(value, dict):
            self._fail("must be an object", *path)
        for key in needed:
            if key not in value:
                self._fail(f"the key {key!r} is missing", *path)
        for key in value:
            if key not in known:
                self._fail(f"unknown key {key!r}; known are {', '.join(known)}", *path, key)

    def _levels(self, labels: Any, i: int) -> tuple[Label, ...]:
        if not isinstance(labels, list) or not labels:
            self._fail("must be a list of at least one label", "variables", i, "levels")
        seen: set[str] = set()
        for k, label in enumerate(labels):
            if not isinstance(label, (str, int)):
                self._fail("a label must be text, a whole number or a boolean", "variables", i, "levels", k)
            if str(label) in seen:
                self._fail(f"the label {str(label)!r} is listed twice", "variables", i, "levels", k)
            seen.add(str(label))
        return tuple(labels)

    def _parents(self, parents: Any, name: str, known: dict[str, tuple[Label, ...]], i: int) -> tuple[str, ...]:
        if not isinstance(parents, list):
            self._fail("must be a list of names", "variables", i, "parents")
        seen = {name}
        for k, parent in enumerate(parents):
            if not isinstance(parent, str) or parent not in known:
                self._fail(f"{parent!r} is not a variable of this file", "variables", i, "parents", k)
            if parent in seen:
                self._fail(f"{parent!r} cannot be a parent here, or is listed twice", "variables", i, "parents", k)
            seen.add(parent)
        return tuple(parents)

    def _table(self, rows: Any, shape: list[int], i: int) -> FloatArray:
        count = math.prod(shape[:-1])
        if not isinstance(rows, list) or len(rows) != count:
            wanted = f"must be a list of {magnitude(count)} rows, one per parent configuration"
            self._fail(wanted, "variables", i, "table")
        self._reading.hold_table(f"variables[{i}]", shape, lambda: self._place("variables", i, "table")[0])
        return self._distributions(rows, shape[-1], "variables", i, "table").reshape(shape)

    def _sparse(self, variable: dict[str, Any], shape: list[int], i: int) -> SparseTable:
        configurations = variable["configurations"]
        self._check_codes(configurations, shape[:-1], "variables", i, "configurations")
        unseen = self._distributions([variable["unseen"]], shape[-1], "variables", i, "unseen", single=True)
        for key in ("probabilities", "counts"):
            rows = variable.get(key, configurations)
            if not isinstance(rows, list) or len(rows) != len(configurations):
                self._fail(f"must be a list of {len(configurations)} rows, one per configuration", "variables", i, key)
        rows = self._distributions(variable["probabilities"], shape[-1], "variables", i, "probabilities")
        counts = variable.get("counts")
        if counts is not None:
            self._check_codes(counts, [2**53] * shape[-1], "variables", i, "counts")
        try:
            return SparseTable(
                np.array(configurations, dtype=np.int64).reshape(len(configurations), len(shape) - 1),
                rows,
                unseen[0],
                None if counts is None else np.array(counts, dtype=np.int64).reshape(len(counts), shape[-1]),
            )
        except InputError as error:
            self._fail(str(error), "variables", i, "configurations")

    def _check_codes(self, rows: Any, limits: Sequence[int], *path: str | int) -> None:
        if not isinstance(rows, list):
            self._fail("must be a list of lists of whole numbers", *path)
        for k, row in enumerate(rows):
            if not (isinstance(row, list) and len(row) == len(limits) and all(type(code) is int for code in row)):
                self._fail(f"must be a list of {len(limits)} whole numbers", *path, k)
            if not all(0 <= code < limit for code, limit in zip(row, limits, strict=True)):
                self._fail("holds a number that is negative or too large", *path, k)

    def _distributions(self, rows: list[Any], arity: int, *path: str | int, single: bool = False) -> FloatArray:
        for k, row in enumerate(rows):
            place = path if single else (*path, k)
            if not (isinstance(row, list) and len(row) == arity and all(type(p) in (float, int) for p in row)):
                self._fail(f"a row must be a list of {arity} numbers", *place)
            if not all(0 <= p <= 1 + ROW_SUM_TOLERANCE for p in row):
                self._fail("a row holds a number that is not a probability", *place)
            if not abs(math.fsum(row) - 1.0) <= ROW_SUM_TOLERANCE:
                self._fail(f"a row sums to {math.fsum(row):.9g} instead of 1", *place)
        return np.array(rows, dtype=np.float64).reshape(len(rows), arity)

    def _fail(self, problem: str, *path: str | int) -> NoReturn:
        where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")
        line, column = self._place(*path)
        raise FileFormatError(self._reading.source, f"{where}: {problem}" if where else problem, line, column)

    def _place(self, *path: str | int) -> tuple[int, int]:
        """Find the position of a value. This parses the text again, but only for an error."""
        decoder = json.JSONDecoder()
        at = self._after_space(0)
        for step in path:
            at = self._after_space(at + 1)
            count = 0
            while True:
                if isinstance(step, str):
                    key, at = decoder.raw_decode(self._text, at)
                    at = self._after_space(self._after_space(at) + 1)
                    if key == step:
                        break
                elif count == step:
                    break
                _, at = decoder.raw_decode(self._text, at)
                at = self._after_space(self._after_space(at) + 1)
                count += 1
        return line_and_column(self._text, at)

    def _after_space(self, at: int) -> int:
        while at < len(self._text) and self._text[at] in _WHITESPACE:
            at += 1
        return at


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key, count in Counter(keys).items() if count > 1)
        raise _RepeatedKeyError(f"the key {twice!r} occurs twice in one object")
    return document


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number JSON knows")
