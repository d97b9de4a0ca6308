"""Dates of Excel: numbers of days, told from other numbers by the format in which the cell is shown."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta

__all__ = ["is_date_format", "is_duration_format", "moment"]

# Formats without a code: 14 to 22 everywhere, 27 to 36 and 50 to 58 in East Asia, 45 and 47 minutes and seconds.
_DATES = {str(number) for number in (*range(14, 23), *range(27, 37), 45, 47, *range(50, 59))}
_DURATION = "46"
_LITERAL = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]')
_ELAPSED = re.compile(r"\[(h+|m+|s+)\]", re.IGNORECASE)
_DATE_LETTER = re.compile("[dmyhs]", re.IGNORECASE)

# Day 60 of the calendar of 1900 is 29 February, which that year did not have.
_FALSE_DAY = 60
_MILLISECONDS = 86_400_000


def is_duration_format(number: str, code: str | None) -> bool:
    """Whether a format shows durations: hours, minutes or seconds without an upper limit.

    Parameters
    ----------
    number, code : the number of the format, and its code if it is not one of the predefined.
    """
    return bool(_ELAPSED.search(code)) if code is not None else number == _DURATION


def is_date_format(number: str, code: str | None) -> bool:
    """Whether a format shows dates or times; arguments as for `is_duration_format`."""
    if code is None:
        return number in _DATES
    # Only the first section, which is for positive numbers. "General" and scientific formats have none of the letters.
    return bool(_DATE_LETTER.search(_LITERAL.sub("", code).partition(";")[0]))


def moment(days: float, *, is_duration: bool, from_1904: bool) -> datetime | time | timedelta | float:
    """Return the moment a number stands for: a time of day below one day, otherwise a date; the number if it is none.

    Parameters
    ----------
    days : number of days.
    is_duration : whether it is a duration.
    from_1904 : whether days are counted from 1904.
    """
    try:
        whole, part = divmod(round(days * _MILLISECONDS), _MILLISECONDS)
        span = timedelta(days=whole, milliseconds=part)
        if is_duration:
            return span
        if days < 0:
            return days
        if whole == 0:
            return (datetime.min + span).time()
        if from_1904:
            return datetime(1904, 1, 1) + span
        return datetime(1899, 12, 30) + span + timedelta(days=whole < _FALSE_DAY)
    except (OverflowError, ValueError):  # too late a date, or no finite number
        return days
