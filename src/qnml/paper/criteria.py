"""The four criteria of the paper, and learning with all of them together."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from qnml._api.learn_many import learn_many

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml._api.search_result import SearchResult
    from qnml.data import Table

__all__ = ["CRITERIA", "learn_each"]

CRITERIA: Mapping[str, str] = MappingProxyType({"BDeu": "bdeu", "BIC": "bic", "fNML": "fnml", "qNML": "qnml"})
"""The paper's names, in the order of its tables, with ours. BDeu has its default equivalent sample size of 1."""


def learn_each(
    tables: Sequence[Table], *, ties: str = "canonical", seeds: Sequence[int] | None = None
) -> list[dict[str, SearchResult]]:
    """Learn from every table with every criterion, exactly, on one thread, without a guard or a prior, as in the paper.

    Parameters
    ----------
    tables
        The samples.
    ties
        The tie-breaking rule, as for :func:`qnml.learn`.
    seeds
        One for each table, for ``ties="random"``.

    Returns
    -------
    list of dict
        For each table the results by the names of :data:`CRITERIA`.
    """
    found = learn_many(
        tables,
        score=tuple(CRITERIA.values()),
        prior="uniform",
        guard="off",
        n_jobs=1,
        seed=[0] * len(tables) if seeds is None else list(seeds),
        ties=ties,
    )
    return [dict(zip(CRITERIA, results, strict=True)) for results in found]
