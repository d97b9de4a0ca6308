"""A posterior as a drawing and as a heat map: which arcs are shown, their opacity and direction."""

import sys
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest

import qnml
from qnml._api.posterior_result import Posterior
from qnml.data import Table
from qnml.errors import InputError, MissingExtraError
from qnml.reports.heat_map import HeatMap
from qnml.reports.picture import to_dot, to_png, to_svg
from qnml.reports.picture.averaged import averaged_drawing
from qnml.scores import SCORES, BoundScore
from qnml.search.posterior.interface import Estimate

SVG = "{http://www.w3.org/2000/svg}"


def beliefs(names, **arcs):
    """A posterior with the given probability of each arc, written a_b=0.5."""
    edges = np.zeros((len(names), len(names)))
    for arc, share in arcs.items():
        parent, child = arc.split("_")
        edges[names.index(parent), names.index(child)] = share
    return Posterior(
        table=Table.from_codes(np.zeros((1, len(names)), dtype=int), names=names, levels=[2] * len(names)),
        score_name="bdeu(ess=1)",
        method="exact",
        prior="uniform",
        weights_are="posterior probabilities",
        seconds=0.0,
        bound_score=BoundScore(SCORES["bdeu"], 1.0),
        # All that pictures need from a method.
        found=SimpleNamespace(edges=Estimate(edges, None), adjacencies=Estimate(edges + edges.T, None)),
    )


@pytest.fixture
def some():
    return beliefs(["a", "b", "c", "d"], a_b=0.8, b_a=0.1, c_b=0.2, b_c=0.2, a_c=0.05)


def lines(svg):
    """Title → (opacity, width, has a head)."""
    found = {}
    for group in ElementTree.fromstring(svg).iter(f"{SVG}g"):
        paths = group.findall(f"{SVG}path")
        if paths:
            opacity = float(group.get("opacity", "1"))
            found[group.findtext(f"{SVG}title")] = (opacity, float(paths[0].get("stroke-width")), len(paths) == 2)
    return found


def test_lines_are_as_opaque_as_they_are_probable(some):
    svg = to_svg(averaged_drawing(some, 0.1), layout="own")
    found = lines(svg)
    assert set(found) == {"a → b: 0.800, b → a: 0.100", "b → c: 0.200, c → b: 0.200"}
    strong, weak = found["a → b: 0.800, b → a: 0.100"], found["b → c: 0.200, c → b: 0.200"]
    assert (strong[0], strong[2]) == (0.9, True)
    assert (weak[0], weak[2]) == (0.4, False)
    assert strong[1] > weak[1]
    texts = [text.text for text in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    assert texts[:4] == ["a", "b", "c", "d"]
    assert "Opacity and thickness: probability that the two are joined." in texts


def test_the_threshold_decides_what_is_drawn(some):
    assert len(averaged_drawing(some, 0.0).lines) == 3
    assert len(averaged_drawing(some, 0.5).lines) == 1
    assert averaged_drawing(some, 1.0).lines == ()


def test_directions_that_form_a_cycle_lose_a_head():
    """A triangle of three probable arcs: each may have a probability above one half, though a cycle is impossible."""
    drawing = averaged_drawing(beliefs(["a", "b", "c"], a_b=0.66, b_c=0.65, c_a=0.64), 0.1)
    heads = {(line.upper, line.lower): line.directed for line in drawing.lines}
    assert heads == {(0, 1): True, (1, 2): True, (0, 2): False}
    assert drawing.lines[2].belief.up == 0.64
    assert "svg" in to_svg(drawing, layout="own")


def test_faint_lines_can_be_seen_and_dot_mixes_them_with_white(some):
    faint = lines(to_svg(averaged_drawing(some, 0.0), layout="own"))["a → c: 0.050, c → a: 0.000"]
    assert faint[0] == 0.12
    text = to_dot(averaged_drawing(some, 0.1))
    assert '"a" -> "b" [color="#223851"' in text
    assert 'dir="none"' in text
    assert to_png(averaged_drawing(some, 0.1), layout="own").startswith(b"\x89PNG")


def test_pictures_of_a_real_posterior(tmp_path):
    iris = qnml.datasets.load("iris")
    found = qnml.posterior(iris)
    for name in ("graph.svg", "graph.dot"):
        found.plot().save(tmp_path / name)
        assert "petal_width" in (tmp_path / name).read_text(encoding="utf-8")
    assert "<svg" in found._repr_html_()
    assert "NML weights" in found._repr_html_()


def test_heat_map_files(some, tmp_path):
    for name, start in (("map.png", b"\x89PNG"), ("map.svg", b"<?xml"), ("map.pdf", b"%PDF")):
        HeatMap(some).save(tmp_path / name)
        content = (tmp_path / name).read_bytes()
        assert content.startswith(start)
        HeatMap(some).save(tmp_path / name)
        assert (tmp_path / name).read_bytes() == content
    assert "data:image/png" in HeatMap(some)._repr_html_()


def test_heat_map_shades_follow_the_probabilities(some):
    """The picture itself: darker where the arc is more probable, white on the diagonal."""
    image = read_png(HeatMap(some)._repr_png_())
    shades = cells(image, 4)
    assert shades[0][1] < shades[1][2] < shades[0][2] < shades[3][0] + 1e-6
    assert min(shades[place][place] for place in range(4)) > 0.99
    assert shades[1][2] == pytest.approx(shades[2][1], abs=0.02)


def read_png(content):
    import io

    from matplotlib.image import imread

    return imread(io.BytesIO(content))[:, :, :3].mean(axis=2)


def cells(image, n):
    """Shades of the cells of the matrix, near a corner of each, where no figure is written."""
    # The frame is the first dark column and row whose line spans most of the picture.
    framed = image < 0.75
    columns = np.flatnonzero(framed.sum(axis=0) > 0.3 * image.shape[0])
    rows = np.flatnonzero(framed.sum(axis=1) > 0.3 * image.shape[1])
    left, top = columns[0], rows[0]
    right, bottom = columns[columns < 0.87 * image.shape[1]][-1], rows[-1]
    wide, high = (right - left) / n, (bottom - top) / n
    return [
        [float(image[int(top + (row + 0.15) * high), int(left + (column + 0.15) * wide)]) for column in range(n)]
        for row in range(n)
    ]


def test_heat_map_refusals(some, tmp_path, monkeypatch):
    with pytest.raises(InputError, match=r"ending in one of \.png, \.svg, \.pdf"):
        HeatMap(some).save(tmp_path / "map.gif")
    with pytest.raises(InputError, match="a place that can be written"):
        HeatMap(some).save(tmp_path / "nowhere" / "map.png")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'qnml\[plot\]'"):
        HeatMap(some).save(tmp_path / "map.png")
