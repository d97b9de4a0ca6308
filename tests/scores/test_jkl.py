"""Local scores for other exact solvers: the content of the file, what it omits, and the optimum it implies."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.exact import best_network

import qnml
from qnml.errors import FileFormatError, InputError, QnmlError, TooLargeError
from qnml.scores import LocalScores, read_jkl, write_jkl


@pytest.fixture(scope="module")
def table() -> qnml.Table:
    generator = np.random.default_rng(7)
    first = generator.integers(0, 3, 60)
    second = (first + generator.integers(0, 2, 60)) % 3
    third = (first * second + (generator.random(60) < 0.2)) % 2
    return qnml.Table.from_codes(
        [first, second, third, generator.integers(0, 2, 60), (third + second) % 2], names=["a", "b", "c", "d", "e"]
    )


@pytest.mark.parametrize(("score", "parameters"), [("qnml", {}), ("bic", {}), ("bdeu", {"ess": 5.0}), ("fnml", {})])
@pytest.mark.parametrize("max_parents", [None, 2])
def test_every_family_is_there_or_has_a_subset_as_good(
    table: qnml.Table, tmp_path: Path, score: str, parameters: dict[str, float], max_parents: int | None
) -> None:
    path = tmp_path / "scores.jkl"
    written = qnml.write_local_scores(table, path, score, max_parents=max_parents, **parameters)
    scores = qnml.read_local_scores(path)
    assert scores == written
    assert scores.names == table.names
    left_out = 0
    for child in table.names:
        others = [name for name in table.names if name != child]
        every = {
            frozenset(parents): qnml.local_score(table, child, parents, score, **parameters)
            for size in range((4 if max_parents is None else max_parents) + 1)
            for parents in itertools.combinations(others, size)
        }
        assert all(value == pytest.approx(every[parents], rel=1e-12) for parents, value in scores[child].items())
        assert frozenset() in scores[child]
        for parents, value in every.items():
            dominated = any(every[one] >= value for one in every if one < parents)
            assert (parents in scores[child]) != dominated
            left_out += dominated
    assert left_out > 0


def test_another_solver_finds_our_optimum_in_the_file(table: qnml.Table, tmp_path: Path) -> None:
    for score in ("qnml", "bdeu"):
        result = qnml.learn(table, score, guard="off")
        qnml.write_local_scores(result, tmp_path / "scores.jkl")
        scores = qnml.read_local_scores(tmp_path / "scores.jkl")
        names = scores.names

        def local(child: int, parents: frozenset[int], scores: LocalScores = scores) -> float:
            names = scores.names
            return scores[names[child]].get(frozenset(names[p] for p in parents), -math.inf)

        value, network = best_network(len(names), local)
        assert value == pytest.approx(result.score, rel=1e-9)
        assert scores.total(
            {names[i]: [names[p] for p in parents] for i, parents in enumerate(network)}
        ) == pytest.approx(value)


TEXT = """# a remark
3
A 1
-3.5 0
B 2
-2.5e0 1 A
-4 0

