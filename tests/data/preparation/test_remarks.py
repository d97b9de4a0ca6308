"""What is told about columns that look suspicious, beyond what the rules decide."""

import pytest

import qnml


def remark(values):
    return qnml.inspect_table({"x": values, "y": [0, 1] * (len(values) // 2)}).columns["x"].remark


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([999] * 4 + [*range(20, 60)], "4 cells hold 999, far from all others."),
        ([-9.0] * 4 + [number / 10 for number in range(40)], "4 cells hold -9, far from all others."),
        ([999] * 2 + [*range(20, 60)], None),  # too few
        ([999] * 4 + [*range(20, 60, 10)] * 10, None),  # few values are codes
        ([99] * 4 + [*range(20, 70)], None),  # not far
        ([*range(980, 1020)], None),
        (["n/k"] * 3 + [f"{number}.5" for number in range(31)], "Numbers but for 3 cells, such as 'n/k'."),
        (["x"] * 20 + [f"{number}.5" for number in range(20)], None),
        (["Yes", "yes", "no", "No "] * 10, "Labels that differ in capitals and blanks only, such as 'No ' and 'no'"),
        (["yes", "no"] * 10, None),
        ([True, False] * 10, None),
    ],
)
def test_remarks(values, expected):
    found = remark(values)
    assert found is None if expected is None else found.startswith(expected)


def test_remarks_are_shown_and_kept():
    table = qnml.read_table({"x": ["Yes", "yes", "no", "no"] * 10, "y": [0, 1] * 20}, prepare="auto")
    assert "capitals and blanks" in str(table.preparation)
    assert qnml.Preparation.from_dict(table.preparation.to_dict()) == table.preparation
    assert qnml.read_table({"x": ["Yes", "yes"] * 20}).preparation.columns["x"].remark is None
