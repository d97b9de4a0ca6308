"""Tables, findings and whole parts as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.paper.report import numbers
from qnml.paper.report.about import part_title
from qnml.paper.report.caption import caption
from qnml.paper.report.reading import compared_columns, repetition_column, sentences
from qnml.paper.report.verdicts import verdict
from qnml.reports.parts import visible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml.paper.summary.types import Cell, Figure, Finding, PartSummary, Table

__all__ = ["findings_markdown", "grid_markdown", "part_markdown", "table_markdown"]


def part_markdown(summary: PartSummary, pictures: Mapping[str, str], level: int = 1) -> str:
    """A whole part: findings, tables, figures, notes.

    Parameters
    ----------
    summary
        The part.
    pictures
        Paths of pictures by title of the figure; figures without a path are left out.
    level
        Level of its heading.
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
    """A table: for each column our value, the printed value and the difference; the best bold, the worst underlined.

    Parameters
    ----------
    table
        The table.
    """
    decimals = numbers.places(table)
    compared, often = compared_columns(table), repetition_column(table)
    head, sides = [""], ["---"]
    for name in table.extra_columns:
        head.append(_text(name))
        sides.append("---:")
    for column in table.column_names:
        head += [_text(column), "paper", "Δ"] if column in compared else [_text(column)]
        sides += ["---:"] * (3 if column in compared else 1)
    if often:
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
        line += [often[number]] if often else []
        rows.append(line)
    notes = "\n".join(f"- {_text(note)}" for note in table.notes)
    blocks = (grid_markdown(head, sides, rows), _text(sentences(table)), notes)
    return "\n\n".join(block for block in blocks if block)


def findings_markdown(findings: Sequence[Finding]) -> str:
    """Claims of the paper, with verdicts.

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
        Column heads.
    sides
        The alignment of each column, in Markdown's notation.
    rows
        The cells.
    """
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, sides, *rows))


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


def _text(text: str) -> str:
    """Text in which nothing opens a tag, a cell or a heading."""
    for letter in "\\|<*_":
        text = text.replace(letter, f"\\{letter}")
    return visible(text)
