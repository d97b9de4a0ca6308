"""Random satisfiable background knowledge, as plain lists and dictionaries."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import strategies as st

__all__ = ["demands", "renamed"]


@st.composite
def demands(draw, n: int) -> dict[str, Any]:
    """Rules on variables 0 … n − 1, all satisfied by the network of the required arcs; each kind is often absent.

    They are drawn from a hidden order of the variables, with which required arcs and tiers are consistent.
    """
    order = draw(st.permutations(range(n)))
    along = [(order[i], order[j]) for j in range(n) for i in range(j)]
    required = _some(draw, along, share=4)
    pairs = [(a, b) for a in range(n) for b in range(n) if a != b and (a, b) not in required]
    tiered = _some(draw, list(order), share=1) if draw(st.booleans()) else []
    cuts = sorted(draw(st.lists(st.integers(0, len(tiered)), max_size=3)))
    edges = [0, *cuts, len(tiered)]
    counts = {child: sum(b == child for _, b in required) for child in range(n)}
    limits: int | dict[int, int] | None = None
    kind = draw(st.sampled_from(["none", "one", "each"]))
    if kind == "one":
        limits = draw(st.integers(max(counts.values()), n))
    elif kind == "each":
        limits = {child: draw(st.integers(counts[child], n)) for child in _some(draw, list(range(n)), share=1)}
    return {
        "required": required,
        "forbidden": _some(draw, pairs, share=4),
        "tiers": [tiered[low:high] for low, high in itertools.pairwise(edges)] if tiered else [],
        "max_parents": limits,
        "roots": _some(draw, [v for v in range(n) if not counts[v]], share=4),
        "leaves": _some(draw, [v for v in range(n) if not any(a == v for a, _ in required)], share=4),
    }


def renamed(demands: dict[str, Any], names: list[str] | tuple[str, ...]) -> dict[str, Any]:
    """The same rules with names instead of numbers."""
    limits = demands["max_parents"]
    return {
        "required": [(names[a], names[b]) for a, b in demands["required"]],
        "forbidden": [(names[a], names[b]) for a, b in demands["forbidden"]],
        "tiers": [[names[v] for v in tier] for tier in demands["tiers"]],
        "max_parents": {names[v]: k for v, k in limits.items()} if isinstance(limits, dict) else limits,
        "roots": [names[v] for v in demands["roots"]],
        "leaves": [names[v] for v in demands["leaves"]],
    }


def _some(draw, items: list[Any], share: int) -> list[Any]:
    """Keep each item with a probability of about 1 / (share + 1); hypothesis does not guarantee any."""
    return [item for item in items if draw(st.integers(0, share)) == share]
