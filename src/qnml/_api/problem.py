"""The problem that a public call poses: its arguments checked, its columns in order of their names."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from qnml._api.arguments import as_table, check_knowledge, check_whole_number
from qnml._checks import check_choice
from qnml._jobs import resolve_jobs
from qnml._memory import resolve_memory_limit
from qnml.counts import MemoryCounts
from qnml.data.missing import refuse_incomplete
from qnml.errors import OverfullWarning, bad_argument
from qnml.graph import Dag
from qnml.graph.interventional import parts_of_targets, told_arcs
from qnml.graph.masks import bits
from qnml.scores import BoundScore, bind_score, check_units, find_score, local_scores
from qnml.search import Knowledge, SearchProblem
from qnml.search.priors import SEARCH_PRIORS, resolved_prior

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml._api.explanation import FamilyExplanation
    from qnml.data import Table
    from qnml.data.interventions import Interventions
    from qnml.graph import Mpdag

__all__ = [
    "CountedTable",
    "FreshScore",
    "Problem",
    "admitted",
    "empty_objective",
    "fresh_scores",
    "prepare",
    "warn_of_overfull",
]

GUARDS = ("warn", "cap", "off")


class CountedTable:
    """A table with its columns in order of their names: the order given must not matter.

    Attributes
    ----------
    table : the data as given.
    names : the variables in order of their names.
    counts : the columns in that order.
    """

    def __init__(self, data: Any, call: str = "counting") -> None:
        self.table = as_table(data)
        refuse_incomplete(call, self.table)
        by_name = self.table.select(sorted(self.table.names))
        self.names = by_name.names
        self.counts = MemoryCounts(by_name)


@dataclass(frozen=True)
class Problem:
    """A checked request: what to search for, and the table with its names.

    Attributes
    ----------
    search : the problem as every search takes it; its variables are in the order of their names.
    table : the data as given.
    names : the variables in order of their names.
    counts : the columns in that order.
    warns : whether to warn of families with more cells than half the rows: only if the penalty of the score saturates
        there. For other scores log Z says nothing about their own terms.
    knowledge : the constraints with those that the preparation of the table adds; None if there are none.
    """

    search: SearchProblem
    table: Table
    names: tuple[str, ...]
    counts: MemoryCounts
    warns: bool
    knowledge: Knowledge | None

    @property
    def score(self) -> BoundScore:
        """The score with its parameter."""
        return self.search.score

    @property
    def observations(self) -> int:
        """Number of observations: the sum of the weights, in which each counts `BoundScore.scale` times."""
        return self.table.total // self.score.scale

    def dag(self, masks: Sequence[int]) -> Dag:
        """A network of the core, with its nodes in the order of the table."""
        return Dag.from_masks(self.names, masks).reorder(self.table.names)


def prepare(
    call: str,
    data: Any,
    score: str,
    knowledge: Knowledge | None,
    max_parents: int | None,
    guard: str,
    memory_limit: float | None,
    n_jobs: int | None,
    parameters: dict[str, float | str],
    *,
    prior: str = "uniform",
    priors: Sequence[str] = SEARCH_PRIORS,
    seed: int | None = None,
    scale: int = 1,
) -> Problem:
    """Check the arguments that all public calls share; errors name `call`.

    `data` may be a `CountedTable`, for several problems on the same table. Every observation counts `scale` times in
    the weights of the table. `priors` are those that the call takes.
    """
    chosen = find_score(call, score)
    if not chosen.is_decomposable:
        raise bad_argument(call, "score", score, "a decomposable score", "'nml' can only score given networks.")
    check_choice(call, "guard", guard, GUARDS)
    check_choice(call, "prior", prior, priors)
    max_parents = check_whole_number(call, "max_parents", max_parents)
    known = check_knowledge(call, knowledge)
    limit = resolve_memory_limit(call, memory_limit)
    counted = data if isinstance(data, CountedTable) else CountedTable(data, call)
    made = counted.table.preparation
    if made is not None and made.indicators:
        # That a cell is missing is a consequence of the other variables, never a cause.
        known = known.with_leaves(name for name in made.indicators if name in counted.names)
    compiled = known.compile(counted.names, max_parents=max_parents)
    if counted.table.interventions is not None:
        always = [i for i, name in enumerate(counted.names) if counted.table.interventions.mask(name).all()]
        compiled = compiled.without_causes(always)
    observations = counted.table.total // scale
    bound = replace(bind_score(call, chosen, observations, parameters), scale=scale)
    required = [[*bits(mask)] for mask in compiled.required]
    search = SearchProblem(
        call=call,
        columns=counted.counts.columns,
        score=bound,
        compiled=compiled,
        most_cells=_fewest_observed(counted) / scale / 2 if guard == "cap" else math.inf,
        memory_limit=limit,
        n_jobs=resolve_jobs(call, n_jobs),
        prior=resolved_prior(prior, chosen, len(counted.names)),
        seed=seed or 0,
    )
    check_units(call, bound, counted.table.total, counted.counts.arities, required, search.core_prior)
    warns = guard == "warn" and chosen.penalty_saturates
    constraints = known if known != Knowledge() else None
    return Problem(search, counted.table, counted.names, counted.counts, warns, constraints)


def _fewest_observed(counted: CountedTable) -> int:
    """The fewest rows in which a variable was observed, apart from those that were set in all."""
    totals = [counted.counts.total_of(child) for child in range(len(counted.names))]
    return min(filter(None, totals), default=counted.table.total)


@dataclass(frozen=True)
class FreshScore:
    """The score of a network, of the data alone, and the log prior of its structure; in nats."""

    score: float
    log_prior: float

    @property
    def objective(self) -> float:
        """Their sum, which searches maximise."""
        return self.score + self.log_prior


def fresh_scores(problem: Problem, networks: Sequence[Sequence[int]], claimed: Sequence[float]) -> list[FreshScore]:
    """Scores of networks given as masks of parents, counted anew in floating point, each family once.

    The searches sum whole units; what they claim, score and log prior together, must agree, or the core is wrong.
    """
    scores = _counted_anew(problem, networks)
    # A family is the difference of sums of the size N log N, of which little may be left.
    total = problem.table.total
    room = len(problem.names) * (1e-6 + 1e-14 * total * math.log(total))
    for value, sum_of_units in zip((one.objective for one in scores), claimed, strict=True):
        if not math.isclose(value, sum_of_units, rel_tol=1e-7, abs_tol=room):
            raise AssertionError(f"the search says {sum_of_units}, the network scores {value}")
    return scores


def empty_objective(problem: Problem) -> float:
    """What the network without arcs scores, with the log prior, whether or not it is admitted."""
    (value,) = _counted_anew(problem, [[0] * len(problem.names)])
    return value.objective


def _counted_anew(problem: Problem, networks: Sequence[Sequence[int]]) -> list[FreshScore]:
    lists = [[tuple(bits(mask)) for mask in masks] for masks in networks]
    families = list(dict.fromkeys(family for parents in lists for family in enumerate(parents)))
    values = local_scores(
        problem.counts,
        families,
        problem.score,
        n_variables=len(problem.names),
        n_jobs=problem.search.n_jobs,
        names=problem.names,
    )
    of_family = dict(zip(families, map(float, values), strict=True))
    return [
        FreshScore(math.fsum(of_family[family] for family in enumerate(parents)), problem.search.log_prior(masks))
        for parents, masks in zip(lists, networks, strict=True)
    ]


def admitted(dag: Dag, knowledge: Knowledge | None, interventions: Interventions | None = None) -> Mpdag:
    """The networks equivalent to one that obeys the knowledge, as far as they obey it too.

    With interventions, those that also agree with it on the arcs that these tell.
    """
    members = (knowledge or Knowledge()).orient(dag)
    if interventions is None:
        return members
    parts = parts_of_targets(dag.names, interventions.targets)
    return members.orient(told_arcs(dag, parts))


def warn_of_overfull(problem: Problem, families: Sequence[FamilyExplanation]) -> None:
    """Warn of families of the best network that have more cells than half the rows, if there are any."""
    if not families:
        return
    shown = ", ".join(_with_log_z(family) for family in families[:5])
    number = "1 family has" if len(families) == 1 else f"{len(families)} families have"
    warnings.warn(
        f"{problem.search.call}: in the best network {number} more cells than half the {problem.observations} rows, "
        f"where qNML can prefer parents without any dependence: {shown}. "
        "guard='cap' does not admit them; guard='off' silences this.",
        OverfullWarning,
        stacklevel=3,
    )


def _with_log_z(family: FamilyExplanation) -> str:
    return family.child if family.log_z is None else f"{family.child} (log Z = {family.log_z:.1f})"
