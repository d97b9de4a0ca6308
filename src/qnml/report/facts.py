"""Results as plain facts: dictionaries of text, numbers and lists that go into JSON as they are.

The keys below are what ``--json`` prints, and stay; each document also has ``command`` and ``version``.
Numbers are not rounded; one that is not finite is printed as null. Scores and regrets are in nats; what is in
bits has a key that ends in ``_bits``.

score
    data {source, rows, total, variables}; network {source, variables, arcs, levels}, where levels says who
    declared them, ``"network"`` or ``"data"``; scores [{name, parameters, label, value, explanation}], where
    explanation is null unless asked for, else {families [{child, parents, score, fit, penalty, n_parameters,
    cells, is_overfull, log_z}], arcs [{parent, child, removal_cost_bits}], overfull [names]}.
regret
    methods [names]; values [{n, r, and one number for each method}].
compare
    first and second {source, variables, arcs, class_size}; on; shd; equivalent; matching, missing and extra
    [{first, second, directed}]; wrongly_oriented [{first_graph, second_graph}], both edges like the others.
info
    source; rows; total (rows weighted); distinct_rows; missing_cells; constant [names]; variables [{name,
    labels, n_levels, n_observed, missing}]; lattice {log2_subsets, exact_in_reach}.
scores
    scores [{name, title, reference, equivalent, decomposable, set_function, regular, parameter}], where
    parameter is null or {name, default, meaning, named [words]}.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from qnml.data.coding import MISSING_LABELS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from qnml._api.explanation import Explanation
    from qnml.data import Table
    from qnml.graph import Comparison, Dag, Edge
    from qnml.scores import Score

__all__ = [
    "EXACT_REACH",
    "Facts",
    "comparison_facts",
    "explanation_facts",
    "information_facts",
    "registry_facts",
    "regret_facts",
    "scoring_facts",
]

Facts: TypeAlias = dict[str, Any]

EXACT_REACH = 26
"""Variables up to which a value for every subset of them can be kept: 2^26 doubles are half a gigabyte."""


def scoring_facts(
    table: Table, source: str, dag: Dag, network: str, *, levels_from_network: bool, scores: Iterable[Facts]
) -> Facts:
    """What was scored on what, and the scores, each a dictionary as described above."""
    return {
        "data": {"source": source, "rows": table.n_rows, "total": table.total, "variables": len(table.names)},
        "network": {
            "source": network,
            "variables": dag.n_nodes,
            "arcs": dag.n_arcs,
            "levels": "network" if levels_from_network else "data",
        },
        "scores": list(scores),
    }


def explanation_facts(explanation: Explanation) -> Facts:
    """What one score is made of."""
    return {
        "families": [{**asdict(family), "parents": list(family.parents)} for family in explanation.families],
        "arcs": [asdict(arc) for arc in explanation.arcs],
        "overfull": [family.child for family in explanation.overfull],
    }


def regret_facts(n: Sequence[float], r: Sequence[float], regrets: Mapping[str, Any]) -> Facts:
    """Regrets for all pairs of an n and an r; `regrets` has one array of n × r numbers for each method."""
    return {
        "methods": list(regrets),
        "values": [
            {"n": int(rows), "r": _whole(values)} | {name: float(array[i][j]) for name, array in regrets.items()}
            for i, rows in enumerate(n)
            for j, values in enumerate(r)
        ],
    }


def comparison_facts(
    comparison: Comparison,
    *,
    sources: tuple[str, str],
    dags: tuple[Dag, Dag],
    class_sizes: tuple[int, int],
    equivalent: bool,
) -> Facts:
    """How two networks differ; what is missing or extra is so in the second."""
    first, second = (
        {"source": source, "variables": dag.n_nodes, "arcs": dag.n_arcs, "class_size": size}
        for source, dag, size in zip(sources, dags, class_sizes, strict=True)
    )
    return {
        "first": first,
        "second": second,
        "on": comparison.on,
        "shd": comparison.shd,
        "equivalent": equivalent,
        "matching": [_edge(edge) for edge in comparison.matching],
        "missing": [_edge(edge) for edge in comparison.missing],
        "extra": [_edge(edge) for edge in comparison.extra],
        "wrongly_oriented": [
            {"first_graph": _edge(before), "second_graph": _edge(after)}
            for before, after in comparison.wrongly_oriented
        ],
    }


def information_facts(table: Table, source: str, *, has_missing: bool) -> Facts:
    """What is in a table; when `has_missing`, one read with ``missing="category"``."""
    variables: list[Facts] = []
    for name, labels, codes in zip(table.names, table.levels, table.columns, strict=True):
        occurrences = np.bincount(codes, minlength=len(labels))
        holed = has_missing and labels[-1] in MISSING_LABELS
        variables.append(
            {
                "name": name,
                "labels": list(labels[:-1] if holed else labels),
                "n_levels": len(labels) - holed,
                "n_observed": int(np.count_nonzero(occurrences)) - holed,
                "missing": int(occurrences[-1]) if holed else 0,
            }
        )
    return {
        "source": source,
        "rows": table.n_rows,
        "total": table.total,
        "distinct_rows": table.merged().n_rows,
        "missing_cells": sum(variable["missing"] for variable in variables),
        "constant": [
            variable["name"] for variable in variables if variable["n_observed"] + bool(variable["missing"]) == 1
        ],
        "variables": variables,
        "lattice": {"log2_subsets": len(variables), "exact_in_reach": len(variables) <= EXACT_REACH},
    }


def registry_facts(scores: Iterable[Score]) -> Facts:
    """The known scores with their flags."""
    return {
        "scores": [
            {
                "name": score.name,
                "title": score.title,
                "reference": score.reference,
                "equivalent": score.is_equivalent,
                "decomposable": score.is_decomposable,
                "set_function": score.is_set_function,
                "regular": score.is_regular,
                "parameter": score.parameter
                and {
                    "name": score.parameter.name,
                    "default": score.parameter.default,
                    "meaning": score.parameter.meaning,
                    "named": list(score.parameter.named or ()),
                },
            }
            for score in scores
        ]
    }


def _edge(edge: Edge) -> Facts:
    return {"first": edge.first, "second": edge.second, "directed": edge.directed}


def _whole(number: float) -> float | int:
    """Show 10 as 10 and not as 10.0, as long as a double holds every digit."""
    return int(number) if float(number).is_integer() and number < 2**53 else float(number)
