"""The files of a report."""

import dataclasses

import pytest

from qnml.errors import InputError
from qnml.paper.report import write_document, write_report
from qnml.paper.summary.types import PartSummary


def test_a_report_has_markdown_figures_the_booklet_and_the_page(tmp_path, summaries, about):
    written = write_report(summaries, tmp_path / "out", about)
    assert all(path.stat().st_size > 0 for path in written)
    names = {path.name for path in written}
    assert names == {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {
        "table1.md",
        "table2.md",
        "table3.md",
        "figure2.md",
        "figure2.svg",
        "figure2.png",
        "appendix-e.md",
        "appendix-e.pdf",
        "report.html",
        *(f"appendix-e-{name}.{kind}" for name in ("iris", "wine", "glass") for kind in ("svg", "png")),
    }
    assert written[-1].name == "report.html"


def test_the_page_of_the_documentation_finds_its_pictures(tmp_path, summaries, about):
    written = write_document(summaries, tmp_path / "docs" / "paper.md", about)
    text = written[-1].read_text(encoding="utf-8")
    assert text.startswith("# The paper's experiments, reproduced\n")
    for told in (
        "2026-01-02; do not edit",
        "qnml 9.8.7, seed 2018, `qnml paper all --reps 7`.",
        "Took an hour.",
        "| 6 of 8 |",
        "| 2 of 3 |",
    ):
        assert told in text
    assert "(paper/figure2.svg)" in text
    assert (tmp_path / "docs" / "paper" / "figure2.svg").is_file()
    headings = [line for line in text.splitlines() if line.startswith("## ")]
    assert [heading.split(":")[0] for heading in headings] == [
        "## Contents",
        "## Overview",
        "## Table 1",
        "## Figure 2",
        "## Table 2",
        "## Table 3",
        "## Appendix E",
    ]


def test_a_place_that_cannot_be_written_is_named(tmp_path, summaries, about):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(InputError, match=r"out=.*file.*place that can be written"):
        write_report(summaries, tmp_path / "file" / "out", about)


def test_figures_are_named_by_what_tells_them_apart(tmp_path, shd, about):
    titles = ("Mean SHD; ties at random", "Mean SHD; ties towards fewest")
    figures = tuple(dataclasses.replace(shd, title=title, panels=shd.panels[:1]) for title in titles)
    part = PartSummary("figure2", (), figures, (), None)
    written = {path.name for path in write_document([part], tmp_path / "paper.md", about)}
    assert written == {"figure2-at-random.svg", "figure2-towards-fewest.svg", "paper.md"}
    same = PartSummary("figure2", (), (figures[0], figures[0]), (), None)
    assert {path.name for path in write_document([same], tmp_path / "paper.md", about)} == {
        "figure2-1.svg",
        "figure2-2.svg",
        "paper.md",
    }
