"""``qnml effect``: what setting one variable does to another.

effect
    network {source, variables, arcs}; cause; target; levels [labels of the target]; is_identified; is_single (whether
    all members agree); n_members (null if uncounted); range [{label of the cause, low [probabilities], high}]; variants
    [{parents [names], share (null if uncounted), distributions [{label, probabilities}]}], largest share first; means
    (null without numbers for the labels) [{label, low, high}]; sentence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.errors import InputError
from qnml.reports.fact_parts import network_facts
from qnml.reports.parts import grid, line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import RenderableType

    from qnml._types import Label
    from qnml.model import Network
    from qnml.model.inference import CausalEffect
    from qnml.reports.fact_parts import Facts

__all__ = ["effect_facts", "effect_page"]

_MOST_VARIANTS = 10


def effect_facts(net: Network, source: str, effect: CausalEffect, values: Mapping[Label, float] | None = None) -> Facts:
    """The effect of one variable on another.

    Parameters
    ----------
    net
        The network.
    source
        Where the network came from.
    effect
        The result of `Network.effect`.
    values
        Numbers for the labels of the target; by default the labels, if they are numbers.
    """
    labels = list(net.levels[effect.cause])
    return {
        "network": network_facts(net.dag, source),
        "cause": effect.cause,
        "target": effect.target,
        "levels": list(net.levels[effect.target]),
        "is_identified": effect.is_identified,
        "is_single": effect.is_single,
        "n_members": effect.n_members,
        "range": [
            {"label": label, "low": low, "high": high}
            for label, low, high in zip(labels, effect.low.tolist(), effect.high.tolist(), strict=True)
        ],
        "variants": [
            {
                "parents": list(one.parents),
                "share": one.share,
                "distributions": [
                    {"label": label, "probabilities": found.values.tolist()}
                    for label, found in one.distributions.items()
                ],
            }
            for one in effect.variants
        ],
        "means": _means(effect, labels, values),
        "sentence": effect.sentence(),
    }


def _means(effect: CausalEffect, labels: list[Label], values: Mapping[Label, float] | None) -> list[Facts] | None:
    try:
        low, high = effect.average(values)
    except InputError:
        if values is not None:
            raise
        return None  # labels that are no numbers have no mean
    return [
        {"label": label, "low": a, "high": b} for label, a, b in zip(labels, low.tolist(), high.tolist(), strict=True)
    ]


def effect_page(facts: Facts) -> list[RenderableType]:
    """The distribution of the target for each label of the cause, or its range; then the members that differ."""
    cause, target = facts["cause"], facts["target"]
    heads = [(f"do({cause})", "left"), *((f"P({target}={label})", "right") for label in facts["levels"])]
    means = facts["means"]
    if means is not None:
        heads.append((f"mean of {target}", "right"))
    rows = []
    for place, entry in enumerate(facts["range"]):
        cells = [_range(low, high) for low, high in zip(entry["low"], entry["high"], strict=True)]
        if means is not None:
            cells.append(_range(means[place]["low"], means[place]["high"]))
        rows.append((str(entry["label"]), *cells))
    page: list[RenderableType] = [line(facts["sentence"]), grid(heads, rows)]
    return page if facts["is_single"] else [*page, *_variants(facts)]


def _variants(facts: Facts) -> list[RenderableType]:
    """The members by the parents of the cause, with the probability of the last label under its last label."""
    label, level = facts["range"][-1]["label"], facts["levels"][-1]
    heads = [
        (f"parents of {facts['cause']}", "left"),
        ("share of members", "right"),
        (f"P({facts['target']}={level}) at {label}", "right"),
    ]
    rows = [
        (
            ", ".join(one["parents"]) or "none",
            "not counted" if one["share"] is None else f"{one['share']:.1%}",
            f"{one['distributions'][-1]['probabilities'][-1]:.4f}",
        )
        for one in facts["variants"][:_MOST_VARIANTS]
    ]
    more = len(facts["variants"]) - len(rows)
    return [grid(heads, rows), *([line(f"… and {more} more; --json gives all.")] if more else [])]


def _range(low: float, high: float) -> str:
    return f"{low:.4f}" if high - low <= 1e-9 else f"{low:.4f} to {high:.4f}"
