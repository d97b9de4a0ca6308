"""Graphs in the notation of dagitty."""

from __future__ import annotations

import random

import pytest

from qnml.errors import FileFormatError, InputError
from qnml.graph import Dag
from qnml.model import read_dagitty
from qnml.model.files.structure import write_dagitty

# As dagitty shows its example of Shrier and Platt (2008), shortened.
BROWSER = """dag {
bb="-2,-2,2,2"
"Warm Up Exercises" [exposure,pos="-0.5,1.2"]
Injury [outcome,pos="0.5,1.2"]
Coach [pos="0.1,-1.4"] // the trainer
Coach -> {Fitness "Team motivation"}
Fitness -> "Warm Up Exercises"
"Team motivation" -> "Warm Up Exercises" -> Injury
Injury <- Fitness; lonely
}
"""


def test_what_the_browser_shows():
    graph = read_dagitty(BROWSER)
    warm, motivation = "Warm Up Exercises", "Team motivation"
    assert graph == Dag.from_arcs(
        [warm, "Injury", "Coach", "Fitness", motivation, "lonely"],
        [("Coach", "Fitness"), ("Coach", motivation), ("Fitness", warm), (motivation, warm), (warm, "Injury"),
         ("Fitness", "Injury")],
    )  # fmt: skip
    assert graph.adjustment_sets(warm, "Injury") == (("Fitness",),)


def test_what_is_written_is_read_again():
    chance = random.Random(1)
    names = ["a", "b c", 'quoted "x"', "d.e", "1", "back\\slash", "dag", "x=1"]
    for _ in range(50):
        order = chance.sample(names, len(names))
        arcs = [(a, b) for k, a in enumerate(order) for b in order[k + 1 :] if chance.random() < 0.4]
        dag = Dag.from_arcs(names, arcs)
        assert read_dagitty(write_dagitty(dag)) == dag
        mpdag = dag.to_cpdag().orient(arcs[:2])
        assert read_dagitty(write_dagitty(mpdag)) == mpdag


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "must begin with dag or pdag"),
        ("graph { a }", 1, "must begin with dag or pdag, not 'graph'"),
        ("dag a -> b", 1, "in braces"),
        ("dag {\na -> }", 2, "a node is expected, not '}'"),
        ("dag {\na -> b", 2, "ends too early"),
        ("dag {\na <-> b }", 2, "unobserved cause"),
        ("dag {\na -- b }", 2, "only a pdag"),
        ("dag {\na ! b }", 2, "cannot be read from '! b }'"),
        ('dag { "' + "\\a" * 5000, 1, "cannot be read"),
        ("dag { a } b", 1, "text after the last brace"),
        ("dag { {a -> b} }", 1, "names in braces"),
        ("dag { a -> b -> a }", None, "form a cycle"),
        ("pdag { a -- b -- c -- d -- a }", None, "no consistent extension"),
    ],
)
def test_malformed_texts_say_where(text, line, message):
    with pytest.raises(FileFormatError, match=message) as caught:
        read_dagitty(text)
    assert caught.value.line == line


def test_a_comment_may_come_first():
    assert read_dagitty("# partly known\npdag known { a -- b }").undirected == (("a", "b"),)


def test_bad_arguments():
    with pytest.raises(InputError, match=r"read_dagitty\(text=3\)"):
        read_dagitty(3)
