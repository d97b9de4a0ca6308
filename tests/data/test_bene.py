"""bene's file pair."""

from __future__ import annotations

import contextlib
import gzip
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qnml.data import Table, read_bene, read_table, write_bene
from qnml.errors import DataError, FileFormatError, InputError, QnmlError

# rows and columns of each data set, from the table in the data folder's README
_SHAPES = {
    "post_operative": (90, 9), "iris": (150, 5), "wine": (178, 14), "glass": (214, 11), "thyroid": (215, 6),
    "heart_statlog": (270, 14), "breast_cancer": (286, 10), "heart_hungarian": (294, 14),
    "heart_cleveland": (303, 14), "ecoli": (336, 8), "liver": (345, 7), "balance": (625, 5),
    "bc_wisconsin": (699, 11), "diabetes": (768, 9), "tic_tac_toe": (958, 10), "yeast": (1484, 9),
    "abalone": (4177, 9), "page_blocks": (5473, 11), "adult": (32561, 15), "shuttle": (58000, 10),
}  # fmt: skip


def _pair(folder: Path, variables: str | bytes, rows: str | bytes) -> Path:
    for name, content in (("t.vd", variables), ("t.idt", rows)):
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return folder / "t.vd"


@pytest.mark.parametrize("name", _SHAPES)
def test_the_authors_data(data_folder: Path, name: str) -> None:
    folder = data_folder / "uci" / "authors"
    table = read_table(folder / f"{name}.vd")
    assert (table.n_rows, len(table.names)) == _SHAPES[name]
    packed = ".gz" if name in ("adult", "shuttle") else ""
    assert read_table(str(folder / f"{name}.idt{packed}")) == table
    opener = gzip.open if packed else open
    with opener(folder / f"{name}.idt{packed}", "rt") as lines:
        rows = [tuple(map(int, line.split())) for line in lines]
    assert list(zip(*(column.tolist() for column in table.columns), strict=True)) == rows


def test_levels_come_from_the_variables_file(data_folder: Path) -> None:
    table = read_table(data_folder / "uci" / "authors" / "page_blocks.vd")
    assert table.arities["ATT7"] == 3
    assert set(table.codes("ATT7").tolist()) == {0, 2}
    assert read_table(data_folder / "uci" / "authors" / "page_blocks.vd", levels="observed").arities["ATT7"] == 2
    hungarian = read_table(data_folder / "uci" / "authors" / "heart_hungarian.vd")
    assert 1 in hungarian.arities


def test_reads_names_labels_and_line_ends(tmp_path: Path) -> None:
    path = _pair(tmp_path, "sex\tf\tm\r\nage group\t0 .. 9\t10 ..\tolder\r\n", "1\t0\r\n0\t2\r\n\r\n")
    table = read_table(path, weights=[2, 1])
    assert table.names == ("sex", "age group")
    assert table.levels["age group"] == ("0 .. 9", "10 ..", "older")
    assert table.labels("sex").tolist() == ["m", "f"]
    assert table.total == 3
    assert read_table(path, levels={"sex": ["m", "f"]}).codes("sex").tolist() == [0, 1]


def test_either_file_may_be_packed(tmp_path: Path) -> None:
    _pair(tmp_path, "a\tx\ty\n", "1\n0\n")
    expected = read_table(tmp_path / "t.vd")
    for name in ("t.idt", "t.vd"):
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress((tmp_path / name).read_bytes()))
        (tmp_path / name).unlink()
        assert read_bene(tmp_path / f"{name}.gz") == expected
    assert read_table(tmp_path / "t.vd.gz") == expected


