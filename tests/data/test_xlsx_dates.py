"""Which numbers of Excel are dates, compared with openpyxl."""

from datetime import date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.styles.numbers import BUILTIN_FORMATS, is_timedelta_format
from openpyxl.styles.numbers import is_date_format as is_theirs
from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, from_excel

from qnml.data.xlsx_dates import is_date_format, is_duration_format, moment


@pytest.mark.parametrize("number", BUILTIN_FORMATS)
def test_formats_without_a_code(number):
    code = BUILTIN_FORMATS[number]
    is_duration = is_duration_format(str(number), None)
    assert is_duration == is_timedelta_format(code)
    assert (is_duration or is_date_format(str(number), None)) == is_theirs(code)


@pytest.mark.parametrize(
    ("code", "is_date", "is_duration"),
    [
        ("General", False, False),
        ("0.00", False, False),
        ("0.00E+00", False, False),
        ("@", False, False),
        ("yyyy-mm-dd", True, False),
        ("DD/MM/YYYY", True, False),
        ("h:mm AM/PM", True, False),
        ("[$-409]d. mmm yyyy", True, False),
        ("[h]:mm:ss", True, True),
        ("[mm]:ss", True, True),
        ("[SS].00", True, True),
        ("[Red]0.00", False, False),
        ("[<100]0;[Magenta]0.0", False, False),
        ('0 "days"', False, False),
        ('"ym;d"0', False, False),
        (r"0\d", False, False),
        ("_-* #,##0.00_d", False, False),
        ('#,##0;[Red]-#,##0 "d"', False, False),
        ("0;d", False, False),
        ("", False, False),
    ],
)
def test_formats_with_a_code(code, is_date, is_duration):
    assert is_duration_format("164", code) == is_duration
    assert (is_date_format("164", code) or is_duration) == is_date


def test_east_asian_formats():
    for number in (27, 36, 50, 58):
        assert is_date_format(str(number), None)
    for number in (0, 13, 23, 26, 37, 44, 48, 49, 59, 163):
        assert not is_date_format(str(number), None)


@given(
    st.one_of(st.integers(0, 100_000), st.floats(0, 100_000, exclude_max=True), st.integers(0, 70), st.floats(0, 2)),
    st.booleans(),
)
def test_moments_are_those_of_openpyxl(days, from_1904):
    theirs = from_excel(days, CALENDAR_MAC_1904 if from_1904 else CALENDAR_WINDOWS_1900)
    ours = moment(float(days), is_duration=False, from_1904=from_1904)
    if isinstance(theirs, timedelta):  # a whole day that is shown as a time
        theirs = datetime(1899, 12, 30) + theirs
    assert isinstance(ours, datetime | time)
    if isinstance(ours, datetime) and isinstance(theirs, datetime):
        assert abs(ours - theirs) < timedelta(milliseconds=1)


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (1.0, date(1900, 1, 1)),
        (59.0, date(1900, 2, 28)),
        (61.0, date(1900, 3, 1)),
        (45292.0, date(2024, 1, 1)),
        (2958465.0, date(9999, 12, 31)),
    ],
)
def test_days_of_1900(days, expected):
    found = moment(days, is_duration=False, from_1904=False)
    assert isinstance(found, datetime)
    assert found == datetime.combine(expected, time())


def test_days_of_1904_times_and_durations():
    assert moment(0.0, is_duration=False, from_1904=True) == time()
    assert moment(43830.0, is_duration=False, from_1904=True) == datetime(2024, 1, 1)
    assert moment(0.25, is_duration=False, from_1904=False) == time(6)
    assert moment(45292.75, is_duration=False, from_1904=False) == datetime(2024, 1, 1, 18)
    assert moment(1.5, is_duration=True, from_1904=False) == timedelta(hours=36)
    assert moment(-0.5, is_duration=True, from_1904=False) == timedelta(hours=-12)


@pytest.mark.parametrize("days", [-1.0, 2958466.0, 1e300])
def test_numbers_that_are_no_dates_stay(days):
    assert moment(days, is_duration=False, from_1904=False) == days
    assert moment(1e300, is_duration=True, from_1904=False) == 1e300
