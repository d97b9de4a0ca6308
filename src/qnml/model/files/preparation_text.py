"""The preparation of a network in formats that hold texts only: one annotation of the network, ``qnml_preparation``.

Its value is JSON. The parsers of other programs do not take braces and quotes everywhere, so BIF and NET have the same
JSON as URL-safe base64. Readers accept both.
"""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING, Any, Literal

from qnml.data.preparation import Preparation
from qnml.errors import FileFormatError, InputError, plain
from qnml.model.checks import preparation_problem
from qnml.model.files.assemble import assemble_network, line_and_column, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from qnml._types import FloatArray, Label
    from qnml.model.files.reading import Reading
    from qnml.model.network import Network
    from qnml.model.tables import SparseTable

__all__ = ["assemble_annotated", "checked_document", "damaged_entry", "network_texts"]

_KEY = "qnml_preparation"
_OURS = re.compile(rf"\s*{_KEY}(?!\w)\s*=?\s*(.*?)\s*", re.DOTALL)
_BYTES_PER_VALUE = 128  # a number, text or list of the parser, and what is made of it
_MOST_SHOWN = 8
_PREFIX = "Preparation.from_dict: "

Style = Literal["json", "bare", "quoted"]


def network_texts(net: Network, style: Style) -> list[str]:
    """The annotations of a network as a whole, with one that holds its preparation if it has one.

    Parameters
    ----------
    net
        The network.
    style
        How the preparation is written: as JSON, as base64, or as base64 in quotes.
    """
    given = texts(net.properties.get("network"))
    if any(_OURS.fullmatch(text) for text in given):
        raise InputError(
            f"write_network(net): the annotation {_KEY!r} in net.properties is reserved for the preparation. Leave it "
            "out; Network(preparation=…) takes the preparation itself."
        )
    if net.preparation is None:
        return given
    # ASCII only: some formats cannot represent every character.
    document = json.dumps(net.preparation.to_dict(), allow_nan=False)
    if style == "json":
        return [*given, f"{_KEY} = {document}"]
    packed = base64.urlsafe_b64encode(document.encode("ascii")).decode("ascii").rstrip("=")
    return [*given, f'{_KEY} = "{packed}"' if style == "quoted" else f"{_KEY} = {packed}"]


def assemble_annotated(
    reading: Reading,
    levels: Mapping[str, Sequence[Label]],
    parents: Mapping[str, Sequence[str]],
    tables: dict[str, FloatArray | SparseTable],
    properties: Mapping[str, Any],
    place: Callable[[str], tuple[int, int]],
) -> Network:
    """Build the network of a file among whose annotations there may be a preparation; see `assemble_network`.

    Raises
    ------
    FileFormatError
        If there is a preparation that is damaged, or that is not one of this network.
    """
    given = texts(properties.get("network"))
    ours = [match[1] for match in map(_OURS.fullmatch, given) if match]
    if not ours:
        return assemble_network(reading, levels, parents, tables, properties, place)
    others = {key: value for key, value in properties.items() if key != "network"}
    if len(given) > len(ours):
        others["network"] = [text for text in given if not _OURS.fullmatch(text)]
    try:
        if len(ours) > 1:
            raise InputError(f"there are {len(ours)} of them, and must be one")
        preparation = checked_document(_document(ours[0], reading), levels)
    except InputError as error:
        offset = reading.text.find(_KEY)
        at = (None, None) if offset < 0 else line_and_column(reading.text, offset)
        raise FileFormatError(reading.source, f"{_KEY}: {error}", *at) from error
    return assemble_network(reading, levels, parents, tables, others, place, preparation=preparation)


def checked_document(document: Any, levels: Mapping[str, Sequence[Label]]) -> Preparation:
    """The preparation in a document, which must be one of a network with the given levels.

    Raises
    ------
    InputError
        If it is not.
    """
    try:
        preparation = Preparation.from_dict(document)
    except InputError as error:
        raise InputError(str(error).removeprefix(_PREFIX)) from error
    absent = [plain(name) for name in preparation.used if name not in levels]
    problem = preparation_problem(preparation, levels)
    if absent:
        more = f" and {len(absent) - _MOST_SHOWN} more" if len(absent) > _MOST_SHOWN else ""
        problem = f"{', '.join(absent[:_MOST_SHOWN])}{more} should be left out, or be variables of the network"
    if problem is not None:
        raise InputError(problem)
    return preparation


def damaged_entry(document: Mapping[str, Any]) -> tuple[str | int, ...]:
    """The path of the first damaged entry in a document that is no preparation; empty if none is by itself."""
    columns = document.get("columns") if isinstance(document, dict) else None
    for place, column in enumerate(columns if isinstance(columns, list) else ()):
        try:
            Preparation.from_dict({"version": 1, "missing": "", "n_rows": 0, "n_kept": 0, "columns": [column]})
        except InputError:
            return "columns", place
    return ()


def _document(value: str, reading: Reading) -> Any:
    text = value[1:-1] if len(value) > 1 and value[0] == value[-1] == '"' else value
    try:
        if not text.startswith("{"):
            padding = "=" * (-len(text) % 4)
            text = base64.b64decode(text + padding, altchars=b"-_", validate=True).decode("utf-8")
        reading.hold(_BYTES_PER_VALUE * sum(text.count(mark) for mark in "[{,:"), "the preparation")
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"neither JSON nor base64 of JSON: {error}") from error
