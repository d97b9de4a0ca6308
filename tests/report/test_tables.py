"""Pages drawn from facts: nothing lost at 80 columns, nothing obeyed that should be shown."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from qnml.report import comparison_page, information_page, regret_page, scoring_page
from qnml.report.tables import visible


def printed(page, width=80):
    """Print as the command line does, but with markup on: the page itself must be safe."""
    console = Console(file=io.StringIO(), width=width, force_terminal=False)
    for part in page:
        console.print(part)
    return console.file.getvalue()


def information(names, labels=("no", "yes")):
    variables = [
        {
            "name": name,
            "labels": list(labels),
            "n_levels": len(labels),
            "n_observed": len(labels),
            "missing": 0,
        }
        for name in names
    ]
    return {
        "source": "t.csv", "rows": 3, "total": 3, "distinct_rows": 2, "missing_cells": 0, "constant": [],
        "variables": variables, "lattice": {"log2_subsets": len(names), "exact_in_reach": True},
    }  # fmt: skip


def family(child, parents, *, cells=4, overfull=False):
    return {
        "child": child, "parents": parents, "score": -12.5, "fit": -10.25, "penalty": 2.25,
        "n_parameters": 10**40, "cells": cells, "is_overfull": overfull, "log_z": 0.125,
    }  # fmt: skip


def scoring(families, arcs, total=100):
    explanation = {"families": families, "arcs": arcs, "overfull": []}
    score = {"name": "qnml", "parameters": {}, "label": "qnml", "value": -1e-9, "explanation": explanation}
    return {
        "data": {"source": "t.csv", "rows": total, "total": total, "variables": 3},
        "network": {"source": "n.bif", "variables": 3, "arcs": 2, "levels": "data"},
        "scores": [score, {**score, "label": "other"}],
    }


def test_names_that_look_like_markup_are_shown():
    text = printed(information_page(information(["[bold]A[/bold]", "[/]", ":smile:"])))
    for name in ("[bold]A[/bold]", "[/]", ":smile:"):
        assert name in text


def test_escape_sequences_are_shown_and_not_sent():
    text = printed(information_page(information(["a\x1b[31m", "b\rc"], labels=["\x07", "new\nline"])))
    assert not set("\x1b\r\x07") & set(text)
    assert "a\\x1b[31m" in text
    assert "new\\nline" in text


@given(st.text(st.characters()))
def test_visible_text_is_one_line_and_plain_text_unchanged(text):
    shown = visible(text)
    assert shown.isprintable()
    if text.isprintable():
        assert shown == text


@pytest.mark.parametrize("width", [40, 80])
def test_long_names_are_folded_and_not_cut(width):
    parents = [f"a_rather_long_name_{i}" for i in range(12)]
    facts = scoring([family("child_" * 10, parents)], [{"parent": "p" * 70, "child": "c", "removal_cost_bits": 1.0}])
    text = printed(scoring_page(facts), width)
    assert max(map(len, text.splitlines())) <= width
    letters = "".join(text.split())
    assert text.count("p") >= 70
    assert "…" not in letters
    assert letters.count("_") >= 12 * 4 + 10


def test_numbers_people_can_read():
    text = printed(scoring_page(scoring([family("A", [])], [])))
    assert "about 10^40" in text
    assert "-12.500" in text
    # Rounded to nothing it is nothing, not minus nothing.
    assert " -0.0000" not in text


def test_overfull_families_are_told_once_for_all_scores():
    families = [family("A", []), family("B", ["A"], cells=60, overfull=True)]
    text = printed(scoring_page(scoring(families, [])))
    assert text.count("Over-full") == 1
    assert "0.125" in text
    assert "Over-full" not in printed(scoring_page(scoring([family("A", [])], [])))


def test_many_labels_are_cut_short_with_their_number():
    text = printed(information_page(information(["A"], labels=[f"L{i}" for i in range(20)])))
    assert "L7" in text
    assert "L8" not in text
    assert "12 more" in text


def test_what_is_not_finite_is_still_printed():
    facts = {"methods": ["exact"], "values": [{"n": 1, "r": 2, "exact": float("inf")}]}
    assert "inf" in printed(regret_page(facts))


def test_class_sizes_of_any_magnitude():
    net = {"source": "n", "variables": 2, "arcs": 1, "class_size": 2 * 10**2000}
    small = {**net, "class_size": 999}
    facts = {
        "first": net, "second": small, "on": "cpdag", "shd": 0, "equivalent": False,
        "matching": [{}], "missing": [], "extra": [], "wrongly_oriented": [],
    }  # fmt: skip
    text = printed(comparison_page(facts), width=120)
    assert "about 10^2000" in text
    assert "999" in text
    assert "1 edge in common" in text


def test_information_on_very_wide_tables_is_cut_and_says_so() -> None:
    text = printed(information_page(information([f"c{k}" for k in range(502)])))
    assert "c499" in text
    assert "c500" not in text
    assert "and 2 columns more. --json lists them all." in text