C 2
-1.25 2 A B
-7 0
"""


def test_file_by_hand() -> None:
    scores = read_jkl(TEXT)
    assert scores["C"] == {frozenset("AB"): -1.25, frozenset(): -7.0}
    assert scores["B"][frozenset("A")] == -2.5
    assert scores.n_families == 5
    assert "A" in scores
    assert "D" not in scores
    assert scores.total({"A": [], "B": ["A"], "C": ["B", "A"]}) == -7.25
    assert scores.total({"A": ["B"], "B": [], "C": []}) == -math.inf
    with pytest.raises(QnmlError, match="Known: A, B, C"):
        scores["D"]
    assert write_jkl(scores) == "3\nA 1\n-3.5 0\nB 2\n-2.5 1 A\n-4.0 0\nC 2\n-1.25 2 A B\n-7.0 0\n"
    assert write_jkl(scores, "indices").splitlines()[-3:] == ["2 2", "-1.25 2 0 1", "-7.0 0"]


def test_parents_as_numbers_are_understood() -> None:
    # BLIP numbers the variables in both places; others name them and number the parents.
    assert read_jkl(TEXT.replace("1 A", "1 0").replace("2 A B", "2 0 1")) == read_jkl(TEXT)
    numbered = read_jkl(write_jkl(read_jkl(TEXT), "indices"))
    assert numbered["2"][frozenset(("0", "1"))] == -1.25
    # Where the variables themselves have such names, names come first.
    assert read_jkl("2\n1 2\n-1 0\n-0.5 1 0\n0 1\n-2 0\n")["1"][frozenset("0")] == -0.5


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "message"),
    [
        ("\n3\n", "\nthree\n", 2, 1, "the number of variables and found 'three'"),
        ("\n3\n", "\n4\n", 12, 1, "the end of the file"),
        ("\n3\n", "\n2\n", 9, 1, "text after the last"),
        ("C 2", "A 2", 9, 1, "'A' comes twice"),
        ("C 2", "C", 9, 1, "the number of its parent sets"),
        ("-4 0", "nan 0", 7, 1, "expected a score and found 'nan'"),
        ("2 A B", "3 A B", 10, 1, "as many parents"),
        ("2 A B", "2 A D", 10, 11, "'D' is not a variable"),
        ("2 A B", "2 A C", 10, 9, "the variable itself"),
    ],
)
def test_malformed_files_say_where(old: str, new: str, line: int, column: int, message: str) -> None:
    assert old in TEXT
    with pytest.raises(FileFormatError, match=message) as caught:
        read_jkl(TEXT.replace(old, new, 1), "scores.jkl")
    assert (caught.value.line, caught.value.column) == (line, column)


@settings(max_examples=200)
@given(st.integers(0, len(TEXT)), st.integers(0, 8), st.sampled_from(["", "\n", "9", "A", " ", "#", "-", "e", "\x00"]))
def test_damaged_files_raise_our_errors_only(start: int, length: int, piece: str) -> None:
    try:
        scores = read_jkl(TEXT[:start] + piece + TEXT[start + length :])
        assert read_jkl(write_jkl(scores)) == scores
    except QnmlError:
        return


def test_names_that_the_format_cannot_hold(table: qnml.Table, tmp_path: Path) -> None:
    odd = qnml.Table.from_codes(list(table.columns), names=["a", "b b", "c", "d", "e"])
    with pytest.raises(InputError, match=r"'b b'.*style='indices'"):
        qnml.write_local_scores(odd, tmp_path / "scores.jkl")
    assert list(tmp_path.iterdir()) == []
    qnml.write_local_scores(odd, tmp_path / "scores.jkl", style="indices")
    assert qnml.read_local_scores(tmp_path / "scores.jkl").names == ("0", "1", "2", "3", "4")


def test_bad_arguments(table: qnml.Table, tmp_path: Path) -> None:
    path = tmp_path / "scores.jkl"
    with pytest.raises(InputError, match="max_parents=-1"):
        qnml.write_local_scores(table, path, max_parents=-1)
    with pytest.raises(InputError, match="decomposable"):
        qnml.write_local_scores(table, path, "nml")
    with pytest.raises(InputError, match=r"style='name'.*Did you mean 'names'"):
        qnml.write_local_scores(table, path, style="name")
    with pytest.raises(InputError, match="given with score="):
        qnml.write_local_scores(qnml.learn(table, "bdeu", guard="off"), path, ess=2.0)
    with pytest.raises(InputError, match="there is no such file"):
        qnml.read_local_scores(path)
    wide = qnml.Table.from_codes(np.zeros((3, 40), dtype=np.uint8), levels=[2] * 40)
    with pytest.raises(TooLargeError, match="Set max_parents lower"):
        qnml.write_local_scores(wide, path)
    assert qnml.write_local_scores(wide, path, max_parents=1).n_families >= 40
    assert list(tmp_path.iterdir()) == [path]


def test_the_best_of_repeated_parent_sets_counts() -> None:
    text = "2\nA 4\n-3 0\n-2 1 B\n-1.5 0\n-2.5 1 B\nB 1\n-1 0\n"
    assert read_jkl(text)["A"] == {frozenset(): -1.5, frozenset("B"): -2.0}
    assert qnml.learn(read_jkl(text)).score == -2.5


def test_files_in_the_forms_of_other_programs_are_read() -> None:
    """GOBNILP writes names and many digits; URLearning and BLIP number the variables and leave out what is beaten."""
    gobnilp = "3\nsmoke 2\n-120.34567890123 0\n-110.5 1 lung\nlung 2\n-90 0\n-80.25 1 smoke\nx-ray 1\n-5e1 0\n"
    numbered = "3\r\n0 2\r\n-110.5 1 1\r\n-120.34567890123 0\r\n1 2\r\n-80.25 1 0\r\n-90 0\r\n2 1\r\n-50 0\r\n"
    named, by_number = qnml.learn(read_jkl(gobnilp)), qnml.learn(read_jkl(numbered))
    assert named.score == by_number.score == pytest.approx(-250.5)
    assert named.dag.arcs == (("lung", "smoke"),) or named.dag.arcs == (("smoke", "lung"),)
