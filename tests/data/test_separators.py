"""The separator of a file: the only one that fits, never an ambiguous one."""

import io

import pytest

from qnml.data import FileOptions, open_file, read_table
from qnml.data.delimited import checked_text
from qnml.data.separators import guessed_separator, single_blanks
from qnml.errors import FileFormatError

MARKS = {",": ",", ";": ";", "\t": "tab", "|": "|"}


def guessed(text, usual=",", decimal=None, header=True):
    return guessed_separator("t.csv", checked_text("t.csv", text.encode()), usual, 1e9, decimal=decimal, header=header)


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("usual", [",", "\t", None])
@pytest.mark.parametrize(
    "text",
    [
        "a;b\n1;2\n",
        "a;b",
        ";a\n0;1\n",
        "a;b\r\n1;2\r\n",
        '"a,;|\tb";c\n1;2\n',
        "\n\na;b\n\n1;2",
        "a;b;\n1;2;\n",
        "a b;c\nx y;z",
    ],
)
def test_one_that_the_first_line_has_is_taken(text, mark, usual):
    other = next(one for one in MARKS if one != mark)
    assert guessed(text.replace(",", other).replace(";", mark).replace("|\t", other * 2), usual) == mark


@pytest.mark.parametrize(
    ("text", "usual", "mark"),
    [
        ("a,b;c\n1;2\n3;4\n", ",", ";"),
        ("a,b;c\n1,2\n3,4\n", ",", ","),
        ("a;b\tc\n1;2\t3\n", "\t", "\t"),
        ("a|b\tc\n1\t3\n", ",", "\t"),
        ('a,b;c\n"1\n2";3\n\n4;5\n', ",", ";"),
        ('a,b;c\n5" disk;3\n', ",", ";"),
        ("a,b;c\n1;2\n\n3;4\n", ",", ";"),
        # If none fits, the usual separator is used, and its error names the line.
        ("a,b;c\n1;2;3\n3,4,5\n", ",", ","),
        ("a;b|c\n1;2;3\n3|4|5\n", ",", ";"),
    ],
)
def test_of_several_the_one_that_divides_every_line_alike(text, usual, mark):
    assert guessed(text, usual) == mark


def test_several_that_fit_are_an_error_that_names_them():
    with pytest.raises(FileFormatError, match=r"',' and ';' both divide every line.*say which one by separator="):
        guessed("a,b;c\n1,2;3\n")
    with pytest.raises(FileFormatError, match=r"',' and ';' and '\|' all divide"):
        guessed("a,b;c|d\n1,2;3|4\n")
    assert guessed("a,b;c\n1,2;3\n", decimal=",") == ";"
    assert guessed("a,b\n1,2\n", decimal=",") == ","


@pytest.mark.parametrize(
    ("text", "usual", "mark"),
    [
        ("a b\n1 2\n3 4\n", ",", " "),
        ("a  b\n1 \t 2\n  3    4  \n", None, " "),
        ("a b\nx 1\ny NA\n", ",", " "),
        ("a b c\nx 1,5 y\n", ",", " "),
        ('a b\n"x y" 1\n', ",", " "),
        # text, or not the same number of words in each line
        ("full name\nJohn Smith\nJane Doe\n", ",", ","),
        ("full name\nJohn Smith\nJane Doe\n", "\t", "\t"),
        ("full name\nJohn Smith\nJane van Doe\n", None, ","),
        ("name\nJohn\nJane\n", ",", ","),
        ("name\nJohn 1\nJane 2\n", ",", ","),
        ("a b\n1 2\n3\n", ",", ","),
    ],
)
def test_blanks_are_the_last_choice(text, usual, mark):
    assert guessed(text, usual) == mark


def test_words_without_a_promise_are_an_error():
    with pytest.raises(FileFormatError, match="one text in 2 words, or 2 cells separated by blanks; say which"):
        guessed("full name\nJohn Smith\n", None)
    assert guessed("1 Smith\n2 Doe\n", None, header=False) == " "


def test_one_column_stays_possible(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("city\nBonn\nKöln\n", encoding="utf-8")
    assert read_table(path).levels == (("Bonn", "Köln"),)
    path.write_text("city\nBonn, am Rhein\nKöln\n", encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"line 2: .* if the separator is not ',', give separator="):
        read_table(path)
    assert read_table(path, separator=";").levels == (("Bonn, am Rhein", "Köln"),)


def test_a_separator_that_is_not_there_is_told():
    found = open_file(io.BytesIO(b"a,b\n1,2\n"), FileOptions(separator="|", decimal="."))
    assert found.frame.columns == ["a,b"]
    assert found.notes == ("Read as one column: the first line has no '|'. Is the separator ','?",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"a  b\n 1\t2 \n", b"a b\n1 2\n"),
        (b"a b \r\n1  2\r\n", b"a b\r\n1 2\r\n"),
        (b'"a  b"   c\n', b'"a  b" c\n'),
        (b"  a\n", b"a\n"),
        (b"a\n\n  \nb", b"a\n\n\nb"),
    ],
)
def test_runs_of_blanks_become_one(text, expected):
    assert single_blanks(text) == expected


def test_a_quote_in_the_first_line_that_is_not_closed():
    assert guessed('5" disk;n\n1;2\n') == ";"
    assert guessed('5" disk;n\n' + "1;2\n" * 50_000) == ";"


def test_nothing_is_guessed_where_the_caller_says(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b;c\n1,2;3\n", encoding="utf-8")
    assert read_table(path, separator="comma").names == ("a", "b;c")
    assert read_table(path, separator=";", decimal=".").names == ("a,b", "c")
