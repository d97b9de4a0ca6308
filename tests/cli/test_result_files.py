"""Files that commands write: they never replace an input or one another, and are never incomplete."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

import qnml
from qnml.data import write_bene
from qnml.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

resource = pytest.importorskip("resource", reason="limits on the size of files are those of Unix")

OLD = b"what was there before"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A table, a network and knowledge, with names that every format takes."""
    table = qnml.datasets.sample("asia", 200, seed=1).to_frame().select("asia", "lung", "smoke")
    table.write_csv(tmp_path / "data.csv")
    table.write_parquet(tmp_path / "data.parquet")
    qnml.write_network(qnml.datasets.load_network("asia"), tmp_path / "asia.bif")
    (tmp_path / "known.json").write_text("{}", encoding="utf-8")
    (tmp_path / "net.txt").write_text("[A][B|A]", encoding="utf-8")
    return tmp_path


@contextlib.contextmanager
def full_disk(most: int) -> Iterator[None]:
    """Limit the size of files to this number of bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


WRITING = [
    *(f"learn data.csv --output OUT{kind}" for kind in (".txt", ".dot", ".json", ".bif")),
    *(f"learn data.csv --plot OUT{kind}" for kind in (".svg", ".png")),
    *(f"posterior data.csv --output OUT{kind}" for kind in (".csv", ".parquet")),
    *(f"posterior data.csv --plot OUT{kind}" for kind in (".svg", ".png", ".dot")),
    *(f"posterior data.csv --heat-map OUT{kind}" for kind in (".svg", ".png", ".pdf")),
    *(f"sample asia.bif 500 --seed 1 --output OUT{kind}" for kind in (".csv", ".parquet")),
    *(f"predict asia.bif data.csv --target lung --output OUT{kind}" for kind in (".csv", ".parquet")),
    *(f"convert asia.bif OUT{kind}" for kind in (".xdsl", ".json.gz", ".graphml", ".txt")),
]


@pytest.mark.parametrize("words", WRITING)
def test_a_full_disk_keeps_the_old_file(words, qnml_command, folder, monkeypatch):
    monkeypatch.chdir(folder)
    (target,) = (word for word in words.split() if word.startswith("OUT"))
    Path(target).write_bytes(OLD)
    before = sorted(os.listdir())
    with full_disk(10):
        outcome = qnml_command(*words.split())
    assert (outcome.code, len(outcome.err.splitlines())) == (2, 1), outcome
    assert target in outcome.err
    assert "must be a place that can be written. File too large" in outcome.err
    assert Path(target).read_bytes() == OLD
    assert sorted(os.listdir()) == before
    # The same command without the limit: the test reaches the writing.
    assert qnml_command(*words.split()).code == 0
    assert Path(target).read_bytes() != OLD


@pytest.mark.parametrize(("rows", "letters"), [(500, 1), (2, 500)])
def test_a_full_disk_keeps_files_that_belong_together(folder, rows, letters):
    paths = write_bene(qnml.read_table(folder / "data.csv"), folder / "pair")
    before = [path.read_bytes() for path in paths]
    # Only one of the two is too large: that with the rows, or that with the labels.
    new = qnml.Table.from_codes([[0, 1] * (rows // 2)], levels=[["a" * letters, "b" * letters]])
    with full_disk(100), pytest.raises(InputError, match=r"write_bene\(stem=.*a place that can be written"):
        write_bene(new, folder / "pair")
    assert [path.read_bytes() for path in paths] == before
    (folder / "pair.idt").unlink()
    (folder / "pair.idt").mkdir()
    with pytest.raises(InputError, match=r"pair\.idt.*Is a directory"):
        write_bene(new, folder / "pair")
    assert paths[0].read_bytes() == before[0]


def test_a_full_disk_keeps_local_scores(folder):
    path = folder / "scores.jkl"
    path.write_bytes(OLD)
    with full_disk(10), pytest.raises(InputError, match=r"write_local_scores\(path=.*can be written"):
        qnml.write_local_scores(qnml.read_table(folder / "data.csv"), path)
    assert path.read_bytes() == OLD


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("posterior data.csv --output data.csv", "--output"),
        ("posterior data.parquet --output linked.parquet", "--output"),
        ("posterior data.csv --output ./data.csv", "--output"),
        ("learn data.csv --knowledge known.json --output known.json", "--output"),
        ("posterior data.csv --knowledge known.json --plot known.svg", "--plot"),
        ("predict asia.bif data.csv --target lung --output data.csv", "--output"),
        ("sample net.csv 5 --output net.csv", "--output"),
        ("convert asia.bif asia.bif", "OUT"),
        ("convert net.txt net.txt", "OUT"),
        ("convert asia.bif linked.bif --to json", "OUT"),
    ],
)
def test_an_output_that_is_an_input_is_refused(words, option, qnml_command, folder, monkeypatch):
    monkeypatch.chdir(folder)
    Path("linked.parquet").symlink_to("data.parquet")
    Path("known.svg").symlink_to("known.json")
    os.link("asia.bif", "linked.bif")
    before = {name: Path(name).read_bytes() for name in os.listdir()}
    outcome = qnml_command(*words.split())
    command = words.split()[0]
    outcome.assert_refused(f"{command}({option}=", "another file than the input. It would be overwritten.")
    assert {name: Path(name).read_bytes() for name in os.listdir()} == before


@pytest.mark.parametrize(
    "words",
    [
        "learn data.csv --output x.json --output ./x.json",
        "learn data.csv --output x.json --plot link.svg",
        "posterior data.csv --plot x.svg --heat-map x.svg",
        "posterior data.csv --output x.csv --output x.csv",
    ],
)
def test_two_outputs_in_one_file_are_refused(words, qnml_command, folder, monkeypatch):
    monkeypatch.chdir(folder)
    Path("link.svg").symlink_to("x.json")
    qnml_command(*words.split()).assert_refused("another file than another output", "overwritten")
    assert not Path("x.json").exists()


def test_a_page_of_the_paper_does_not_replace_results(qnml_command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for page, said in (
        ("out/settings.json", "another file than the results in --out"),
        ("out/table1.md", "another file than the results in --out"),
        ("page", "a file name with an ending"),
    ):
        outcome = qnml_command("paper", "table1", "--out", "out", "--document", page)
        outcome.assert_refused(f"paper(--document='{page}')", said)
    assert os.listdir() == []


def test_a_new_output_beside_the_input_is_written(qnml_command, folder, monkeypatch):
    monkeypatch.chdir(folder)
    assert qnml_command("posterior", "data.csv", "--output", "pairs.csv").code == 0
    assert pl.read_csv("pairs.csv").height > 0
