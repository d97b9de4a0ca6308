"""Appendix D: structures selected by BDq on iris, by α."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from qnml.paper.quotient import READINGS
from qnml.paper.summary.types import Cell, Curve, Figure, Finding, Panel, PartSummary, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = ["summarize_appendix_d"]

_CLAIMED = (0.2, 0.3, 0.5)
_WORDS = {"classes": "uniform over classes", "networks": "uniform over networks", "program": "as programmed"}
_SHORT = {"sepal_length": "SL", "sepal_width": "SW", "petal_length": "PL", "petal_width": "PW"}
_MOST_DRAWN = 4
_MOST_CELLS = 20

_Vectors = dict[tuple[float, str], "NDArray[np.float64]"]


def summarize_appendix_d(raw: pl.DataFrame) -> PartSummary:
    """Show the posterior over classes by α, the winners, and the predictive distributions.

    Parameters
    ----------
    raw
        Results of the experiment ``quotient``.
    """
    classes = raw.filter(pl.col("kind") == "class")["name"].unique(maintain_order=True).to_list()
    vectors: _Vectors = {
        (float(str(alpha)), str(quantity)): frame["value"].to_numpy()
        for (alpha, quantity), frame in raw.group_by("alpha", "quantity", maintain_order=True)
    }
    alphas = sorted({alpha for alpha, _ in vectors})
    winners = {
        (reading, alpha): int(vectors[alpha, f"posterior_{reading}"].argmax()) for reading in _WORDS for alpha in alphas
    }
    shown = [_shortened(name) for name in classes]
    tables = (_winner_table(alphas, vectors, winners, shown),)
    figures = tuple(_posterior_figure(alphas, vectors, shown, reading) for reading in _WORDS)
    figures += tuple(_predictive_figure(vectors, reading) for reading in READINGS)
    figures += tuple(_page(alpha, vectors, winners, shown) for alpha in alphas)
    findings = (*(_change(winners, shown, reading) for reading in _WORDS), _sensitivity(alphas, vectors))
    return PartSummary("appendix-d", tables, figures, findings, None)


def _shortened(name: str) -> str:
    for long, short in _SHORT.items():
        name = name.replace(long, short)
    return name


def _alpha(alpha: float) -> str:
    return "1/3" if abs(alpha - 1 / 3) < 1e-12 else f"{alpha:g}"


def _winner_table(
    alphas: list[float], vectors: _Vectors, winners: Mapping[tuple[str, float], int], shown: list[str]
) -> Table:
    cells, extra = {}, {}
    for reading, words in _WORDS.items():
        extra[f"winner, {words}"] = tuple(shown[winners[reading, alpha]] for alpha in alphas)
        for alpha in alphas:
            posterior = vectors[alpha, f"posterior_{reading}"]
            cells[f"α = {_alpha(alpha)}", f"posterior, {words}"] = Cell(float(posterior.max()), 0.0, None, None, None)
    for reading in READINGS:
        column = f"best against average, {_WORDS[reading]}"
        for alpha in alphas:
            apart = np.abs(vectors[alpha, f"best_{reading}"] - vectors[alpha, f"average_{reading}"]).sum() / 2
            cells[f"α = {_alpha(alpha)}", column] = Cell(float(apart), 0.0, None, None, None)
    return Table(
        part="appendix-d",
        title="Most probable class by α",
        row_names=tuple(f"α = {_alpha(alpha)}" for alpha in alphas),
        column_names=(
            *(f"posterior, {words}" for words in _WORDS.values()),
            *(f"best against average, {_WORDS[reading]}" for reading in READINGS),
        ),
        cells=cells,
        extra_columns=extra,
        repetitions={},
        notes=(
            "SL, SW, PL, PW: length and width of sepal and petal. A class is named by one of its members.",
            "The uniform prior is read in two ways: uniform over classes, or uniform over networks, so that the weight "
            "of a class is proportional to its size. As programmed: the formula of the authors' program when the "
            "appendix was made, on 13 October 2017, in which parent configurations that never occur are omitted from "
            "the sum over cells but not from the terms of the prior; it was mended on 30 October. With it, and θ ∝ N + "
            "α, the bars of the appendix come out within 0.002, as a comparison with its drawings has shown.",
            "Best against average: total variation between the predictive distribution of the most probable class and "
            "the one averaged over all classes.",
        ),
        best=None,
    )


def _posterior_figure(alphas: list[float], vectors: _Vectors, shown: list[str], reading: str) -> Figure:
    """The classes that are among the most probable for some α."""
    table = np.stack([vectors[alpha, f"posterior_{reading}"] for alpha in alphas])
    ever = list(dict.fromkeys(table.argmax(axis=1).tolist()))
    rest = [int(c) for c in np.argsort(-table.max(axis=0), kind="stable") if c not in ever]
    drawn = (ever + rest)[: max(_MOST_DRAWN, len(ever))]
    flat = (0.0,) * len(alphas)
    curves = tuple(Curve(shown[c], tuple(alphas), tuple(table[:, c].tolist()), flat, flat) for c in drawn)
    panel = Panel(f"Prior {_WORDS[reading]}", "α", "posterior probability", False, curves)
    if reading == "program":
        panel = Panel("The score as programmed", "α", "posterior probability", False, curves)
    return Figure("appendix-d", f"Posterior of the likeliest classes, {_WORDS[reading]}", (panel,), {}, ())


def _predictive_figure(vectors: _Vectors, reading: str) -> Figure:
    panels = []
    for alpha in _CLAIMED:
        seen = vectors[alpha, "seen"]
        order = np.argsort(-seen, kind="stable")[:_MOST_CELLS]
        places = tuple(float(place + 1) for place in range(len(order)))
        flat = (0.0,) * len(order)
        curves = tuple(
            Curve(label, places, tuple(vectors[alpha, quantity][order].tolist()), flat, flat)
            for label, quantity in (
                ("share of the data", "seen"),
                ("most probable class", f"best_{reading}"),
                ("average over classes", f"average_{reading}"),
            )
        )
        panels.append(Panel(f"α = {_alpha(alpha)}", "cell, commonest first", "probability", False, curves))
    note = f"The {_MOST_CELLS} commonest of the 81 combinations of levels."
    return Figure("appendix-d", f"Predictive distributions, prior {_WORDS[reading]}", tuple(panels), {}, (note,))


def _page(alpha: float, vectors: _Vectors, winners: Mapping[tuple[str, float], int], shown: list[str]) -> Figure:
    """All classes and both predictions for one α, as defined and as programmed when the appendix was made."""

    def curves(*named: tuple[str, str]) -> tuple[Curve, ...]:
        drawn = []
        for label, quantity in named:
            values = tuple(vectors[alpha, quantity].tolist())
            places, flat = tuple(map(float, range(1, len(values) + 1))), (0.0,) * len(values)
            drawn.append(Curve(label, places, values, flat, flat))
        return tuple(drawn)

    panels = [
        Panel(
            f"Posterior of all {len(shown)} classes",
            "class",
            "posterior probability",
            False,
            curves(
                ("share of the data", "posterior_classes"),
                ("as defined", "posterior_classes"),
                ("as programmed", "posterior_program"),
            ),
        )
    ]
    for kind, words in (("best", "likeliest class"), ("average", "average")):
        panels.append(
            Panel(
                f"Prediction, {words}",
                "cell",
                "probability",
                False,
                curves(
                    ("share of the data", "seen"),
                    ("as defined", f"plug_in_{kind}_classes"),
                    ("as programmed", f"plug_in_{kind}_program"),
                ),
            )
        )
    note = (
        f"Most probable as defined: {shown[winners['classes', alpha]]}; as programmed: "
        f"{shown[winners['program', alpha]]}. Uniform over classes, in order of enumeration; predictions with θ ∝ N + "
        "α, over the 81 combinations of levels."
    )
    return Figure("appendix-d", f"Page for α = {_alpha(alpha)}", tuple(panels), {}, (note,))


def _change(winners: Mapping[tuple[str, float], int], shown: list[str], reading: str) -> Finding:
    chosen = [winners[reading, alpha] for alpha in _CLAIMED]
    alphas = sorted(alpha for one, alpha in winners if one == reading)
    changes = [
        f"between {_alpha(a)} and {_alpha(b)}"
        for a, b in pairwise(alphas)
        if winners[reading, a] != winners[reading, b]
    ]
    return Finding(
        f"BDq selects different networks for α = 0.2, 0.3 and 0.5 ({_WORDS[reading]}).",
        len(set(chosen)) == len(chosen),
        ", ".join(f"{_alpha(alpha)}: {shown[winner]}" for alpha, winner in zip(_CLAIMED, chosen, strict=True))
        + f". In the whole sweep the winner changes {' and '.join(changes) or 'nowhere'}.",
    )


def _sensitivity(alphas: list[float], vectors: _Vectors) -> Finding:
    apart = {
        reading: max(
            float(np.abs(vectors[a, f"posterior_{reading}"] - vectors[b, f"posterior_{reading}"]).sum() / 2)
            for a in _CLAIMED
            for b in _CLAIMED
        )
        for reading in _WORDS
    }
    shown = ", ".join(f"{value:.2f} ({_WORDS[reading]})" for reading, value in apart.items())
    return Finding(
        "The posterior over structures is quite sensitive to α.",
        min(apart.values()) > 0.25,
        f"Between α = 0.2, 0.3 and 0.5 the posteriors are up to {shown} apart in total variation.",
    )
