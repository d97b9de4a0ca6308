"""The content of a table, as facts and as a page."""

from __future__ import annotations

import json

import qnml
from qnml.reports import info_facts, info_page


def column(name, **changed):
    made = {
        "name": name,
        "kind": "text",
        "missing": 0,
        "distinct": 2,
        "action": "keep",
        "reason": "Categories.",
        "levels": ["no", "yes"],
        "cuts": None,
    }
    return {**made, **changed}


def information(columns, *, exact=True, **changed):
    used = [one["name"] for one in columns if one["action"] != "drop"]
    made = {
        "source": "t.csv",
        "rows": 3,
        "total": 3,
        "missing_cells": 0,
        "columns": columns,
        "used": used,
        "remarks": [],
        "notes": [],
        "distinct_rows": 2 if used else None,
        "lattice": {"log2_subsets": len(used), "exact_in_reach": exact},
        "search": None,
    }
    return {**made, **changed}


def looked_at(source, **facts):
    looked = qnml.inspect_table(source)
    table = qnml.read_table(source, prepare="auto") if looked.used else None
    plan = None if table is None else qnml.plan(table.with_missing_level())
    return info_facts(looked, table, "t.csv", plan, plan, **facts)


RAW = {
    "id": [*range(40)],
    "age": [20.5 + k for k in range(40)],
    "sex": ["f", "m"] * 20,
    "rare": [*["x", "y"] * 10, *[None] * 20],
    "many": [f"label {k % 21:02}" for k in range(40)],
}


def test_facts_survive_json_unchanged():
    # Tuples, NumPy numbers and names of other types would be read back differently, or not be written.
    facts = looked_at(RAW)
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts


def test_facts_say_what_is_there_and_what_would_be_done():
    facts = looked_at(RAW)
    assert (facts["rows"], facts["total"], facts["missing_cells"]) == (40, 40, 20)
    assert facts["used"] == ["age", "sex", "rare"]
    done = {one["name"]: one["action"] for one in facts["columns"]}
    assert done == {"id": "drop", "age": "bin", "sex": "keep", "rare": "keep", "many": "drop"}
    assert facts["remarks"] == ["rare: 50% of the cells are missing."]
    assert facts["lattice"]["log2_subsets"] == 3


def test_a_table_that_cannot_be_used_is_described():
    facts = looked_at({"same": [1, 1, 1], "when": [[1], [2], [3]]})
    assert facts["used"] == []
    assert facts["distinct_rows"] is None
    assert [one["action"] for one in facts["columns"]] == ["drop", "drop"]


def test_the_page_says_whether_exact_learning_is_in_reach(printed):
    assert "Exact learning: in reach" in printed(info_page(information([column("A")])))
    text = printed(info_page(information([column("A")], exact=False)))
    assert "Exact learning: out of reach ('qnml learn --method exact --plan' says why)" in text
    assert "Exact learning" not in printed(info_page(information([column("A", action="drop", levels=None)])))


def test_each_column_says_what_would_be_done_and_why(printed):
    columns = [
        column("age", kind="real", action="bin", reason="Real numbers.", levels=["(-inf, 5]", "(5, inf)"], cuts=[5.0]),
        column("id", kind="integer", action="drop", reason="It numbers the rows.", levels=None),
        column("stage", kind="declared", levels=["a", "b", "c"]),
    ]
    text = printed(info_page(information(columns, notes=["Read with separator ';'."], remarks=["Look at this."])))
    for words in ("2 bins, cut at 5", "left out: it numbers the rows.", "kept, 3 (1 unseen): a, b, c"):
        assert words in " ".join(text.split())
    assert "Read with separator ';'." in text
    assert "Look at this." in text


def test_names_that_look_like_markup_are_shown(printed):
    names = ("[bold]A[/bold]", "[/]", ":smile:")
    text = printed(info_page(information([column(name) for name in names])))
    for name in names:
        assert name in text


def test_escape_sequences_are_shown_and_not_sent(printed):
    columns = [column("a\x1b[31m", levels=["\x07", "new\nline"]), column("b\rc")]
    text = printed(info_page(information(columns)))
    assert not set("\x1b\r\x07") & set(text)
    assert "a\\x1b[31m" in text


def test_many_labels_are_cut_short_with_their_number(printed):
    text = printed(info_page(information([column("A", levels=[f"L{k}" for k in range(20)], distinct=20)])))
    assert "kept, 20: L0" in " ".join(text.split())
    assert "L5" in text
    assert "L6" not in text


def test_information_on_very_wide_tables_is_cut_and_says_so(printed):
    text = printed(info_page(information([column(f"c{k}") for k in range(502)])))
    assert "c499" in text
    assert "c500" not in text
    assert "and 2 more columns; --json lists all." in text
