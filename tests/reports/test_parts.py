"""Pieces of pages."""

from hypothesis import given
from hypothesis import strategies as st

from qnml.reports.parts import visible


@given(st.text(st.characters()))
def test_visible_text_is_one_line_and_plain_text_unchanged(text):
    shown = visible(text)
    assert shown.isprintable()
    if text.isprintable():
        assert shown == text
