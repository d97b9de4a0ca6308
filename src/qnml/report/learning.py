"""A learned network, and the plan of a search, as plain facts; see `qnml.report.facts` for the rules.

learn
    data {source, rows, total, variables}; score {label, value}; network {variables, arcs [{parent, child,
    removal_cost_bits}], isolated [names]}; cpdag [{first, second, directed, removal_cost_bits}], strongest
    first; certificate {optimal, score, bound, gap, ties, tie_rule, method, stop_reason, families_scored,
    families_pruned, candidates, states, visits, seconds {by stage}, total_seconds, peak_memory (bytes),
    trace [[seconds, score]], n_proven, sentence}; guard; overfull [{child, parents, cells, log_z}]; copies [[names
    of columns that no score tells from one another]]; files [{path, holds}].
learn, with ``--plan``
    data as above; plan {method, sets, families, memory_bytes, memory_limit, seconds, fits, advice, sentence}.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml._api.search_result import SearchResult
    from qnml.data import Table
    from qnml.report.facts import Facts
    from qnml.search import Plan

__all__ = ["learning_facts", "plan_facts"]


def learning_facts(
    result: SearchResult, source: str, *, guard: str = "warn", files: Sequence[tuple[str, str]] = ()
) -> Facts:
    """What was learned from what, and how sure that is.

    Parameters
    ----------
    result
        What `qnml.learn` returned.
    source
        Where the data came from.
    guard
        What was asked for about over-full families.
    files
        The files that were written, each with what it holds.
    """
    bits = {(arc.parent, arc.child): arc.removal_cost_bits for arc in result.explanation.arcs}
    directed = set(result.cpdag.directed)
    joined = {name for arc in result.dag.arcs for name in arc}
    return {
        "data": _data(result.table, source),
        "score": {"label": result.score_name, "value": result.score},
        "network": {
            "variables": list(result.dag.names),
            "arcs": [
                {"parent": parent, "child": child, "removal_cost_bits": bits[parent, child]}
                for parent, child in result.dag.arcs
            ],
            "isolated": [name for name in result.dag.names if name not in joined],
        },
        "cpdag": [
            {
                "first": parent,
                "second": child,
                "directed": (parent, child) in directed,
                "removal_cost_bits": cost,
            }
            for (parent, child), cost in sorted(bits.items(), key=lambda one: (-one[1], one[0]))
        ],
        "certificate": {
            **asdict(result.certificate),
            "gap": result.certificate.gap,
            "total_seconds": result.certificate.total_seconds,
            "sentence": result.sentence(),
        },
        "guard": guard,
        "overfull": [
            {
                "child": family.child,
                "parents": list(family.parents),
                "cells": family.cells,
                "log_z": family.log_z,
            }
            for family in result.overfull
        ],
        "copies": [list(group) for group in result.copies],
        "files": [{"path": path, "holds": holds} for path, holds in files],
    }


def plan_facts(plan: Plan, table: Table, source: str) -> Facts:
    """What a search would need."""
    figures = asdict(plan)
    # The size is said under data, where it describes the table; the work is part of the sentence.
    del figures["n_variables"], figures["n_rows"], figures["work"]
    return {"data": _data(table, source), "plan": {**figures, "sentence": plan.sentence()}}


def _data(table: Table, source: str) -> Facts:
    return {"source": source, "rows": table.n_rows, "total": table.total, "variables": len(table.names)}