@pytest.mark.parametrize(
    ("variables", "rows", "place", "message"),
    [
        ("a\tx\ty\n", "0\n2\n", ("t.idt", 2, 1), "'2' is not a level number of 'a', which has levels 0 to 1"),
        ("a\tx\ty\nb\tx\n", "0\t0\n1\t-1\n", ("t.idt", 2, 2), "'-1'"),
        ("a\tx\ty\n", "0\nx\n", ("t.idt", 2, 1), "'x'"),
        ("a\tx\ty\n", "0\n0.5\n", ("t.idt", 2, 1), r"'0\.5'"),
        ("a\tx\ty\nb\tx\n", "0\t\n", ("t.idt", 1, 2), "not a level number of 'b'"),
        (
            "a\tx\ty\nb\tx\n",
            "0\t0\n0\n",
            ("t.idt", 2, None),
            "the number of cells is 1, but the first line has 2",
        ),
        (
            "a\tx\ty\nb\tx\n",
            "0\n0\n",
            ("t.idt", 1, None),
            r"the number of cells is 1, but t\.vd lists 2 variables",
        ),
        ("a\tx\ty\n", "0\n\n1\n", ("t.idt", 1, None), "blank line"),
        ("a\tx\ty\n", '0\n"1"\n', ("t.idt", 2, None), "quote"),
        ("a\tx\ty\n", "", ("t.idt", None, None), "empty"),
        ("a\tx\ty\n", b"\xff\n", ("t.idt", 1, None), "UTF-8"),
        ("", "0\n", ("t.vd", None, None), "empty"),
        ("a\n", "0\n", ("t.vd", 1, None), "a variable name and its level labels"),
        ("a\tx\n\nb\tx\n", "0\n", ("t.vd", 2, None), "a variable name"),
        ("a\tx\t\n", "0\n", ("t.vd", 1, None), "a variable name"),
        ("\tx\ty\n", "0\n", ("t.vd", 1, None), "a variable name"),
        ("a\tx\nb\tx\na\ty\n", "0\n", ("t.vd", 3, None), "'a' is listed twice"),
        ("a\tx\ty\tx\n", "0\n", ("t.vd", 1, None), "repeat 'x'"),
        ("a\t" + "\t".join(map(str, range(65_537))), "0\n", ("t.vd", 1, None), "identifier"),
    ],
)
def test_errors_name_file_line_and_column(
    tmp_path: Path, variables: str, rows: str | bytes, place: tuple[str, int | None, int | None], message: str
) -> None:
    with pytest.raises(FileFormatError, match=message) as caught:
        read_table(_pair(tmp_path, variables, rows))
    assert (Path(caught.value.path).name, caught.value.line, caught.value.column) == place


def test_half_a_pair(tmp_path: Path) -> None:
    path = _pair(tmp_path, "a\tx\n", "0\n")
    with pytest.raises(InputError, match="no such file"):
        read_table(tmp_path / "u.idt")
    (tmp_path / "t.idt").unlink()
    with pytest.raises(InputError, match=r"t\.idt or t\.idt\.gz, is not beside it"):
        read_table(path)


def test_written_pairs_are_read_back(tmp_path: Path) -> None:
    table = Table.from_codes(
        {"a b": [0, 2, 0], "c": [1, 0, 0]}, levels=[["x", "never", "y z"], [1, 2]], weights=[1, 3, 1]
    )
    variables, rows = write_bene(table, tmp_path / "out.put")
    assert variables.read_text() == "a b\tx\tnever\ty z\nc\t1\t2\n"
    assert rows.read_text() == "0\t1\n2\t0\n2\t0\n2\t0\n0\t0\n"
    again = read_table(variables, levels={"c": [1, 2]})
    assert again.merged() == table.merged()
    for label in ("x\ty", "", "x\n", " x"):
        with pytest.raises(DataError, match="cannot be written"):
            write_bene(Table.from_codes([[0]], levels=[[label]]), tmp_path / "bad")
    assert not (tmp_path / "bad.vd").exists()


def test_a_first_name_that_would_lose_its_byte_order_mark_is_refused(tmp_path: Path) -> None:
    table = Table.from_codes({"\ufeffa": [0, 1], "b": [1, 0]}, levels=[["x", "y"], ["x", "\ufeffy"]])
    with pytest.raises(DataError, match="byte-order mark"):
        write_bene(table, tmp_path / "bad")
    # Inside the file the mark is an ordinary character.
    variables, _ = write_bene(table.select(["b", "\ufeffa"]), tmp_path / "good")
    assert read_table(variables) == table.select(["b", "\ufeffa"])


_PIECES = st.sampled_from(["\t", "\n", "\r", " ", "a", "b", "0", "1", "-1", '"', "\0", "é", "\x85"])
_nasty = st.one_of(st.binary(max_size=40), st.lists(_PIECES, max_size=30).map(lambda pieces: "".join(pieces).encode()))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(variables=st.just(b"a\tx\ty\nb\tx\n") | _nasty, rows=st.just(b"0\t0\n1\t0\n") | _nasty)
def test_no_pair_crashes_the_reader(tmp_path: Path, variables: bytes, rows: bytes) -> None:
    with contextlib.suppress(QnmlError):
        assert read_table(_pair(tmp_path, variables, rows)).n_rows >= 1
