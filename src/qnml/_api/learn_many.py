"""`learn_many`: exact learning from many tables at once.

Examples
--------
>>> import qnml
>>> tables = [qnml.datasets.sample("asia", 1000, seed=seed) for seed in (1, 2)]
>>> [result.certificate.optimal for result in qnml.learn_many(tables)]
[True, True]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from qnml._api.arguments import check_search_arguments, refuse_unknown_arguments
from qnml._api.problem import CountedTable, Problem, prepare
from qnml._api.run_search import exact_result
from qnml._api.search_choice import exact_request
from qnml._checks import checked_list
from qnml._jobs import resolve_jobs
from qnml.errors import TooLargeError, bad_argument
from qnml.scores import find_score
from qnml.search.exact.exact import run_many

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from qnml._api.search_result import SearchResult
    from qnml.search import Knowledge
    from qnml.search.exact.exact import ExactRequest

__all__ = ["learn_many"]


@overload
def learn_many(
    tables: Iterable[Any],
    score: str = "qnml",
    *,
    prior: str = "auto",
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    guard: str = "off",
    n_jobs: int | None = None,
    seed: int | Sequence[int] | None = None,
    ties: str = "canonical",
    **parameters: float | str,
) -> list[SearchResult]: ...


@overload
def learn_many(
    tables: Iterable[Any],
    score: tuple[str, ...] | list[str],
    *,
    prior: str = "auto",
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    guard: str = "off",
    n_jobs: int | None = None,
    seed: int | Sequence[int] | None = None,
    ties: str = "canonical",
    **parameters: float | str,
) -> list[tuple[SearchResult, ...]]: ...


def learn_many(
    tables: Iterable[Any],
    score: str | tuple[str, ...] | list[str] = "qnml",
    *,
    prior: str = "auto",
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    guard: str = "off",
    n_jobs: int | None = None,
    seed: int | Sequence[int] | None = None,
    ties: str = "canonical",
    **parameters: float | str,
) -> list[SearchResult] | list[tuple[SearchResult, ...]]:
    """Learn from many tables at once, one thread a table: for experiments with thousands of small problems.

    Parameters
    ----------
    tables : tables, or anything :func:`read_table` takes without options.
    score : name of a score; or several, which then share the counting of each table.
    prior : as for :func:`learn`; the number of variables is that of each table.
    knowledge : as for :func:`learn`.
    max_parents : as for :func:`learn`.
    guard : as for :func:`learn`; over-full families are not warned of.
    n_jobs : tables at a time.
    seed : for ``ties="random"``: one number, or one for each table.
    ties : as for :func:`learn`.
    **parameters : parameters of the scores; each goes to the scores that take it.

    Returns
    -------
    list
        In the order of the tables: one result each, or with several scores a tuple of them, in the order of the scores.
    """
    scores = [score] if isinstance(score, str) else checked_list("learn_many", "score", score, "a score, or several")
    refuse_unknown_arguments(learn_many, scores, parameters)
    jobs = resolve_jobs("learn_many", n_jobs)
    counted = [
        CountedTable(data, "learn_many") for data in checked_list("learn_many", "tables", tables, "a list of tables")
    ]
    if not scores:
        raise bad_argument("learn_many", "score", score, "at least one score")
    own = [_own_parameters(name, parameters) for name in scores]
    seeds = _seed_per_table(seed, len(counted), ties)

    def prepared(table: CountedTable, its_seed: int | None) -> list[Problem]:
        given = (knowledge, max_parents, guard, None, 1)
        return [
            prepare("learn_many", table, name, *given, its, prior=prior, seed=its_seed)
            for name, its in zip(scores, own, strict=True)
        ]

    problems = [prepared(table, its_seed) for table, its_seed in zip(counted, seeds, strict=True)]
    requests = [[exact_request(problem.search, ties) for problem in group] for group in problems]
    _refuse_too_large(requests)
    found = run_many(requests, jobs)
    results = [
        tuple(exact_result(*solved, None) for solved in zip(*group, strict=True))
        for group in zip(problems, requests, found, strict=True)
    ]
    return [one for (one,) in results] if isinstance(score, str) else results


def _own_parameters(name: str, parameters: dict[str, float | str]) -> dict[str, float | str]:
    """The parameters that this score takes."""
    known = find_score("learn_many", name).parameter_names
    return {key: value for key, value in parameters.items() if key in known}


def _seed_per_table(seed: object, n_tables: int, ties: str) -> list[int | None]:
    seeds: list[Any] = [*seed] if isinstance(seed, list | tuple | range) else [seed] * n_tables
    if len(seeds) != n_tables:
        raise bad_argument("learn_many", "seed", f"{len(seeds)} numbers", f"one number, or {n_tables}, one a table")
    return [check_search_arguments("learn_many", "exact", "default", ties, one) for one in seeds]


def _refuse_too_large(requests: list[list[ExactRequest]]) -> None:
    for number, group in enumerate(requests):
        for request in group:
            if not request.plan.fits:
                raise TooLargeError(f"learn_many: table {number}: {request.plan.sentence()}")
