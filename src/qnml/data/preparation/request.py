"""What the caller of `read_table` asks for, and the decisions about columns that follow from it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from qnml.data.preparation.finding import find
from qnml.data.preparation.rules import Decision, decide
from qnml.data.preparation.spelling import spelled_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml.data.preparation.finding import Finding
    from qnml.data.preparation.spelling import Spelling
    from qnml.data.source import SourceColumn
    from qnml.data.weights import Weights

__all__ = ["Decided", "Request", "decisions", "legible"]


@dataclass(frozen=True)
class Request:
    """What the caller of `read_table` asked for, checked.

    Attributes
    ----------
    is_auto : whether the rules decide about columns that are not mentioned.
    wishes : what is done to single columns.
    discretize, bins : how numbers are binned, under the rules those that have many values; None if only the rules and
        the wishes decide.
    missing : the policy for missing cells.
    """

    is_auto: bool
    wishes: Mapping[str, Decision]
    discretize: str | None
    bins: int
    missing: str


@dataclass(frozen=True)
class Decided:
    """What is to be done to a column.

    Attributes
    ----------
    decision : what.
    found : the facts, if the rules looked at them.
    is_wish : whether the caller asked for it.
    spelling : how the numbers of the column were written, if they were text.
    """

    decision: Decision
    found: Finding | None
    is_wish: bool
    spelling: Spelling | None = None

    @property
    def is_used(self) -> bool:
        """Whether the column becomes a variable."""
        return self.decision.action != "drop"


def legible(
    call: str, columns: Sequence[SourceColumn], request: Request
) -> tuple[list[SourceColumn], dict[str, Spelling]]:
    """The columns, with numbers where text is numbers and may be taken for them; and how these were written.

    Parameters
    ----------
    call : the calling function, for errors.
    columns : the raw columns.
    request : what the caller asked for.
    """
    spellings, read = {}, []
    for column in columns:
        wish = request.wishes.get(column.name)
        if (wish.action == "bin") if wish is not None else request.is_auto:
            column, spelling = spelled_numbers(call, column)
            if spelling is not None:
                spellings[column.name] = spelling
        read.append(column)
    return read, spellings


def decisions(
    call: str,
    columns: Sequence[SourceColumn],
    weights: Weights | None,
    request: Request,
    spellings: Mapping[str, Spelling],
) -> dict[str, Decided]:
    """What is to be done to each column.

    Parameters
    ----------
    call : the calling function, for errors.
    columns : the raw columns.
    weights : how often each row counts.
    request : what the caller asked for.
    spellings : how numbers were written, as `legible` returns it.
    """
    made = {column.name: _decided(call, column, weights, request) for column in columns}
    return made | {name: replace(made[name], spelling=one) for name, one in spellings.items() if name in made}


def _decided(call: str, column: SourceColumn, weights: Weights | None, request: Request) -> Decided:
    found = find(call, column, weights) if request.is_auto else None
    wish = request.wishes.get(column.name)
    if wish is not None:
        return Decided(wish, found, is_wish=True)
    decision = Decision("keep", "As it is.") if found is None else decide(found)
    if request.discretize is not None and _holds_numbers(column) and (found is None or decision.method == "nml"):
        bins = None if request.discretize == "nml" else request.bins
        decision = Decision("bin", "Numbers.", request.discretize, bins)
    return Decided(decision, found, is_wish=False)


def _holds_numbers(column: SourceColumn) -> bool:
    return column.declared is None and column.values.kind in ("integer", "real")
