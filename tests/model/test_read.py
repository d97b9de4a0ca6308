"""Formats are chosen by file name; files are read and written completely or not at all."""

import gzip
import os
from pathlib import Path

import pytest

from qnml.errors import CycleError, FileFormatError, InputError
from qnml.graph import Dag
from qnml.model import Network, read_network, read_structure, write_network

NET = Network(
    Dag.from_arcs(["a", "b"], [("a", "b")]),
    {"a": ["no", "yes"], "b": ["no", "yes"]},
    {"a": [0.25, 0.75], "b": [[0.9, 0.1], [0.2, 0.8]]},
    {"name": "small"},
)
ENDINGS = [
    ".bif",
    ".bif.gz",
    ".json",
    ".json.gz",
    ".BIF",
    ".Json.GZ",
    ".xmlbif",
    ".bifxml.gz",
    ".xml",
    ".net",
    ".dsc.gz",
]
ENDINGS += [".XDSL"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_ending_round_trips(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"net{ending}"
    write_network(NET, path)
    assert read_network(str(path)) == NET
    assert read_network(path).properties == NET.properties
    assert path.read_bytes().startswith(b"\x1f\x8b") == ending.lower().endswith(".gz")
    dag, levels = read_structure(path)
    assert dag == NET.dag
    assert levels == NET.levels


def test_compressed_files_are_the_same_every_time(tmp_path: Path) -> None:
    write_network(NET, tmp_path / "one.bif.gz")
    os.utime(tmp_path / "one.bif.gz", (0, 0))
    write_network(NET, tmp_path / "two.bif.gz")
    assert (tmp_path / "one.bif.gz").read_bytes() == (tmp_path / "two.bif.gz").read_bytes()


@pytest.mark.parametrize("name", ["net.xls", "net", "net.gz", "net.txt", ".bif"])
def test_unknown_endings_list_the_known(tmp_path: Path, name: str) -> None:
    for call in (read_network, lambda path: write_network(NET, path)):
        with pytest.raises(InputError, match=r"\.bif, \.bif\.gz, \.json, \.json\.gz"):
            call(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_format_can_be_named(tmp_path: Path) -> None:
    write_network(NET, tmp_path / "net", "dsc")
    assert read_network(tmp_path / "net", format="dsc") == NET
    with pytest.raises(InputError, match=r"Known: bif, json, .*Did you mean 'net'"):
        write_network(NET, tmp_path / "net", "nets")
    with pytest.raises(InputError, match="write_structure writes it"):
        write_network(NET, tmp_path / "net.dot")


def test_model_strings_inline_and_in_files(tmp_path: Path) -> None:
    expected = Dag.from_arcs(["A", "B"], [("A", "B")])
    assert read_structure("[A][B|A]") == (expected, None)
    (tmp_path / "net.txt").write_text("\n[A]\n[B|A]\n")
    assert read_structure(tmp_path / "net.txt") == (expected, None)
    with gzip.open(tmp_path / "net.txt.gz", "wt") as file:
        file.write("[A][B|A]")
    assert read_structure(str(tmp_path / "net.txt.gz")) == (expected, None)


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("[A][B|A", 1, 8, "not closed"),
        ("[A]\n[B|C]", 2, 4, "'C'"),
        ("", 1, 1, "no variable"),
        ("[A|B][B|A]", None, None, "A -> B -> A"),
    ],
)
def test_malformed_model_string_files_say_where(
    tmp_path: Path, text: str, line: int | None, column: int | None, message: str
) -> None:
    path = tmp_path / "net.txt"
    path.write_text(text)
    with pytest.raises(FileFormatError, match=message) as caught:
        read_structure(path)
    assert (caught.value.line, caught.value.column, caught.value.path) == (line, column, str(path))


def test_malformed_inline_model_strings() -> None:
    with pytest.raises(FileFormatError, match="not closed"):
        read_structure("[A][B|A")
    with pytest.raises(CycleError):
        read_structure("[A|B][B|A]")


@pytest.mark.parametrize("call", [read_network, read_structure])
def test_files_that_cannot_be_read(tmp_path: Path, call: type) -> None:
    with pytest.raises(InputError, match=r"missing\.bif.*no such file"):
        call(tmp_path / "missing.bif")
    (tmp_path / "folder.bif").mkdir()
    with pytest.raises(InputError, match=r"folder\.bif"):
        call(tmp_path / "folder.bif")
    with pytest.raises(InputError, match="must be a path"):
        call("nul\0l.bif")
    for content in (b"not gzip", gzip.compress(b"network")[:-3], b""):
        (tmp_path / "broken.bif.gz").write_bytes(content)
        with pytest.raises(FileFormatError):
            call(tmp_path / "broken.bif.gz")


def test_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    write_network(NET, tmp_path / "net.json")
    marked = tmp_path / "marked.json"
    marked.write_bytes(b"\xef\xbb\xbf" + (tmp_path / "net.json").read_bytes())
    assert read_network(marked) == NET


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "net.json"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(InputError, match="No space left"):
        write_network(NET, path)
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["net.json"]


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        write_network(NET, tmp_path / "nowhere" / "net.json")
    lone = Network(Dag.empty(["\ud800"]), {"\ud800": ["x"]}, {"\ud800": [1.0]})
    with pytest.raises(InputError, match="not Unicode"):
        write_network(lone, tmp_path / "net.json")
    assert list(tmp_path.iterdir()) == []


def test_links_are_followed(tmp_path: Path) -> None:
    target = tmp_path / "real.json"
    target.write_text("old")
    link = tmp_path / "link.json"
    try:
        link.symlink_to(target)
    except OSError:
        pytest.skip("this system has no symbolic links")
    write_network(NET, link)
    assert link.is_symlink()
    assert read_network(target) == NET
