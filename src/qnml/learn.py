"""The front door for structure learning: check the arguments, wire the rooms, return.

Examples
--------
>>> import qnml
>>> table = qnml.datasets.sample("asia", 1000, seed=1)
>>> result = qnml.learn(table)
>>> result.certificate.optimal
True
>>> ("tub", "either") in result.dag.arcs or ("either", "tub") in result.dag.arcs
True
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

from qnml._jobs import resolve_jobs
from qnml._progress import progress_bar
from qnml.counts import MemoryCounts
from qnml.data import Table, read_table
from qnml.errors import OverfullWarning, QnmlError, TooLargeError, bad_argument, unknown_name
from qnml.graph import Cpdag, Dag
from qnml.scores import BoundScore, bind_score, find_score, local_scores
from qnml.scoring import Explanation, FamilyExplanation, explain
from qnml.search import Certificate, Knowledge, Plan, large
from qnml.search.exact import TIE_RULES, Found, Request, exact_certificate, make_plan, run_many, run_one

if TYPE_CHECKING:
    from collections.abc import Iterable

    from qnml.model import Network
    from qnml.report.notebook import Picture
    from qnml.search import CompiledKnowledge
    from qnml.search.interruptible import Watch

__all__ = ["SearchResult", "learn", "learn_many", "plan"]

METHODS = ("auto", "exact", *large.LARGE_METHODS)
GUARDS = ("warn", "cap", "off")


@dataclass(frozen=True, eq=False)
class SearchResult:
    """A learned structure with its certificate.

    Attributes
    ----------
    dag : the network found; of an exact search, a canonical one among the members of its equivalence class.
    score : its score in nats, computed afresh from the table.
    score_name : the score and its parameter.
    certificate : what is proven about it.
    table : the data it was learned from.
    """

    dag: Dag
    score: float
    score_name: str
    certificate: Certificate
    table: Table
    bound_score: BoundScore

    @cached_property
    def cpdag(self) -> Cpdag:
        """The equivalence class of the network: arcs that the data cannot direct are undirected."""
        return self.dag.to_cpdag()

    @cached_property
    def explanation(self) -> Explanation:
        """Fit and penalty per variable, and per arc what removing it would cost, in bits."""
        return explain(self.table, self.dag, self.bound_score.score.name, n_jobs=None, **self._parameters)

    @property
    def overfull(self) -> tuple[FamilyExplanation, ...]:
        """Families with more cells than half the number of rows (see :class:`FamilyExplanation`)."""
        return self.explanation.overfull

    @property
    def _parameters(self) -> dict[str, float | str]:
        parameter = self.bound_score.score.parameter
        return {} if parameter is None else {parameter.name: self.bound_score.value}

    def sentence(self) -> str:
        """The certificate in one sentence."""
        return self.certificate.sentence()

    def fit(self, parameters: str = "snml", **options: float) -> Network:
        """The network with parameters estimated from the same table; see :func:`qnml.fit`."""
        from qnml.model import fit

        return fit(self.table, self.dag, parameters=parameters, **options)

    def plot(self) -> Picture:
        """Draw the equivalence class, arcs as thick as they are strong; ``.save(path)`` writes it to a file."""
        # The one place where a result knows its looks: notebooks ask objects how they show themselves.
        from qnml.report.notebook import Picture

        return Picture(self)

    def _repr_html_(self) -> str:
        return f"{self.plot()._repr_html_()}<p>{self.score_name} {self.score:.4f} nats. {self.sentence()}</p>"

    def __repr__(self) -> str:
        proven = "optimal" if self.certificate.optimal else f"gap {self.certificate.gap:.4g}"
        return f"SearchResult({self.dag}, {self.score_name}={self.score:.4f}, {proven})"


class _Counted:
    """A table with its columns in order of their names: the order given must not matter."""

    def __init__(self, data: Any) -> None:
        self.table = data if isinstance(data, Table) else read_table(data)
        by_name = self.table.select(sorted(self.table.names))
        self.names = by_name.names
        self.counts = MemoryCounts(by_name)


@dataclass(frozen=True)
class _Problem:
    """A checked request."""

    counted: _Counted
    bound: BoundScore
    compiled: CompiledKnowledge
    request: Request | large.LargeRequest

    @property
    def plan(self) -> Plan:
        return self.request.plan


def learn(
    data: Any,
    score: str = "qnml",
    method: str = "auto",
    *,
    effort: str = "default",
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    guard: str = "warn",
    time_limit: float | None = None,
    memory_limit: float | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    seed: int | None = None,
    ties: str = "canonical",
    **parameters: float | str,
) -> SearchResult:
    """The network with the highest score, or a good one where that is out of reach, with a certificate.

    Parameters
    ----------
    data : a :class:`Table`, or anything :func:`read_table` takes without options.
    score : name of a decomposable score in :data:`qnml.SCORES`.
    method : ``"exact"``, which proves what it finds; ``"order"``, ``"hill-climbing"`` or ``"ges"`` (greedy equivalence
        search, for scores that are the same for equivalent networks), which take any number of variables and prove
        nothing; ``"auto"``: exact where that fits and takes no more than about an hour, otherwise ``"order"``.
    effort : ``"quick"``, ``"default"`` or ``"thorough"``: how much work goes into a search that proves nothing, and how
        long ``"auto"`` lets an exact one take (a second, an hour, a day).
    knowledge : arcs that are required or forbidden, tiers, limits: see :class:`Knowledge`. Always obeyed.
    max_parents : limit for every variable; none by default.
    guard : what to do about families with more cells than half the rows, which qNML can prefer without any dependence:
        ``"warn"``, ``"cap"`` (do not admit them) or ``"off"``.
    time_limit : seconds after which the best network found so far is returned with its gap.
    memory_limit : bytes; what would need more is refused before it starts. By default 90 % of what is free.
    n_jobs : threads; all cores by default. The result does not depend on it.
    progress : show a progress bar on standard error.
    seed : for ``ties="random"``, and for searches that prove nothing.
    ties : among networks of equal score, take the ``"canonical"`` one (fewest parameters, then fewest arcs, then first
        by name), the one with the ``"larger"`` families, or one at ``"random"``. The latter two take an exact search.
    **parameters : the score's own parameter, as for :func:`qnml.score`.

    Returns
    -------
    SearchResult
        Also after a time limit or Ctrl-C, with the best network found so far; its certificate says so.

    Raises
    ------
    TooLargeError
        Before any work, with the figures and what would fit.
    """
    problem = _prepare(
        "learn",
        _Counted(data),
        score,
        method,
        effort,
        knowledge,
        max_parents,
        guard,
        memory_limit,
        n_jobs,
        seed,
        ties,
        parameters,
    )
    if time_limit is not None and not (isinstance(time_limit, int | float) and time_limit >= 0):
        raise bad_argument("learn", "time_limit", time_limit, "a number of seconds, at least 0, or None")
    if not problem.plan.fits:
        raise TooLargeError(f"learn: {problem.plan.sentence()}")
    with progress_bar() if progress else nullcontext() as watch:
        result = _run(problem, time_limit, watch)
    if guard == "warn":
        _warn_if_overfull(result)
    return result


def plan(
    data: Any,
    score: str = "qnml",
    method: str = "auto",
    *,
    effort: str = "default",
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    guard: str = "warn",
    memory_limit: float | None = None,
    n_jobs: int | None = None,
    **parameters: float | str,
) -> Plan:
    """What :func:`learn` with the same arguments would do and need, and whether it fits; nothing is searched."""
    return _prepare(
        "plan",
        _Counted(data),
        score,
        method,
        effort,
        knowledge,
        max_parents,
        guard,
        memory_limit,
        n_jobs,
        None,
        "canonical",
        parameters,
    ).plan


@overload
def learn_many(
    tables: Iterable[Any],
    score: str = "qnml",
    *,
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
    jobs = resolve_jobs("learn_many", n_jobs)
    counted = [_Counted(data) for data in tables]
    scores = [score] if isinstance(score, str) else list(score)
    if not scores:
        raise bad_argument("learn_many", "score", score, "at least one score")
    given = [find_score("learn_many", name) for name in scores]
    own = [
        {k: v for k, v in parameters.items() if one.parameter is not None and k == one.parameter.name} for one in given
    ]
    for name in parameters:
        if not any(name in mine for mine in own):
            raise bad_argument(
                "learn_many", name, parameters[name], "a parameter of one of the scores", "Leave it out."
            )
    seeds = list(seed) if isinstance(seed, Sequence) else [seed] * len(counted)
    if len(seeds) != len(counted):
        raise bad_argument("learn_many", "seed", f"{len(seeds)} numbers", f"one number, or {len(counted)}, one a table")
    problems = [
        [
            _prepare(
                "learn_many", one, name, "exact", "default", knowledge, max_parents, guard, None, 1, mine, ties, its
            )
            for name, its in zip(scores, own, strict=True)
        ]
        for one, mine in zip(counted, seeds, strict=True)
    ]
    for number, group in enumerate(problems):
        for problem in group:
            if not problem.plan.fits:
                raise TooLargeError(f"learn_many: table {number}: {problem.plan.sentence()}")
    # Asked for by "exact", they are all of that kind.
    requests = [[p.request for p in group if isinstance(p.request, Request)] for group in problems]
    found = run_many([group for group in requests if group], jobs)
    results = [
        tuple(_to_result(*asked, one, None) for asked, one in zip(zip(group, its, strict=True), each, strict=True))
        for group, its, each in zip(problems, requests, found, strict=True)
    ]
    return [one for (one,) in results] if isinstance(score, str) else results


def _prepare(
    call: str,
    counted: _Counted,
    score: str,
    method: str,
    effort: str,
    knowledge: Knowledge | None,
    max_parents: int | None,
    guard: str,
    memory_limit: float | None,
    n_jobs: int | None,
    seed: int | None,
    ties: str,
    parameters: dict[str, float | str],
) -> _Problem:
    chosen = find_score(call, score)
    if not chosen.is_decomposable:
        raise bad_argument(call, "score", score, "a decomposable score", "'nml' can only score given networks.")
    for argument, value, known in (
        ("method", method, METHODS),
        ("effort", effort, large.EFFORTS),
        ("guard", guard, GUARDS),
        ("ties", ties, TIE_RULES),
    ):
        if value not in known:
            raise unknown_name(call, argument, value, known)
    if method in large.OF_CLASSES and not chosen.is_equivalent:
        allowed = f"a score that is the same for equivalent networks with method='{method}'"
        raise bad_argument(call, "score", score, allowed, "Say method='order', or choose another score.")
    if ties != "canonical" and method in large.LARGE_METHODS:
        raise bad_argument(
            call, "ties", ties, f"'canonical' with method='{method}'", "Only exact searches know of ties."
        )
    if max_parents is not None and not (isinstance(max_parents, int) and max_parents >= 0):
        raise bad_argument(call, "max_parents", max_parents, "a whole number of at least 0, or None")
    if memory_limit is not None and not (isinstance(memory_limit, int | float) and memory_limit > 0):
        raise bad_argument(call, "memory_limit", memory_limit, "a positive number of bytes, or None")
    if seed is not None and not (isinstance(seed, int) and 0 <= seed < 2**64):
        raise bad_argument(call, "seed", seed, "a whole number from 0 to 2^64 - 1, or None")
    table, counts = counted.table, counted.counts
    known_facts = knowledge if knowledge is not None else Knowledge()
    compiled = known_facts.compile(counted.names, max_parents=max_parents)
    searched = compiled.without_constants(counts.arities) if ties == "canonical" else compiled
    bound = bind_score(call, chosen, table.total, parameters)
    most_cells = table.total / 2 if guard == "cap" else math.inf
    jobs = resolve_jobs(call, n_jobs)
    size = (counts.arities, table.n_rows, memory_limit)
    exact = None
    if method not in large.LARGE_METHODS:
        exact = make_plan(
            *size,
            columns=counts.columns,
            kind=chosen.kind,
            parameter=bound.value,
            compiled=searched,
            most_cells=most_cells,
            config_classes=len(set(counts.arities)) if chosen.has_own_configurations else 0,
            is_direct=not chosen.has_cell_sums,
            n_jobs=jobs,
        )
    what = (counts.columns, chosen.kind, bound.value, searched, most_cells)
    is_exact_wanted = method == "exact" or ties != "canonical"
    if exact is not None and (is_exact_wanted or (exact.fits and exact.seconds <= large.exact_seconds(effort))):
        return _Problem(counted, bound, compiled, Request(*what, exact, ties, seed or 0, jobs))
    forecast = large.make_plan(*size, method=method, effort=effort, exact=exact)
    return _Problem(counted, bound, compiled, large.LargeRequest(*what, forecast, effort, seed or 0, jobs))


def _run(problem: _Problem, time_limit: float | None, watch: Watch | None) -> SearchResult:
    if isinstance(problem.request, Request):
        return _to_result(problem, problem.request, *run_one(problem.request, time_limit, watch))
    found, reason = large.run(problem.request, time_limit, watch)
    by_name = Dag.from_masks(problem.counted.names, [sum(1 << parent for parent in one) for one in found.parents])
    value = _fresh_score(problem, found.parents, found.score)
    certificate = large.make_certificate(found, value, problem.plan.method, reason)
    return _with_certificate(problem, by_name, certificate)


def _with_certificate(problem: _Problem, by_name: Dag, certificate: Certificate) -> SearchResult:
    table = problem.counted.table
    dag = by_name.reorder(table.names)
    return SearchResult(dag, certificate.score, problem.bound.label, certificate, table, problem.bound)


def _to_result(problem: _Problem, request: Request, found: Found, reason: str | None) -> SearchResult:
    if not found.found:
        raise QnmlError("learn: the search ended without a network.")
    by_name = Dag.from_masks(problem.counted.names, found.parents)
    n = len(by_name.names)
    value = _fresh_score(
        problem, [[j for j in range(n) if mask >> j & 1] for mask in by_name.parent_masks], found.score
    )
    certificate = exact_certificate(found, value, request, _has_ties(problem, found), reason)
    return _with_certificate(problem, by_name, certificate)


def _has_ties(problem: _Problem, found: Found) -> bool | None:
    """Whether another class scores the same; arcs to variables of one level, left out of the search, count."""
    if not found.ties_examined:
        return None
    if found.has_ties or problem.request.compiled is problem.compiled:
        return found.has_ties
    if problem.bound.score.has_price_of_arcs and problem.bound.value > 0:
        return False  # every arc has its price
    known = problem.compiled
    return any(
        known.allowed[child] & ~problem.request.compiled.allowed[child]
        and parents.bit_count() < known.max_parents[child]
        for child, parents in enumerate(found.parents)
    )


def _fresh_score(problem: _Problem, parents: Sequence[Sequence[int]], claimed: float) -> float:
    values = local_scores(
        problem.counted.counts,
        list(enumerate(parents)),
        problem.bound,
        n_variables=len(parents),
        n_jobs=problem.request.n_jobs,
    )
    value = math.fsum(float(value) for value in values)
    # The search sums whole units; a fresh score in floating point must agree, or the core is wrong.
    if not math.isclose(value, claimed, rel_tol=1e-7, abs_tol=1e-6 * len(parents)):
        raise AssertionError(f"the search says {claimed}, the network scores {value}")
    return value


def _warn_if_overfull(result: SearchResult) -> None:
    # Of the scores only qNML rewards over-full families; for the others log Z says nothing about their own terms.
    if result.bound_score.score.name != "qnml" or not result.overfull:
        return
    shown = ", ".join(f"{f.child} (log Z = {f.log_z:.1f})" for f in result.overfull[:5])
    number = "1 family has" if len(result.overfull) == 1 else f"{len(result.overfull)} families have"
    warnings.warn(
        f"learn: {number} more cells than half the {result.table.total} rows, where "
        f"qNML can prefer parents without any dependence: {shown}. "
        "guard='cap' does not admit them; guard='off' silences this.",
        OverfullWarning,
        stacklevel=3,
    )
