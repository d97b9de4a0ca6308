"""DOT, SVG and PNG: pictures are complete and show strengths, and unusual names are safe."""

import itertools
import os
import re
import subprocess
import sys
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from qnml.errors import InputError, MissingExtraError
from qnml.graph import Dag
from qnml.reports.parts import visible
from qnml.reports.picture import check_picture, dot, to_dot, to_pdf, to_png, to_svg, write_picture, writing
from qnml.reports.picture.drawing import drawing_of

BITS = {("rain", "wet"): 200.0, ("sprinkler", "wet"): 3.0, ("sun", "sprinkler"): -1.5}
ODD_NAMES = ['a<b>&"c"', "$x_1$", "名前", "tab\there", "x" * 80, "\\N", "&amp;", "]]>", "\ud800", "\x00"]
SVG = "{http://www.w3.org/2000/svg}"

needs_dot = pytest.mark.skipif(dot.dot_program() is None, reason="Graphviz is not installed")


@pytest.fixture
def garden():
    """A v-structure, an edge without direction, and a node by itself."""
    names = ["rain", "sprinkler", "wet", "sun", "cat"]
    arcs = [("rain", "wet"), ("sprinkler", "wet"), ("sprinkler", "sun")]
    return Dag.from_arcs(names, arcs).to_cpdag()


@pytest.fixture
def odd():
    """A chain of names with special characters of XML, DOT or TeX, or that cannot be shown."""
    return Dag.from_arcs(ODD_NAMES, itertools.pairwise(ODD_NAMES))


@pytest.fixture
def without_programs(monkeypatch):
    """A machine with neither Graphviz nor matplotlib."""
    monkeypatch.setattr(writing, "dot_program", lambda: None)
    monkeypatch.setattr(writing, "has_matplotlib", lambda: False)
    for module in ("matplotlib", "matplotlib.backends.backend_agg", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, module, None)


