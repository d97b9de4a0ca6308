"""``qnml learn``: a learned network, the strength of its arcs, and its certificate.

learn
    data {source, rows, total, variables, preparation, interventions {name: rows}, if there are any}; score {label,
    value}; prior {name, log_prior, objective}, where objective is the score with the log prior; families [{child,
    parents, score, fit, penalty, log_prior}]; network {variables, arcs [{parent, child, removal_cost_bits}], isolated
    [names]}; cpdag [{first, second, directed, removal_cost_bits}], strongest first; mpdag, the same edges with the
    directions that background knowledge and interventions add, each with by_knowledge (whether it is directed for that
    reason); knowledge (whether there was any); certificate, of the objective, {optimal, score, bound, gap, ties,
    tie_rule, method, stop_reason, families_scored, families_pruned,
    candidates, states, visits, seconds {by stage}, total_seconds, peak_memory (bytes), trace [[seconds, score]],
    n_proven, among, empty (the objective of the network without arcs; null if optimal), gap_share (the gap as a share
    of the distance to it), most_parents (proven among networks with at most so many parents each; null if without such
    a limit), sentence}; binning (null unless bins were learned with the network) {code_length, network,
    positions, choices, separate, starts [{start, code_length}], columns [{column, bins, cuts}], trace [{chosen,
    code_length}], is_settled, seconds, sentence}; structural_em (null unless cells were missing) {log_likelihood,
    penalty, n_missing, n_incomplete, n_drawn, draws, standard_error, rounding, starts [{start, score}], trace [scores],
    searches, is_settled, seconds, sentence}; guard; overfull [{child, parents, cells, log_z}]; copies [[names of
    columns that no score can tell apart]]; files [{path, holds}].
"""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING

from qnml.reports.fact_parts import data_facts, file_facts
from qnml.reports.parts import count, data_lines, edge_text, file_lines, grid, line, overfull

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType

    from qnml._api.joint_binning import JointBinning
    from qnml._api.search_result import SearchResult
    from qnml._api.structural_em_result import StructuralEm
    from qnml.graph import Cpdag, Mpdag
    from qnml.reports.fact_parts import Facts

__all__ = ["learn_facts", "learn_page"]

_SHOWN_AS_ZERO = 0.005


def learn_facts(
    result: SearchResult, source: str, *, guard: str = "warn", files: Sequence[tuple[str, str]] = ()
) -> Facts:
    """The network, its score and what is proven about it.

    Parameters
    ----------
    result
        The result of `qnml.learn`.
    source
        Where the data came from.
    guard
        How over-full families were to be treated.
    files
        The files that were written, each with a description of its content.
    """
    bits = {(arc.parent, arc.child): arc.removal_cost_bits for arc in result.explanation.arcs}
    return {
        "data": data_facts(result.table, source),
        "score": {"label": result.score_name, "value": result.score},
        "prior": {"name": result.prior, "log_prior": result.log_prior, "objective": result.objective},
        "families": _families(result),
        "network": _network(result, bits),
        "cpdag": _edges(result.cpdag, bits),
        "mpdag": _with_reasons(_edges(result.mpdag, bits), result.cpdag),
        "knowledge": result.knowledge is not None,
        "certificate": {
            **asdict(result.certificate),
            "gap": result.certificate.gap,
            "gap_share": result.certificate.gap_share,
            "total_seconds": result.certificate.total_seconds,
            "sentence": result.certificate_sentence(),
        },
        "binning": None if result.binning is None else _binning(result.binning),
        "structural_em": None if result.structural_em is None else _structural_em(result.structural_em),
        "guard": guard,
        "overfull": [
            {"child": family.child, "parents": list(family.parents), "cells": family.cells, "log_z": family.log_z}
            for family in result.overfull
        ],
        "copies": [list(group) for group in result.copies],
        "files": file_facts(files),
    }


def _families(result: SearchResult) -> list[Facts]:
    parts = ("child", "score", "fit", "penalty", "log_prior")
    return [
        {**{part: getattr(family, part) for part in parts}, "parents": list(family.parents)}
        for family in result.explanation.families
    ]


def _binning(binning: JointBinning) -> Facts:
    return {
        **{part: getattr(binning, part) for part in ("code_length", "network", "positions", "choices", "separate")},
        "starts": [{"start": start, "code_length": length} for start, length in binning.starts],
        "columns": [{"column": name, "bins": len(cuts) + 1, "cuts": list(cuts)} for name, cuts in binning.cuts.items()],
        "trace": [{"chosen": chosen, "code_length": length} for chosen, length in binning.trace],
        "is_settled": binning.is_settled,
        "seconds": binning.seconds,
        "sentence": binning.sentence(),
    }


def _structural_em(em: StructuralEm) -> Facts:
    return {
        **{
            field.name: getattr(em, field.name)
            for field in fields(em)
            if field.name not in ("explanation", "completed")
        },
        "starts": [{"start": start, "score": score} for start, score in em.starts],
        "trace": list(em.trace),
        "sentence": em.sentence(),
    }


