"""Tables, findings and whole parts as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.report.paper import numbers
from qnml.report.paper.about import part_title, repeated
from qnml.report.paper.caption import caption
from qnml.report.paper.verdicts import verdict
from qnml.report.parts import visible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml.paper.summary.types import Cell, Figure, Finding, PartSummary, Table

__all__ = ["explained", "findings_markdown", "grid_markdown", "part_markdown", "table_markdown"]


def part_markdown(summary: PartSummary, pictures: Mapping[str, str], level: int = 1) -> str:
    """A whole part: findings, tables, figures, notes.

    Parameters
    ----------
    summary
        The part.
    pictures
        Paths of pictures, by title of the figure; figures without one are left out.
    level
        How deep its heading is.
    """
    blocks = [f"{'#' * level} {_text(part_title(summary.part))}"]
    if summary.missing is not None:
        blocks.append(f"Not run: {_text(summary.missing)}")
    if summary.findings:
        blocks.append(findings_markdown(summary.findings))
    for figure in summary.figures:
        if figure.title in pictures:
            blocks.append(_figure_markdown(figure, pictures[figure.title], level + 1))
    blocks += [f"{'#' * (level + 1)} {_text(table.title)}\n\n{table_markdown(table)}" for table in summary.tables]
    return "\n\n".join(blocks) + "\n"


def table_markdown(table: Table) -> str:
    """A table: for each column ours, the printed value and the difference; the best bold, the worst underlined.

    Parameters
    ----------
    table
        The table.
    """
    decimals = numbers.places(table)
    compared = {
        column
        for column in table.column_names
        if any(_cell(table, row, column, "printed") is not None for row in table.row_names)
    }
    often = {number for number in table.repetitions.values() if number > 0}
    head, sides = [""], ["---"]
    for name in table.extra_columns:
        head.append(_text(name))
        sides.append("---:")
    for column in table.column_names:
        head += [_text(column), "paper", "Δ"] if column in compared else [_text(column)]
        sides += ["---:"] * (3 if column in compared else 1)
    if len(often) > 1:
        head.append("repetitions")
        sides.append("---:")
    rows = []
    for number, row in enumerate(table.row_names):
        line = [_text(row)] + [_text(texts[number]) for texts in table.extra_columns.values()]
        own, theirs = numbers.marks(table, row, "ours"), numbers.marks(table, row, "printed")
        for column in table.column_names:
            cell = table.cells.get((row, column))
            width = 3 if column in compared else 1
            line += (
                [""] * width if cell is None else _shown(cell, decimals, own.get(column), theirs.get(column))[:width]
            )
        if len(often) > 1:
            line.append(str(table.repetitions.get(row, "")))
        rows.append(line)
    said = [explained(table)] if compared else []
    said += [f"{repeated(table.repetitions)}."] if often else []
    marked = table.best is not None
    said += ["The best of a row is bold, the worst underlined, as in the paper."] if marked else []
    blocks = [grid_markdown(head, sides, rows), " ".join(said), "\n".join(f"- {_text(note)}" for note in table.notes)]
    return "\n\n".join(block for block in blocks if block)


def explained(table: Table) -> str:
    """How to read the differences of a table.

    Parameters
    ----------
    table
        A table with printed values.
    """
    plain = {row: _is_plain(table, row) for row in table.row_names}
    exact = all(plain.values())
    measure = "" if exact else " in Monte Carlo standard errors of the difference"
    if not exact and any(plain.values()):
        measure += (
            f"; for {' and '.join(_text(row) for row in table.row_names if plain[row])} it is the plain difference"
        )
    off = any(cell.within is False for cell in table.cells.values())
    return f"Δ is ours less the printed value{measure}{'; ✗ marks cells that do not agree' if off else ''}."


def findings_markdown(findings: Sequence[Finding]) -> str:
    """Claims of the paper with what became of them.

    Parameters
    ----------
    findings
        The claims.
    """
    return "\n".join(
        f"- **{verdict(finding)}:** {_text(finding.statement)}\n  *Here:* {_text(finding.evidence)}"
        for finding in findings
    )


def grid_markdown(head: Sequence[str], sides: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A plain table.

    Parameters
    ----------
    head
        Heads of the columns.
    sides
        The side each column leans to, as Markdown writes it.
    rows
        The cells.
    """
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, sides, *rows))


def _is_plain(table: Table, row: str) -> bool:
    """Whether the differences of a row are not counted in standard errors."""
    found = (table.cells.get((row, column)) for column in table.column_names)
    return all(cell.difference_in_errors is None for cell in found if cell is not None)


def _shown(cell: Cell, decimals: int | None, own: str | None, theirs: str | None) -> list[str]:
    value, width = numbers.ours(cell, decimals), numbers.error(cell, decimals)
    apart = numbers.difference(cell, decimals)
    return [
        _marked(value, own) + (f" ± {width}" if width else ""),
        _marked(numbers.printed(cell, decimals), theirs),
        apart + (" ✗" if cell.within is False else ""),
    ]


def _marked(text: str, mark: str | None) -> str:
    if mark is None or not text:
        return text
    return f"**{text}**" if mark == "best" else f"<u>{text}</u>"


def _figure_markdown(figure: Figure, path: str, level: int) -> str:
    return (
        f"{'#' * level} {_text(figure.title)}\n\n![{_text(figure.title)}]({path})\n\n{_text(caption(figure))}".rstrip()
    )


def _cell(table: Table, row: str, column: str, name: str) -> float | None:
    cell = table.cells.get((row, column))
    value: float | None = None if cell is None else getattr(cell, name)
    return value


def _text(text: str) -> str:
    """Text in which nothing opens a tag, a cell or a heading of its own."""
    for letter in "\\|<*_":
        text = text.replace(letter, f"\\{letter}")
    return visible(text)
