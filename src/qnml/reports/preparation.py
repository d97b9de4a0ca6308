"""What was done to the columns of a raw table, as facts and sentences of several commands.

preparation
    null if nothing was done to any column; else {version, missing, n_rows, n_kept, columns [{name, kind, n_rows,
    n_missing, n_distinct, action, reason, missing, and what applies of levels, cuts, bins, slack, kept_levels, other,
    missing_label, of, method, unit, decimal, missing_words, remark}], notes [remarks on how the file was read]}: the
    form of `Preparation.to_dict`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.data import Preparation

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from qnml.data import ColumnPreparation, Table

__all__ = ["preparation_facts", "preparation_sentences"]

_MOST_COLUMNS = 12
_MOST_CUTS = 5
_MOST_REMARKS = 3
_POLICIES = {
    "em": "estimated by EM",
    "indicator": "estimated by EM, with an indicator for each column",
    "category": "a level of their own",
}


def preparation_facts(table: Table) -> dict[str, Any] | None:
    """What was done to the columns of a table; None if nothing was.

    Parameters
    ----------
    table : the table.
    """
    made = table.preparation
    if made is None:
        return None
    has_told = made.notes or any(column.remark is not None for column in made.columns)
    if made.is_trivial and not has_told and not table.n_missing and made.n_kept == made.n_rows:
        return None
    return made.to_dict()


def preparation_sentences(facts: dict[str, Any] | None) -> list[str]:
    """A sentence for each kind of thing that was done, with its columns; notes on reading are told elsewhere.

    Parameters
    ----------
    facts : the facts of `preparation_facts`.
    """
    if facts is None:
        return []
    made = Preparation.from_dict(facts)
    return [
        *_listed("Read as numbers", [_spelled(column) for column in made.columns if column.spelling is not None]),
        *_listed("Binned", [_binned(column) for column in made.columns if column.action == "bin"]),
        *_listed("Rare labels merged", [_merged(column) for column in made.columns if column.action == "merge"]),
        *_listed("Left out", [f"{one.name} ({_clause(one.reason)})" for one in made.columns if one.action == "drop"]),
        *_missing(made),
        *_remarks(made),
    ]


def _listed(head: str, parts: Sequence[str]) -> list[str]:
    if not parts:
        return []
    more = len(parts) - _MOST_COLUMNS
    rest = f"; and {more} more column{'' if more == 1 else 's'} (--json lists all)" if more > 0 else ""
    return [f"{head}: {'; '.join(parts[:_MOST_COLUMNS])}{rest}"]


def _binned(column: ColumnPreparation) -> str:
    cuts = [f"{cut:g}" for cut in column.cuts or ()]
    if not cuts:
        return f"{column.name} into a single bin"
    more = len(cuts) > _MOST_CUTS
    into = f" into {len(cuts) + 1} bins" if more else ""
    return f"{column.name}{into} at {', '.join(cuts[:_MOST_CUTS])}{', …' if more else ''}"


def _remarks(made: Preparation) -> list[str]:
    remarks = [f"{column.name}: {column.remark}" for column in made.columns if column.remark is not None]
    more = len(remarks) - _MOST_REMARKS
    return [*remarks[:_MOST_REMARKS], *([f"… and {more} more remarks; 'qnml info' has all."] if more > 0 else [])]


def _spelled(column: ColumnPreparation) -> str:
    words = " and ".join(map(repr, column.missing_words or ()))
    told = [f"in {column.unit}"] * (column.unit is not None) + [f"{words} for missing cells"] * bool(words)
    return f"{column.name} ({', '.join(told)})" if told else column.name


def _merged(column: ColumnPreparation) -> str:
    kept = len(column.kept_levels or ())
    return f"{column.name} (all but {kept} label{'' if kept == 1 else 's'})"


def _clause(reason: str) -> str:
    """A reason within a line: without its full stop, and in small letters."""
    return reason[:1].lower() + reason[1:].rstrip(".")


def _missing(made: Preparation) -> list[str]:
    if made.n_kept < made.n_rows:
        told = f"Rows: {made.n_kept:,} of {made.n_rows:,}; the others had missing cells and were dropped"
        many = ". Many: if cells are not missing at random, the rest is not representative"
        return [told + (many if made.drops_many else "")]
    holed = [one for one in made.columns if one.action not in ("drop", "indicate") and one.n_missing]
    if not holed or made.missing not in _POLICIES:
        return []
    cells = sum(column.n_missing for column in holed)
    listed = ", ".join(f"{column.name} {column.n_missing:,}" for column in holed[:_MOST_COLUMNS])
    more = f" and {len(holed) - _MOST_COLUMNS} more columns" if len(holed) > _MOST_COLUMNS else ""
    return [f"Missing cells: {cells:,} ({listed}{more}), {_POLICIES[made.missing]}"]
