"""Tables of the page: for each column our value, the paper's and the difference."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from qnml.paper.report import numbers
from qnml.paper.report.reading import compared_columns, repetition_column, sentences

if TYPE_CHECKING:
    from qnml.paper.summary.types import Cell, Table

__all__ = ["page_table"]

_THREE = '<th class="first"><small>ours</small></th><th><small>paper</small></th><th><small>Δ</small></th>'


def page_table(table: Table) -> str:
    """A table as HTML, with its heading and notes.

    Parameters
    ----------
    table
        The table.
    """
    below = sentences(table)
    remarks = "".join(f"<li>{escape(note)}</li>" for note in table.notes)
    told = (f"<p>{escape(below)}</p>" if below else "") + (f"<ul>{remarks}</ul>" if remarks else "")
    body = "".join(_row(table, place, row) for place, row in enumerate(table.row_names))
    return (
        f'<h3>{escape(table.title)}</h3><div class="scroll"><table><thead>{_heads(table)}</thead>'
        f'<tbody>{body}</tbody></table></div><div class="notes">{told}</div>'
    )


def _heads(table: Table) -> str:
    """Two rows of column heads if the paper has values too, else one."""
    compared = compared_columns(table)
    deep = f'rowspan="{2 if compared else 1}"'
    upper = [f"<th {deep}></th>", *(f"<th {deep}>{escape(name)}</th>" for name in table.extra_columns)]
    for column in table.column_names:
        span = 'class="first group" colspan="3"' if column in compared else f'class="first" {deep}'
        upper.append(f"<th {span}>{escape(column)}</th>")
    if repetition_column(table):
        upper.append(f'<th class="first" {deep}>repetitions</th>')
    lower = _THREE * sum(column in compared for column in table.column_names)
    return f"<tr>{''.join(upper)}</tr>" + (f"<tr>{lower}</tr>" if compared else "")


def _row(table: Table, place: int, row: str) -> str:
    decimals, compared = numbers.places(table), compared_columns(table)
    own, theirs = numbers.marks(table, row, "ours"), numbers.marks(table, row, "printed")
    line = [f"<td>{escape(row)}</td>", *(f"<td>{escape(texts[place])}</td>" for texts in table.extra_columns.values())]
    for column in table.column_names:
        cell = table.cells.get((row, column))
        line.append(_ours(cell, decimals, own.get(column, "")))
        if column in compared:
            line.append(_theirs(cell, decimals, theirs.get(column, "")))
    often = repetition_column(table)
    line += [f'<td class="first">{often[place]}</td>'] if often else []
    # Rows without repetitions, below rows that have some, summarize those rows.
    sums_up = ' class="sum"' if table.repetitions and row not in table.repetitions else ""
    return f"<tr{sums_up}>{''.join(line)}</tr>"


def _ours(cell: Cell | None, decimals: int | None, mark: str) -> str:
    if cell is None:
        return '<td class="first"></td>'
    width = numbers.error(cell, decimals)
    beside = f' <span class="error">± {width}</span>' if width else ""
    return f'<td class="first">{_marked(numbers.ours(cell, decimals), mark)}{beside}</td>'


def _theirs(cell: Cell | None, decimals: int | None, mark: str) -> str:
    if cell is None:
        return "<td></td><td></td>"
    apart = numbers.difference(cell, decimals)
    off = cell.within is False
    opening, sign = ('<td class="off">', " ✗") if off else ("<td>", "")
    return f'<td class="paper">{_marked(numbers.printed(cell, decimals), mark)}</td>{opening}{apart}{sign}</td>'


def _marked(text: str, mark: str) -> str:
    return f'<span class="{mark}">{text}</span>' if mark else text
