"""Pieces of HTML say what they are given, and no text can become markup."""

from qnml._html import html_table, paragraph


def test_cells_and_headings_are_escaped():
    shown = html_table([("<i>", False), ("n", True)], [("a&b", 3), ("x\n\x1b[1m", -1)])
    assert "&lt;i&gt;" in shown
    assert "<td>a&amp;b</td>" in shown
    assert "<td>x\\n\\x1b[1m</td>" in shown
    assert '<td class="number" style="text-align:right">3</td>' in shown


def test_an_empty_table_has_its_headings():
    assert "<tbody></tbody>" in html_table([("name", False)], [])


def test_a_paragraph_is_text():
    assert paragraph("1 < 2 & 3") == "<p>1 &lt; 2 &amp; 3</p>"