def _network(result: SearchResult, bits: Mapping[tuple[str, str], float]) -> Facts:
    joined = {name for arc in result.dag.arcs for name in arc}
    return {
        "variables": list(result.dag.names),
        "arcs": [
            {"parent": parent, "child": child, "removal_cost_bits": bits[parent, child]}
            for parent, child in result.dag.arcs
        ],
        "isolated": [name for name in result.dag.names if name not in joined],
    }


def _edges(members: Cpdag | Mpdag, bits: Mapping[tuple[str, str], float]) -> list[Facts]:
    directed = set(members.directed)
    return [
        {"first": parent, "second": child, "directed": (parent, child) in directed, "removal_cost_bits": cost}
        for (parent, child), cost in sorted(bits.items(), key=lambda one: (-one[1], one[0]))
    ]


def _with_reasons(edges: list[Facts], cpdag: Cpdag) -> list[Facts]:
    by_data = set(cpdag.directed)
    return [
        {**edge, "by_knowledge": edge["directed"] and (edge["first"], edge["second"]) not in by_data} for edge in edges
    ]


def learn_page(facts: Facts, *, penalty_saturates: bool) -> list[RenderableType]:
    """The network, the certificate, the warning if there is one, and the files written.

    Parameters
    ----------
    facts
        The facts of `learn_facts`.
    penalty_saturates
        Whether the penalty of the score saturates: if not, a large family is what the score asked for, and no warning
        is shown.
    """
    score, edges = facts["score"], facts["mpdag"]
    undirected = sum(not edge["directed"] for edge in edges)
    return [
        *data_lines(facts["data"]),
        line(
            f"{score['label']} {score['value']:z.4f} nats, {count(len(edges), 'arc')}"
            + (f", {undirected} of them undirected (--)" if undirected else "")
        ),
        *_prior(facts["prior"]),
        *_arcs(facts),
        *_remarks(facts),
        *(line(facts[part]["sentence"]) for part in ("binning", "structural_em") if facts[part] is not None),
        line(facts["certificate"]["sentence"]),
        *(_warning(facts) if penalty_saturates else []),
        *file_lines(facts["files"]),
    ]


def _prior(prior: Facts) -> list[RenderableType]:
    if prior["name"] == "uniform":
        return []
    return [
        line(
            f"With the {prior['name']} prior {prior['objective']:z.4f} nats, which the search maximises: "
            f"naming the parents costs {-prior['log_prior']:z.4f}."
        )
    ]


def _arcs(facts: Facts) -> list[RenderableType]:
    edges = facts["mpdag"]
    if edges:
        rows = [(edge_text(edge), f"{edge['removal_cost_bits']:z.2f}") for edge in edges]
        return [grid([("arc", "left"), ("bits lost without it", "right")], rows)]
    if facts["certificate"]["optimal"]:
        return [line("No arc improves the score: the variables look independent.")]
    return [line("The search found no arc.")]


def _remarks(facts: Facts) -> list[RenderableType]:
    edges, isolated = facts["mpdag"], facts["network"]["isolated"]
    remarks = []
    if not all(edge["directed"] for edge in edges):
        beside = ["the knowledge"] * facts["knowledge"] + ["the interventions"] * bool(
            facts["data"].get("interventions")
        )
        told = f"neither the data nor {' nor '.join(beside)} tells" if beside else "the data alone cannot tell"
        remarks.append(f"a -- b: {told} the direction.")
    by_knowledge = [edge_text(edge) for edge in edges if edge["by_knowledge"]]
    if by_knowledge:
        by = ["the knowledge"] * facts["knowledge"] + ["the interventions"] * bool(facts["data"].get("interventions"))
        rest = "the data" if facts["knowledge"] and len(by) == 1 else "the observed rows"
        remarks.append(f"Directed by {' and '.join(by)}, not by {rest}: {', '.join(by_knowledge)}")
    if edges and isolated:
        remarks.append(f"Without arcs: {', '.join(isolated)}")
    # In an optimal network there is no other reason for such an arc.
    if facts["certificate"]["optimal"] and any(edge["removal_cost_bits"] < -_SHOWN_AS_ZERO for edge in edges):
        why = "the shape needs them, or knowledge" if facts["certificate"]["among"] else "they are required"
        remarks.append(f"Arcs with negative bits are there because {why}.")
    if facts["copies"]:
        groups = "; ".join(" = ".join(group) for group in facts["copies"])
        remarks.append(f"Copies of each other, so that data cannot tell which of them others depend on: {groups}")
    return [line(text) for text in remarks]


def _warning(facts: Facts) -> list[RenderableType]:
    if facts["guard"] == "off" or not facts["overfull"]:
        return []
    return [
        *overfull(facts["overfull"], facts["data"]["total"]),
        line("--guard cap excludes such families; --guard off hides this warning."),
    ]
