"""Progress of long work."""

import contextlib
import io

from qnml import _progress


def test_away_from_a_terminal_a_line_now_and_then(monkeypatch):
    monkeypatch.setattr(_progress, "_LINE_SECONDS", 0.0)
    told = io.StringIO()
    with contextlib.redirect_stderr(told), _progress.counting_bar("networks") as tell:
        tell(5, 2000, None)
        tell(1500, 2000, 400.0)
    first, second = told.getvalue().splitlines()
    assert first.startswith("5 of 2,000 networks, ")
    assert first.endswith("time left not known yet")
    assert second.startswith("1,500 of 2,000 networks, ")
    assert second.endswith("about 6 min left")


def test_short_work_says_nothing_away_from_a_terminal():
    told = io.StringIO()
    with contextlib.redirect_stderr(told), _progress.counting_bar("networks") as tell:
        tell(5, 10, 1.0)
    assert told.getvalue() == ""


def test_a_terminal_has_a_bar_with_the_counts(monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    told = io.StringIO()
    with contextlib.redirect_stderr(told), _progress.counting_bar("networks") as tell:
        tell(1234, 5000, 7300.0)
    assert "1,234 of 5,000 networks" in told.getvalue()
    assert "about 2.0 h left" in told.getvalue()
