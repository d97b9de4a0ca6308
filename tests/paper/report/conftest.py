"""Artificial summaries for the tests: small, with every kind of cell, curve and claim."""

import pytest

from qnml.paper.report import About
from qnml.paper.summary.types import Cell, Curve, Figure, Finding, Panel, PartSummary, Table

CRITERIA = ("BDeu", "BIC", "fNML", "qNML")


def curve(label, height, x=(10.0, 100.0, 1000.0)):
    """A falling curve with an error and a larger spread."""
    mean = tuple(height / (1 + place) for place in range(len(x)))
    return Curve(label, x, mean, tuple(0.01 * value for value in mean), tuple(0.1 * value for value in mean))


def panel(title, y_label="mean SHD", heights=(4.0, 3.0, 2.0, 1.0), x_log=True):
    curves = tuple(curve(label, height) for label, height in zip(CRITERIA, heights, strict=True))
    return Panel(title, "sample size", y_label, x_log, curves)


@pytest.fixture
def about():
    return About("9.8.7", "2026-01-02", 2018, "qnml paper all --reps 7", ("Took an hour.",))


@pytest.fixture
def ranks():
    """Two rows like those of Table 2: one as in the paper, one where a cell does not agree."""
    cells = {
        ("Iris", "BDeu"): Cell(2.834, 0.02, 2.82, 0.7, True),
        ("Iris", "BIC"): Cell(2.366, 0.02, 2.37, -0.2, True),
        ("Iris", "fNML"): Cell(2.2612, 0.02, 2.27, -0.4, True),
        ("Iris", "qNML"): Cell(2.5388, 0.02, 2.54, -0.1, True),
        ("Wine", "BDeu"): Cell(3.23, 0.03, 3.23, 0.0, True),
        ("Wine", "BIC"): Cell(1.4, 0.03, 1.88, -16.0, False),
        ("Wine", "fNML"): Cell(2.67, 0.03, 2.67, 0.0, True),
        ("Wine", "qNML"): Cell(2.70, 0.03, 2.22, 16.0, False),
        ("mean", "BDeu"): Cell(3.03, 0.02, 2.95, None, None),
    }
    notes = ("Iris < Wine | both are small.",)
    return Table(
        "table2",
        "Ranks",
        ("Iris", "Wine", "mean"),
        CRITERIA,
        cells,
        {"N": ("150", "178", "")},
        {"Iris": 20, "Wine": 30},
        notes,
        "low",
    )


@pytest.fixture
def regrets():
    """Exact values, one of which differs from the printed one, and one without a printed value."""
    cells = {
        ("50, 10", "eq. (6)"): Cell(13.2391, 0.0, 13.24, None, True),
        ("50, 10", "exact"): Cell(13.2404, 0.0, 13.24, None, True),
        ("50, 10000", "eq. (6)"): Cell(25635.13, 0.0, 25635.15, None, False),
    }
    rows = ("50, 10", "50, 10000")
    return Table("table1", "Regrets", rows, ("eq. (6)", "exact"), cells, {}, {}, (), None)


@pytest.fixture
def shd():
    networks = ("asia", "cancer", "earthquake", "sachs", "survey")
    panels = tuple(panel(network) for network in networks)
    return Figure("figure2", "Distance, canonical ties", panels, dict.fromkeys(networks, 100), ("Ties are common.",))


@pytest.fixture
def drawn_in_the_paper(shd):
    """The same panels from the paper: means without errors, and no repetitions."""
    panels = tuple(
        Panel(
            one.title,
            one.x_label,
            one.y_label,
            one.x_log,
            tuple(Curve(label, (10.0, 100.0, 1000.0), (2.5, 2.0, 1.5), (0.0,) * 3, (0.0,) * 3) for label in CRITERIA),
        )
        for one in shd.panels
    )
    return Figure("figure2", "Distance as in the paper", panels, {}, ())


@pytest.fixture
def structures():
    """Two classes of three nodes; the directions of the second are determined."""
    flat = (0.0,) * 3
    curves = (
        Curve("[A][B|A][C|B]", (0.2, 0.3, 0.5), (0.7, 0.5, 0.2), flat, flat),
        Curve("[A][C][B|A:C]", (0.2, 0.3, 0.5), (0.1, 0.3, 0.6), flat, flat),
    )
    panel = Panel("Prior uniform over classes", "α", "posterior probability", False, curves)
    return Figure("appendix-d", "Posterior of classes", (panel,), {}, ())


@pytest.fixture
def booklet():
    """Three data sets of Appendix E."""
    return tuple(
        Figure(
            "appendix-e",
            name,
            (
                panel("prediction", "mean log-probability", (-1.0, -2.0, -3.0, -4.0), x_log=False),
                panel("parsimony", "number of parameters", (9000.0, 20.0, 800.0, 90.0), x_log=False),
            ),
            {name: 20},
            (),
        )
        for name in ("Iris", "Wine", "Glass")
    )


@pytest.fixture
def findings():
    return (
        Finding("qNML is never the worst.", True, "Its largest rank is 2.61."),
        Finding("qNML is best beyond 300.", False, "At N = 400 BIC leads by 0.03."),
        Finding("Nobody can tell <this>.", None, "Too few repetitions."),
    )


@pytest.fixture
def summaries(ranks, regrets, shd, booklet, findings):
    """Parts in no order, one of them not run."""
    return (
        PartSummary("appendix-e", (), booklet, (), None),
        PartSummary("table2", (ranks,), (), findings[:1], None),
        PartSummary("table1", (regrets,), (), (), None),
        PartSummary("figure2", (), (shd,), findings, None),
        PartSummary("table3", (), (), (), "no data folder; set QNML_DATA."),
    )
