"""Predictions as plain facts, and the page drawn from them; see `qnml.report.facts` for the rules.

predict
    network and data {source}; target; levels [labels]; rows; predictions [labels], null where a row contradicts the
    network, and probabilities [[one number per level]], null unless asked for (both null where they went to a file);
    predicted [{label, rows}]; impossible (rows that contradict the network); judgement, null where the data do not
    hold the target, else {rows, accuracy, log_loss}, the mean of minus the log-probability of what was true; output
    (the file, or null).
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from qnml.report.parts import count, grid, line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from rich.console import RenderableType

    from qnml._types import FloatArray, Label
    from qnml.model.prediction import Judgement
    from qnml.report.facts import Facts

__all__ = ["prediction_facts", "prediction_page"]

_MOST_ROWS = 20
_MOST_LABELS = 20


def prediction_facts(
    network: str,
    data: str,
    target: str,
    levels: Sequence[Label],
    codes: NDArray[np.intp],
    shares: FloatArray | None,
    judgement: Judgement | None,
    output: str | None,
) -> Facts:
    """What was predicted.

    Parameters
    ----------
    network, data
        Where the network and the rows came from.
    target
        The variable.
    levels
        Its labels.
    codes
        The number of the most probable label of each row, -1 for a row that contradicts the network.
    shares
        The probabilities, where they were asked for.
    judgement
        How the predictions compare with what the data say.
    output
        The file they were written to.
    """
    seen = np.bincount(codes[codes >= 0], minlength=len(levels)).tolist()
    shown = output is None
    return {
        "network": {"source": network},
        "data": {"source": data},
        "target": target,
        "levels": list(levels),
        "rows": len(codes),
        "predictions": [None if code < 0 else levels[code] for code in codes.tolist()] if shown else None,
        "probabilities": shares.tolist() if shown and shares is not None else None,
        "predicted": [{"label": label, "rows": rows} for label, rows in zip(levels, seen, strict=True)],
        "impossible": int(np.count_nonzero(codes < 0)),
        "judgement": None if judgement is None else asdict(judgement),
        "output": output,
    }


def prediction_page(facts: Facts) -> list[RenderableType]:
    """How often each label was predicted, how good that is, and the first rows."""
    target, judgement = facts["target"], facts["judgement"]
    page: list[RenderableType] = [
        line(f"{facts['data']['source']}: {count(facts['rows'], 'row')}; {target} by {facts['network']['source']}"),
        grid(
            [(target, "left"), ("rows predicted", "right")],
            [(entry["label"], entry["rows"]) for entry in facts["predicted"][:_MOST_LABELS]],
        ),
    ]
    left_out = len(facts["predicted"]) - _MOST_LABELS
    if left_out > 0:
        page.append(line(f"… and {count(left_out, 'more label')}."))
    if facts["impossible"]:
        page.append(line(f"Contradict the network, so without a prediction: {count(facts['impossible'], 'row')}."))
    if judgement is not None:
        page.append(
            line(
                f"Of {count(judgement['rows'], 'row')} with a known {target}: {judgement['accuracy']:.4f} right, "
                f"log-loss {judgement['log_loss']:.4f} nats."
            )
        )
    if facts["output"] is not None:
        page.append(line(f"Written to {facts['output']}."))
    else:
        page += _first_rows(facts)
    return page


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
        page.append(line(f"… and {facts['rows'] - _MOST_ROWS} more; --output writes them all."))
    return page
