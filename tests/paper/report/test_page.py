"""The page: well formed, complete and self-contained."""

import dataclasses
import re
from html.parser import HTMLParser

import pytest

from qnml.paper.report.page import report_page

VOID = {"meta", "br", "img", "link"}


def stand_in(figure):
    """A drawing with every element that can clash when several share a page."""
    return (
        '<?xml version="1.0"?>\n<!DOCTYPE svg>\n<svg width="72pt" height="36pt" viewBox="0 0 72 36">'
        '<defs><path id="letter" d="M 0 0"/><clipPath id="edge"><path d="M 0 0"/></clipPath></defs>'
        '<g clip-path="url(#edge)"><use xlink:href="#letter"/></g></svg>\n'
    )


class Reader(HTMLParser):
    """Checks that tags close in order, and gathers names, links and text."""

    def __init__(self):
        super().__init__()
        self.open, self.names, self.links, self.text = [], [], [], []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.names += [attributes["id"]] if "id" in attributes else []
        self.links += [attributes[name] for name in ("href", "src", "xlink:href") if name in attributes]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture
def page(summaries, about):
    return report_page(summaries, about, stand_in)


@pytest.fixture
def read(page):
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def test_the_page_needs_nothing_else(page, read):
    assert all(link.startswith("#") for link in read.links)
    assert "@import" not in page
    assert "<script" not in page
    assert {found[5:] for found in re.findall(r"url\([^)]*", page)} <= set(read.names)


def test_names_are_unique_and_every_link_leads_somewhere(read):
    assert len(read.names) == len(set(read.names))
    assert {link[1:] for link in read.links} <= set(read.names)


def test_the_page_says_where_the_results_come_from(read):
    text = " ".join(read.text)
    for told in ("qnml 9.8.7", "2026-01-02", "seed 2018", "qnml paper all --reps 7", "Took an hour.", "Silander"):
        assert told in text


def test_parts_stand_in_the_order_of_the_paper(read):
    sections = [name for name in read.names if name in ("table1", "figure2", "table2", "table3", "appendix-e")]
    assert sections == ["table1", "figure2", "table2", "table3", "appendix-e"]


def test_numbers_stand_beside_the_printed_ones(page):
    assert '<span class="best">2.26</span> <span class="error">± 0.02</span>' in page
    assert '<td class="paper"><span class="best">2.27</span></td><td>−0.4</td>' in page
    assert '<td class="off">−16.0 ✗</td>' in page
    assert '<span class="worst">2.83</span>' in page
    assert page.count('<tr class="sum"><td>mean</td>') == 1


def test_claims_show_their_verdicts_and_evidence(page):
    assert page.count('class="verdict yes">✓ Holds') == 2
    assert page.count('class="verdict no">✗ Does not hold') == 1
    assert page.count('class="verdict open">Undecided') == 1
    assert "At N = 400 BIC leads by 0.03." in page
    assert "Nobody can tell &lt;this&gt;." in page


def test_the_overview_counts(page):
    overview = page[page.index('id="overview"') : page.index('id="table1"')]
    assert "<td>exact</td><td>2 of 3</td>" in overview
    assert "<td>20 to 30 repetitions</td><td>6 of 8</td><td>1 of 1</td>" in overview
    assert "<td>1 of 3, 1 undecided</td>" in overview
    assert "Not run: no data folder; set QNML_DATA." in overview


def test_figures_are_in_the_page(page, read):
    assert page.count("<svg") == 4
    assert page.count('width="86.4pt" height="43.2pt"') == 4
    assert page.count("<details>") == 0
    assert 'aria-label="Distance, canonical ties"' in page
    assert "<?xml" not in page


def test_many_figures_are_seen_at_a_glance(summaries, about, booklet):
    many = tuple(dataclasses.replace(booklet[0], title=f"set {number}") for number in range(7))
    part = dataclasses.replace(summaries[0], figures=many)
    page = report_page([part], about, lambda figure: f"<svg>{len(figure.panels)} {figure.panels[0].title}</svg>")
    glance, one_by_one = page.split("<details>")
    assert glance.count("<svg>7 set 0</svg>") == 2
    assert one_by_one.count("<svg>2 prediction</svg>") == 7


def test_real_figures_make_a_sound_page(summaries, about, shd):
    part = next(part for part in summaries if part.part == "figure2")
    reader = Reader()
    reader.feed(report_page([dataclasses.replace(part, figures=(shd, shd))], about))
    assert reader.open == []
    assert len(reader.names) == len(set(reader.names))
    assert {link[1:] for link in reader.links} <= set(reader.names)