def lines_of(svg):
    """Title → (stroke width, colour, dashed, has a head) for every line of an SVG of ours."""
    found = {}
    for group in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        paths = group.findall(f"{SVG}path")
        if paths:
            stroke = paths[0]
            look = (float(stroke.get("stroke-width")), stroke.get("stroke"), "stroke-dasharray" in stroke.attrib)
            found[group.findtext(f"{SVG}title")] = (*look, len(paths) == 2)
    return found


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_every_node_and_line_is_in_the_svg(garden):
    svg = to_svg(garden, BITS, layout="own")
    texts = [text.text for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    assert texts[:5] == ["rain", "sprinkler", "wet", "sun", "cat"]
    assert set(lines_of(svg)) == {
        "rain → wet: 200 bits",
        "sprinkler → wet: 3.0 bits",
        "sprinkler — sun: -1.5 bits",
    }


def test_strong_lines_are_thick_and_dark_and_undirected_ones_have_no_head(garden):
    lines = lines_of(to_svg(garden, BITS, layout="own"))
    strong, weak, free = (lines[key] for key in sorted(lines, key=lambda key: -float(re.search(r": (\S+)", key)[1])))
    assert strong[0] > weak[0] > free[0]
    assert luminance(strong[1]) < luminance(weak[1]) <= luminance(free[1])
    # The web accessibility guidelines require 3:1 against white for graphics.
    assert 1.05 / (luminance(free[1]) + 0.05) > 3
    assert (strong[2], weak[2], free[2]) == (False, False, True)
    assert (strong[3], weak[3], free[3]) == (True, True, False)


def test_the_caption_says_what_the_reader_sees(garden):
    def caption(graph, bits):
        texts = ElementTree.fromstring(to_svg(graph, bits, layout="own")).iter(f"{SVG}text")
        return " ".join(text.text for text in texts)

    full = caption(garden, BITS)
    for words in ("-1.5 to 200", "Dashed", "No arrowhead"):
        assert words in full
    plain = caption(Dag.from_arcs(["a", "b"], [("a", "b")]), None)
    assert plain == "a b"


def test_strengths_from_a_result_and_an_explanation(garden):
    arcs = [SimpleNamespace(parent=a, child=b, removal_cost_bits=cost) for (a, b), cost in BITS.items()]
    explanation = SimpleNamespace(arcs=arcs)
    result = SimpleNamespace(dag=garden.consistent_extension(), mpdag=garden, explanation=explanation)
    expected = to_dot(garden, BITS)
    assert to_dot(garden, explanation) == expected
    assert to_dot(result) == expected
    # A network is drawn with its own arcs.
    assert 'dir="none"' not in to_dot(SimpleNamespace(dag=garden.consistent_extension()))


def test_strengths_that_are_no_numbers_are_left_out(garden):
    lines = drawing_of("test", garden, {("rain", "wet"): float("nan"), ("sprinkler", "wet"): float("inf")}).lines
    assert {line.bits for line in lines} == {None}


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(InputError, match=r"to_dot\(graph='A'\)"):
        to_dot("A")
    with pytest.raises(InputError, match=r"strengths=3"):
        to_svg(Dag.from_arcs(["a", "b"], [("a", "b")]), 3)
    with pytest.raises(InputError, match=r"layout='neato'"):
        to_svg(Dag.empty(["a", "b"]), layout="neato")


def test_odd_names_in_svg(odd):
    root = ElementTree.fromstring(to_svg(odd, layout="own"))
    titles = {title.text or "" for title in root.iter(f"{SVG}title")}
    assert {visible(name) for name in ODD_NAMES} <= titles
    longest = max(len(text.text or "") for text in root.iter(f"{SVG}text"))
    assert longest <= 30


def unquoted(text):
    """The quoted strings of a DOT text, as the language defines them."""
    return [piece.replace('\\"', '"').replace("\\\\", "\\") for piece in re.findall(r'"((?:[^"\\]|\\.)*)"', text)]


def test_dot_names_nodes_by_their_names():
    names = ['say "a"', "back\\slash", "end\\", "a -> b", "strict"]
    text = to_dot(Dag.from_arcs(names, [(names[0], names[1])]))
    written = unquoted(text)
    assert set(names) <= set(written)
    assert text.splitlines()[0] == "digraph {"
    assert text.endswith("}\n")


def test_dot_of_names_that_cannot_be_shown(odd):
    text = to_dot(odd)
    assert text.encode("utf-8")
    assert all(line.isprintable() for line in text.splitlines())
    assert len(re.findall(r'^  "n\d+"', text, re.M)) == len(ODD_NAMES) + odd.n_arcs


@needs_dot
def test_graphviz_reads_the_names_back(odd):
    printable = Dag.from_arcs([name for name in ODD_NAMES if name.isprintable()], [("&amp;", "\\N"), ("$x_1$", "]]>")])
    plain = subprocess.run(
        [dot.dot_program(), "-Tsvg"], input=to_dot(printable).encode(), capture_output=True, check=True
    ).stdout.decode()
    texts = [text.text for text in ElementTree.fromstring(plain).iter(f"{SVG}text")]
    assert {name for name in printable.names if len(name) < 30} <= set(texts)
    for text in (to_svg(odd, layout="dot"), to_svg(odd)):
        assert ElementTree.fromstring(text).tag == f"{SVG}svg"


@needs_dot
def test_graphviz_draws_images(garden):
    assert to_png(garden, BITS, layout="dot").startswith(b"\x89PNG")


def test_matplotlib_draws_images(garden, odd):
    image = to_png(garden, BITS, layout="own")
    assert image.startswith(b"\x89PNG")
    svg = ElementTree.fromstring(to_svg(garden, BITS, layout="own"))
    size = [int.from_bytes(image[place : place + 4], "big") for place in (16, 20)]
    assert size == pytest.approx([2 * float(svg.get("width")), 2 * float(svg.get("height"))], abs=2)
    assert to_png(garden, BITS, layout="own") == image
    assert to_png(odd, layout="own").startswith(b"\x89PNG")


def test_without_any_program_svg_works_and_png_says_what_is_missing(without_programs, garden, tmp_path):
    assert to_svg(garden) == to_svg(garden, layout="own")
    for draw in (lambda: to_png(garden), lambda: check_picture("learn", "a.png")):
        with pytest.raises(MissingExtraError, match=r"Graphviz.*matplotlib.*qnml\[plot\].*SVG"):
            draw()
    with pytest.raises(MissingExtraError, match=r"layout='dot'.*not installed"):
        to_svg(garden, layout="dot")
    write_picture(garden, tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == to_svg(garden)


@pytest.mark.parametrize(
    "failure", [OSError(), subprocess.TimeoutExpired("dot", 1), subprocess.CalledProcessError(1, "dot")]
)
def test_where_graphviz_fails_we_draw(monkeypatch, garden, failure):
    def fail(*_, **__):
        raise failure

    monkeypatch.setattr(writing, "dot_program", lambda: "dot")
    monkeypatch.setattr(dot.subprocess, "run", fail)
    with pytest.warns(UserWarning, match=r"Graphviz failed or took more than 20 s: laid out without it"):
        svg = to_svg(garden)
    assert svg == to_svg(garden, layout="own")
    with pytest.raises(MissingExtraError, match=r"layout='dot'.*failed or took too long"):
        to_svg(garden, layout="dot")


# A dot that never ends; it reports its start, and interrupts its parent process.
ENDLESS = """#!{python}
import os, pathlib, signal, time
pathlib.Path({note!r}).write_text(str(os.getpid()))
os.kill(os.getppid(), signal.SIGINT)
time.sleep(600)
"""


@pytest.mark.skipif(os.name != "posix", reason="sends signals")
def test_an_interrupt_ends_graphviz(tmp_path):
    program, note = tmp_path / "dot", tmp_path / "note"
    program.write_text(ENDLESS.format(python=sys.executable, note=str(note)))
    program.chmod(0o755)
    drawing = (
        "import qnml; from qnml.reports.picture import to_svg; to_svg(qnml.Dag.from_arcs(['a', 'b'], [('a', 'b')]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", drawing],
        env={**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stderr.splitlines()[-1] == "KeyboardInterrupt"
    with pytest.raises(ProcessLookupError):
        os.kill(int(note.read_text()), 0)


def test_files_by_their_endings(garden, tmp_path):
    write_picture(garden, tmp_path / "a.dot", BITS)
    assert (tmp_path / "a.dot").read_text(encoding="utf-8") == to_dot(garden, BITS)
    write_picture(garden, str(tmp_path / "a.SVG"), BITS, layout="own")
    assert (tmp_path / "a.SVG").read_text(encoding="utf-8") == to_svg(garden, BITS, layout="own")
    write_picture(garden, tmp_path / "a.pdf", layout="own")
    assert (tmp_path / "a.pdf").read_bytes() == to_pdf(garden, layout="own")
    assert to_pdf(garden, layout="own").startswith(b"%PDF-")
    with pytest.raises(InputError, match=r"path=.*a\.gif.*\.svg, \.png, \.pdf, \.dot"):
        write_picture(garden, tmp_path / "a.gif")
    with pytest.raises(InputError, match=r"nowhere.*a place that can be written"):
        write_picture(garden, tmp_path / "nowhere" / "a.svg")


def test_the_same_graph_gives_the_same_text(garden):
    assert to_svg(garden, BITS, layout="own") == to_svg(garden, dict(reversed(BITS.items())), layout="own")
