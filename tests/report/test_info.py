"""The content of a table, as facts and as a page."""

import json
import math

import qnml
from qnml.report import info_facts, info_page


def information(names, labels=("no", "yes"), *, exact=True):
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
        "variables": variables, "lattice": {"log2_subsets": len(names), "exact_in_reach": exact},
    }  # fmt: skip


def test_facts_survive_json_unchanged(table):
    # Tuples, numpy numbers and names of other kinds would come back different, or not go out at all.
    facts = info_facts(table, "t.csv", has_missing=False, exact_in_reach=True)
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts


def test_a_level_called_like_a_missing_one_is_a_level_where_nothing_is_missing():
    table = qnml.Table.from_codes([[0, 1, 1]], names=["A"], levels=[["a", "?"]])
    complete = info_facts(table, "t", has_missing=False, exact_in_reach=True)["variables"][0]
    assert (complete["labels"], complete["missing"]) == (["a", "?"], 0)
    holed = info_facts(table, "t", has_missing=True, exact_in_reach=True)["variables"][0]
    assert (holed["labels"], holed["missing"]) == (["a"], 2)


def test_distinct_rows_are_counted(table):
    rows = {tuple(row) for row in zip(*(column.tolist() for column in table.columns), strict=True)}
    facts = info_facts(table, "t", has_missing=False, exact_in_reach=True)
    assert facts["distinct_rows"] == len(rows)
    assert facts["rows"] == facts["total"] == 200
    for variable, codes in zip(facts["variables"], table.columns, strict=True):
        assert variable["n_observed"] == len(set(codes.tolist()))
    assert math.prod([2] * facts["lattice"]["log2_subsets"]) == 256


def test_the_page_says_whether_exact_learning_is_in_reach(printed):
    assert "Exact learning: in reach" in printed(info_page(information(["A"])))
    text = printed(info_page(information(["A"], exact=False)))
    assert "Exact learning: out of reach ('qnml learn --method exact --plan' says why)" in text


def test_names_that_look_like_markup_are_shown(printed):
    text = printed(info_page(information(["[bold]A[/bold]", "[/]", ":smile:"])))
    for name in ("[bold]A[/bold]", "[/]", ":smile:"):
        assert name in text


def test_escape_sequences_are_shown_and_not_sent(printed):
    text = printed(info_page(information(["a\x1b[31m", "b\rc"], labels=["\x07", "new\nline"])))
    assert not set("\x1b\r\x07") & set(text)
    assert "a\\x1b[31m" in text
    assert "new\\nline" in text


def test_many_labels_are_cut_short_with_their_number(printed):
    text = printed(info_page(information(["A"], labels=[f"L{i}" for i in range(20)])))
    assert "L7" in text
    assert "L8" not in text
    assert "12 more" in text


def test_information_on_very_wide_tables_is_cut_and_says_so(printed):
    text = printed(info_page(information([f"c{k}" for k in range(502)])))
    assert "c499" in text
    assert "c500" not in text
    assert "and 2 more columns; --json lists all." in text
