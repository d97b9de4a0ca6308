"""The four criteria of the paper, and learning with all of them together."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from qnml._api.problem import CountedTable, Problem, prepare
from qnml._api.search_choice import exact_request
from qnml.search.exact.exact import run_many

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml.data import Table
    from qnml.graph import Dag

__all__ = ["CRITERIA", "learn_each"]

CRITERIA: Mapping[str, str] = MappingProxyType({"BDeu": "bdeu", "BIC": "bic", "fNML": "fnml", "qNML": "qnml"})
"""The paper's names, in the order of its tables, with ours. BDeu has its default equivalent sample size of 1."""


def learn_each(
    tables: Sequence[Table], *, ties: Sequence[str] = ("canonical",), seeds: Sequence[int] | None = None
) -> list[dict[tuple[str, str], Dag]]:
    """Learn from every table with every criterion, exactly, on one thread, without a guard or a prior, as in the paper.

    All searches on one table share one traversal of the sets of its variables.

    Parameters
    ----------
    tables
        The samples.
    ties
        The tie-breaking rules, as for :func:`qnml.learn`.
    seeds
        One for each table, for the rule ``"random"``.

    Returns
    -------
    list of dict
        For each table the networks by name of :data:`CRITERIA` and rule.
    """
    given = [0] * len(tables) if seeds is None else seeds
    problems = []
    for table, seed in zip(tables, given, strict=True):
        counted = CountedTable(table, "paper")
        problems.append([_problem(counted, score, seed) for score in CRITERIA.values()])
    found = run_many([[exact_request(one.search, rule) for rule in ties for one in group] for group in problems], 1)
    keys = [(criterion, rule) for rule in ties for criterion in CRITERIA]
    return [
        {
            key: problem.dag(result.parents)
            for key, problem, result in zip(keys, [*group] * len(ties), results, strict=True)
        }
        for group, results in zip(problems, found, strict=True)
    ]


def _problem(counted: CountedTable, score: str, seed: int) -> Problem:
    return prepare("paper", counted, score, None, None, "off", None, 1, {}, seed=seed)
