"""Markdown of tables, findings and parts."""

import re

from qnml.paper.report.markdown import findings_markdown, part_markdown, table_markdown


def cells(line):
    """The cells of a row; a bar after a backslash is part of a cell."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def test_ours_the_printed_value_and_the_difference_stand_side_by_side(ranks):
    lines = table_markdown(ranks).splitlines()
    head, sides, iris, wine, mean = map(cells, lines[:5])
    assert head[:5] == ["", "N", "BDeu", "paper", "Δ"]
    assert head[-1] == "repetitions"
    assert len({len(head), len(sides), len(iris), len(wine), len(mean)}) == 1
    assert iris[:5] == ["Iris", "150", "<u>2.83</u> ± 0.02", "<u>2.82</u>", "+0.7"]
    assert iris[8:11] == ["**2.26** ± 0.02", "**2.27**", "−0.4"]
    assert wine[5:8] == ["**1.40** ± 0.03", "**1.88**", "−16.0 ✗"]
    assert mean[:6] == ["mean", "", "3.03 ± 0.02", "2.95", "+0.08", ""]
    assert (iris[-1], wine[-1], mean[-1]) == ("20", "30", "")


def test_what_is_below_a_table(ranks, regrets):
    *_, below, _, remark = table_markdown(ranks).splitlines()
    assert "standard errors of the difference; for mean it is the plain difference" in below
    assert "20 to 30 repetitions" in below
    assert remark == r"- Iris \< Wine \| both are small."
    below = table_markdown(regrets).splitlines()[-1]
    assert "standard errors" not in below
    assert "repetitions" not in below
    assert "bold" not in below


def test_exact_values_are_equal_or_differ(regrets):
    lines = table_markdown(regrets).splitlines()
    assert cells(lines[2]) == ["50, 10", "13.24", "13.24", "=", "13.24", "13.24", "="]
    assert cells(lines[3]) == ["50, 10000", "25635.13", "25635.15", "−0.02 ✗", "", "", ""]


def test_claims_say_whether_they_hold(findings):
    text = findings_markdown(findings)
    assert "**Holds:** qNML is never the worst." in text
    assert "**Does not hold:** qNML is best beyond 300." in text
    assert "At N = 400 BIC leads by 0.03." in text
    assert r"**Undecided:** Nobody can tell \<this>." in text


def test_a_part_has_its_heading_claims_and_pictures(summaries):
    figure = next(part for part in summaries if part.part == "figure2")
    text = part_markdown(figure, {"Distance, canonical ties": "figure2.svg"}, level=2)
    assert text.startswith("## Figure 2: ")
    assert "![Distance, canonical ties](figure2.svg)" in text
    assert "two standard errors" in text
    assert "100 repetitions." in text
    assert "Ties are common." in text
    assert text.count("Holds:") == 1


def test_a_part_that_was_not_run_says_why(summaries):
    missing = next(part for part in summaries if part.missing)
    assert r"Not run: no data folder; set QNML\_DATA." in part_markdown(missing, {})
