"""What is decided about the columns of a table in an engine before its rows are fetched.

A column of numbers, or of many labels, is judged by its histogram: all its values and how often each occurs. The
same code decides as for rows in memory, with the values as rows and their counts as weights. What follows (bins,
merged labels) is then done in the engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from qnml._memory import format_bytes
from qnml.data.engines.answers import check_total, histogram
from qnml.data.engines.relation import Binned, Cell, Kept, Raw
from qnml.data.labels import MOST_LEVELS, too_many_levels
from qnml.data.preparation.binnings import binnings_for
from qnml.data.preparation.finding import row_numbers
from qnml.data.preparation.one_column import CodedColumn, dropped, prepare_column
from qnml.data.preparation.request import decisions, legible
from qnml.errors import DataError, TooLargeError

if TYPE_CHECKING:
    from qnml.data.engines.relation import Relation
    from qnml.data.preparation.column import ColumnPreparation
    from qnml.data.preparation.problems import Problems
    from qnml.data.preparation.request import Request
    from qnml.data.source import SourceColumn
    from qnml.data.weights import Weights

__all__ = ["Studied", "judged", "needs_histogram", "studied"]

# Values up to which a column enters the groups as it is, and is judged afterwards.
_FEW_VALUES = 64
# Arrow memory of a value with its count, decoded and sorted here.
_PER_VALUE = 120


@dataclass(frozen=True)
class Studied:
    """A column that was judged by its histogram.

    Attributes
    ----------
    cell : how it enters the groups; None if it is left out.
    entry : the record of its preparation; None if it cannot be used, which `Problems` knows.
    """

    cell: Cell | None
    entry: ColumnPreparation | None


def needs_histogram(kind: str, n_values: int, name: str, request: Request) -> bool:
    """Whether a column must be judged before the rows are grouped.

    Parameters
    ----------
    kind : of its cells.
    n_values : about how many different ones there are; -1 if not known.
    name : its name.
    request : what the caller asked for.
    """
    wish = request.wishes.get(name)
    if kind in ("real", "date", "other") or (wish is not None and wish.action == "drop"):
        return True
    if kind in ("boolean", "declared"):
        return wish is not None and wish.action == "bin"
    return not 0 <= n_values <= _FEW_VALUES


def studied(
    call: str,
    relation: Relation,
    name: str,
    n_values: int,
    total: int,
    request: Request,
    problems: Problems,
    memory_limit: float,
) -> Studied:
    """Judge one column.

    Parameters
    ----------
    call : the calling function, for errors.
    relation : the table.
    name : the column.
    n_values : about how many different values it has; -1 if not known.
    total : observations of the table.
    request : what the caller asked for.
    problems : gathers what keeps the column from being used.
    memory_limit : bytes that may be held.
    """
    kind = relation.kinds[name]
    if kind == "text" and n_values > 2 * MOST_LEVELS and not request.is_auto:
        raise DataError(too_many_levels(call, name, n_values))
    if _PER_VALUE * n_values > memory_limit:
        raise TooLargeError(
            f"{call}: column {name!r} has about {n_values:,} different values, which take about "
            f"{format_bytes(_PER_VALUE * n_values)} to look at; {format_bytes(memory_limit)} may be used. Leave it out "
            f"(columns={{{name!r}: 'drop'}}), or cut it in the query."
        )
    column, weights = histogram(call, relation, name)
    check_total(call, relation, int(weights.sum()), total)
    made, entry = judged(call, column, weights, request, problems)
    if made is None:
        return Studied(Raw(name) if entry is None else None, entry)
    return Studied(_cell(kind, made), made.entry)


def judged(
    call: str, column: SourceColumn, weights: Weights, request: Request, problems: Problems
) -> tuple[CodedColumn | None, ColumnPreparation | None]:
    """Decide about a column by its values and their counts, and code them; nothing if it cannot be used.

    Parameters
    ----------
    call : the calling function, for errors.
    column : its values.
    weights : how often each occurs.
    request : what the caller asked for.
    problems : gathers what keeps the column from being used.
    """
    (column,), spellings = legible(call, [column], request)
    decided = decisions(call, [column], weights, request, spellings)[column.name]
    if not decided.is_used:
        return None, dropped(column, decided, weights, request.missing)
    if request.missing == "raise" and column.values.n_missing:
        problems.add_missing(column.name, int(weights[column.values.is_missing()].sum()))
    with problems.gathered(column):
        binning = None
        values = row_numbers(column) if decided.decision.action == "bin" else None
        if values is not None:
            binning = binnings_for(call, {column.name: (decided.decision, values)}, weights)[column.name]
        made = prepare_column(call, column, decided, binning, weights, request.missing)
        return made, made.entry
    return None, None


def _cell(kind: str, made: CodedColumn) -> Cell:
    """How a column enters the groups."""
    entry = made.entry
    binning = entry.binning
    if binning is not None and kind in ("integer", "real"):
        return Binned(entry.name, tuple((binning.cuts + binning.slack).tolist()))
    if entry.kept_levels is not None and kind == "text":
        return Kept(entry.name, tuple(map(str, entry.kept_levels)), str(entry.other))
    return Raw(entry.name)
