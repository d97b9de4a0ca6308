"""``qnml predict``: predictions of one variable, row by row.

predict
    network and data {source}; prepared [{column, done}], what was done to raw columns; target; levels [labels]; rows;
    predictions [labels], null where a row contradicts the network, and probabilities [[one number per level]], null
    unless asked for (both null if written to a file); predicted [{label, rows}]; impossible (number of rows that
    contradict the network); unknown_cells {column: number of cells whose label the network does not have}; judgement,
    null if the data do not have the target, else {rows, accuracy, log_loss}; output (the file, or null).
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from qnml.reports.fact_parts import prepared_facts
from qnml.reports.parts import count, grid, line, prepared_lines

if TYPE_CHECKING:
    from collections.abc import Collection

    from rich.console import RenderableType

    from qnml.data import Preparation
    from qnml.model.evaluation import Evaluation
    from qnml.reports.fact_parts import Facts

__all__ = ["predict_facts", "predict_page"]

_MOST_ROWS = 20
_MOST_LABELS = 20


def predict_facts(
    found: Evaluation,
    network: str,
    data: str,
    *,
    preparation: Preparation | None,
    columns: Collection[str],
    proba: bool,
    output: str | None,
) -> Facts:
    """The predictions, and how well they agree with the data.

    Parameters
    ----------
    found
        The result of `Network.evaluate`.
    network, data
        Where the network and the rows came from.
    preparation
        What the network remembers of the data it was learned from.
    columns
        The columns of the rows.
    proba
        Whether to give the probability of every label.
    output
        The file that has the predictions, which are then left out here.
    """
    levels, codes = found.levels, found.codes
    times = np.bincount(codes[codes >= 0], minlength=len(levels)).tolist()
    shown = output is None
    return {
        "network": {"source": network},
        "data": {"source": data},
        "prepared": prepared_facts(preparation, found.prepared, columns),
        "target": found.target,
        "levels": list(levels),
        "rows": len(codes),
        "predictions": [None if code < 0 else levels[code] for code in codes.tolist()] if shown else None,
        "probabilities": found.probabilities.tolist() if shown and proba else None,
        "predicted": [{"label": label, "rows": rows} for label, rows in zip(levels, times, strict=True)],
        "impossible": int(np.count_nonzero(codes < 0)),
        "unknown_cells": dict(found.unknown_cells),
        "judgement": None if found.judgement is None else asdict(found.judgement),
        "output": output,
    }


def predict_page(facts: Facts) -> list[RenderableType]:
    """How often each label is predicted, the accuracy if known, and the first rows."""
    target = facts["target"]
    heads = [(target, "left"), ("rows predicted", "right")]
    rows = [(entry["label"], entry["rows"]) for entry in facts["predicted"][:_MOST_LABELS]]
    return [
        line(f"{facts['data']['source']}: {count(facts['rows'], 'row')}; {target} by {facts['network']['source']}"),
        *prepared_lines(facts["prepared"]),
        grid(heads, rows),
        *map(line, _remarks(facts)),
        *([] if facts["output"] is not None else _first_rows(facts)),
    ]


def _remarks(facts: Facts) -> list[str]:
    judgement, left_out = facts["judgement"], len(facts["predicted"]) - _MOST_LABELS
    remarks = []
    if left_out > 0:
        remarks.append(f"… and {count(left_out, 'more label')}.")
    if facts["impossible"]:
        remarks.append(f"Rows that contradict the network and have no prediction: {facts['impossible']}.")
    remarks += _unknown_remarks(facts)
    if judgement is not None:
        remarks.append(
            f"On {count(judgement['rows'], 'row')} with known {facts['target']}: accuracy {judgement['accuracy']:.4f}, "
            f"log-loss {judgement['log_loss']:.4f} nats."
        )
    if facts["output"] is not None:
        remarks.append(f"Written to {facts['output']}.")
    return remarks


def _unknown_remarks(facts: Facts) -> list[str]:
    features = {name: cells for name, cells in facts["unknown_cells"].items() if name != facts["target"]}
    remarks = []
    if features:
        listed = ", ".join(f"{name} {cells}" for name, cells in list(features.items())[:_MOST_LABELS])
        more = f" and {len(features) - _MOST_LABELS} more columns" if len(features) > _MOST_LABELS else ""
        remarks.append(f"Cells with labels that the network does not know, treated as uninformative: {listed}{more}.")
    if facts["target"] in facts["unknown_cells"]:
        remarks.append(
            f"Rows with a label of {facts['target']} that the network does not know, not compared: "
            f"{facts['unknown_cells'][facts['target']]}."
        )
    return remarks


def _first_rows(facts: Facts) -> list[RenderableType]:
    shares = facts["probabilities"]
    heads = [("row", "right"), (facts["target"], "left")]
    if shares is not None:
        heads += [(f"P({label})", "right") for label in facts["levels"]]
    rows: list[list[object]] = []
    for number, label in enumerate(facts["predictions"][:_MOST_ROWS]):
        probabilities = [] if shares is None else [f"{share:.4f}" for share in shares[number]]
        rows.append([number, "" if label is None else label, *probabilities])
    page: list[RenderableType] = [grid(heads, rows)]
    if facts["rows"] > _MOST_ROWS:
        page.append(line(f"… and {facts['rows'] - _MOST_ROWS} more; --output writes all."))
    return page
