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

__all__ = ["CRITERIA", "WITH_REGRETS", "learn_each"]

CRITERIA: Mapping[str, str] = MappingProxyType({"BDeu": "bdeu", "BIC": "bic", "fNML": "fnml", "qNML": "qnml"})
"""The paper's names, in the order of its tables, with ours. BDeu has its default equivalent sample size of 1."""

WITH_REGRETS = ("fNML", "qNML")
"""The criteria that have regrets."""

# The formulas of the program behind the paper (Section 2.3 and Table 1), see `qnml.scores.bind_score`.
_PUBLISHED = {"fNML": "szpankowski", "qNML": "szpankowski-weinberger"}


def learn_each(
    tables: Sequence[Table],
    *,
    criteria: Sequence[str] = tuple(CRITERIA),
    ties: Sequence[str] = ("canonical",),
    seeds: Sequence[int] | None = None,
    as_published: bool = False,
) -> list[dict[tuple[str, str], Dag]]:
    """Learn from every table with every criterion, exactly, on one thread, without a guard or a prior, as in the paper.

    All searches on one table share one traversal of the sets of its variables.

    Parameters
    ----------
    tables
        The samples.
    criteria
        Names of :data:`CRITERIA`.
    ties
        The tie-breaking rules, as for :func:`qnml.learn`.
    seeds
        One for each table, for the rule ``"random"``.
    as_published
        Whether regrets are those of the program behind the paper instead of exact ones.

    Returns
    -------
    list of dict
        For each table the networks by name of :data:`CRITERIA` and rule.
    """
    given = [0] * len(tables) if seeds is None else seeds
    problems = []
    for table, seed in zip(tables, given, strict=True):
        counted = CountedTable(table, "paper")
        problems.append([_problem(counted, name, seed, as_published=as_published) for name in criteria])
    found = run_many([[exact_request(one.search, rule) for rule in ties for one in group] for group in problems], 1)
    keys = [(criterion, rule) for rule in ties for criterion in criteria]
    return [
        {
            key: problem.dag(result.parents)
            for key, problem, result in zip(keys, [*group] * len(ties), results, strict=True)
        }
        for group, results in zip(problems, found, strict=True)
    ]


def _problem(counted: CountedTable, criterion: str, seed: int, *, as_published: bool) -> Problem:
    approximate = as_published and criterion in _PUBLISHED
    parameters: dict[str, float | str] = {"regret": _PUBLISHED[criterion]} if approximate else {}
    return prepare("paper", counted, CRITERIA[criterion], None, None, "off", None, 1, parameters, seed=seed)
