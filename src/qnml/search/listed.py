"""Running the searches among families with given scores: rules, forecast, limits, certificates.

There is no table: the core looks scores up instead of counting. See ``docs/local-scores.md``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from qnml import _core
from qnml._memory import format_bytes, peak_memory
from qnml.errors import TooLargeError
from qnml.graph.masks import bits
from qnml.search.exact.exact import TIE_RULES
from qnml.search.local.local_search import EFFORTS
from qnml.search.priors import prior_term
from qnml.search.problem import core_rules
from qnml.search.running.certificate import GIVEN_UP, Certificate
from qnml.search.running.interruptible import Watch, interruptible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml._types import CountArray, FloatArray, IndexArray
    from qnml.search.knowledge.knowledge import CompiledKnowledge

__all__ = [
    "MOST_EXACT",
    "MOST_RANKED",
    "FamilyArrays",
    "ListedCertificate",
    "ListedProblem",
    "run_exact",
    "run_k_best",
    "run_orders",
]

MOST_EXACT = _core.MOST_MASK_VARIABLES
# Variables for which the k best networks are listed.
MOST_RANKED = 24
# The exact search alone up to this number of variables; beyond, the search over orders comes first.
_QUICK_UP_TO = 12
_MOST_STATES = {"quick": 2.0**18, "default": 2.0**24, "thorough": math.inf}
_AMONG = "networks of the listed families"
_OUT_OF_MEMORY = "memory ran out during the search. Set memory_limit, or list fewer families."


@dataclass(frozen=True)
class FamilyArrays:
    """The families of all variables, in the order of their names, as the core takes them.

    Attributes
    ----------
    first_of_child : number of the first family of each variable, and the number of all families.
    offsets : place of the first parent of each family, and the number of all parents.
    parents : numbers of the parents.
    scores : of the families.
    """

    first_of_child: CountArray
    offsets: CountArray
    parents: IndexArray
    scores: FloatArray

    def with_prior(self, prior: str, n_variables: int) -> FamilyArrays:
        """The families with the log prior of their numbers of parents added to the scores.

        Parameters
        ----------
        prior
            One of `MODULAR_PRIORS`.
        n_variables
            Number of variables.
        """
        if prior == "uniform":
            return self
        sizes = np.diff(self.offsets)
        terms = np.array([prior_term(prior, n_variables, size) for size in range(n_variables)])
        return replace(self, scores=self.scores + terms[sizes])


@dataclass(frozen=True)
class ListedProblem:
    """A checked problem, ready for the core. Variables are numbered in the order of their names.

    Attributes
    ----------
    call : the public function that was called, for messages.
    families : what is listed.
    compiled : which arcs and how many parents are allowed.
    memory_limit : bytes that may be used.
    n_jobs : threads; no result depends on their number.
    seed : of everything random.
    prior : over structures, which the scores of the families contain.
    """

    call: str
    families: FamilyArrays
    compiled: CompiledKnowledge
    memory_limit: float
    n_jobs: int
    seed: int = 0
    prior: str = "uniform"

    @property
    def n_variables(self) -> int:
        """Number of variables."""
        return len(self.compiled.names)

    @cached_property
    def core(self) -> _core.ListedProblem:
        """The families that the rules admit, as the core takes them."""
        listed = self.families
        return _core.ListedProblem(
            listed.first_of_child,
            listed.offsets,
            listed.parents,
            listed.scores,
            core_rules(self.compiled),
            self.memory_limit,
            self.n_jobs,
            self.seed,
        )


@dataclass(frozen=True)
class ListedCertificate(Certificate):
    """What is proven about a network among all networks of the listed families that the rules admit."""

    def sentence(self) -> str:
        """The certificate in words."""
        took = f"{self.total_seconds:.2g} s, {self.families_scored:,} families"
        if not self.optimal:
            reached = " reached" if str(self.stop_reason).endswith("limit") else ""
            why = "" if self.stop_reason is None else f" ({self.stop_reason}{reached})"
            parts = f" The parents of {self.n_proven} variables are proven optimal." if self.n_proven else ""
            return (
                f"Not proven optimal{why}: no network of the listed families scores more than {self.bound:.6g}, "
                f"{self.gap:.4g} above this one ({took}).{parts}"
            )
        if self.ties is None:
            return f"Proven optimal: no network of the listed families scores more ({took})."
        if not self.ties:
            return (
                f"Proven optimal: no network of the listed families, up to equivalence, scores as much as this one "
                f"({took})."
            )
        chosen = {
            "canonical": "this one has the fewest arcs, then comes first by name",
            "larger": "this one has the most arcs",
            "random": "this one was drawn at random",
        }[self.tie_rule]
        return (
            f"Proven optimal: no network of the listed families scores more; others score the same, and {chosen} "
            f"({took})."
        )


def run_orders(
    problem: ListedProblem, effort: str, start: Sequence[int], time_limit: float | None, watch: Watch | None
) -> tuple[list[int], Certificate]:
    """The search over orders and its proof: the parent masks of the network, and what is known about it.

    Parameters
    ----------
    problem
        The problem; it admits a network.
    effort
        One of `EFFORTS`.
    start
        The parent masks of a network to start from; empty for none.
    time_limit, watch
        As for other searches.
    """
    control = _control(time_limit)
    given = [[*bits(mask)] for mask in start]
    work = partial(_core.learn_listed, problem.core, EFFORTS[effort], given, control)
    found, interrupted = interruptible(work, control, watch, f"{problem.call}: {_OUT_OF_MEMORY}")
    reason = _reason(control, interrupted, "work limit" if found.is_cut else None)
    masks = [sum(1 << parent for parent in parents) for parents in found.parents]
    certificate = ListedCertificate(
        optimal=found.optimal,
        score=found.score,
        bound=found.score if found.optimal else max(found.bound, found.score),
        ties=None,
        tie_rule="canonical",
        method="order",
        stop_reason=None if found.optimal else reason,
        families_scored=found.sets_counted,
        families_pruned=found.sets_counted - found.candidates,
        candidates=found.candidates,
        states=0,
        visits=0,
        seconds=dict(found.seconds),
        peak_memory=peak_memory(),
        n_proven=found.n_proven,
        among=_AMONG,
    )
    return masks, certificate


def run_exact(
    problem: ListedProblem,
    ties: str,
    known: Sequence[int],
    time_limit: float | None,
    watch: Watch | None,
    effort: str | None = None,
) -> tuple[list[int], Certificate]:
    """The exact search: the parent masks of the network, and what is known about it.

    Parameters
    ----------
    problem
        The problem; it admits a network.
    ties
        One of `TIE_RULES`.
    known
        The parent masks of a network to start from; empty for none.
    time_limit, watch
        As for other searches.
    effort
        The search is given up when it outgrows what this effort allows; None for no such limit.

    Raises
    ------
    TooLargeError
        With more than `MOST_EXACT` variables.
    """
    if problem.n_variables > MOST_EXACT:
        raise TooLargeError(
            f"{problem.call}: the exact search takes at most {MOST_EXACT} variables, and there are "
            f"{problem.n_variables}. Say method='order', which looks for a proof for any number of them."
        )
    control = _control(time_limit)
    most_states = math.inf if effort is None else _MOST_STATES[effort]
    options = _core.ExactOptions(TIE_RULES[ties], False, list(known), math.inf, most_states)
    work = partial(_core.learn_listed_exact, problem.core, options, control)
    is_quick = problem.n_variables <= _QUICK_UP_TO and watch is None
    found, interrupted = (
        (work(), 0) if is_quick else interruptible(work, control, watch, f"{problem.call}: {_OUT_OF_MEMORY}")
    )
    otherwise = GIVEN_UP if found.outgrown else "memory limit" if found.out_of_memory else None
    certificate = ListedCertificate(
        optimal=found.optimal,
        score=found.score,
        bound=found.score if found.optimal else max(found.bound, found.score),
        ties=found.has_ties if found.ties_examined else None,
        tie_rule=ties,
        method="families",
        stop_reason=None if found.optimal else _reason(control, interrupted, otherwise),
        families_scored=found.families_scored,
        families_pruned=max(found.families_scored - found.candidates, 0),
        candidates=found.candidates,
        states=found.states,
        visits=0,
        seconds=dict(found.seconds),
        peak_memory=peak_memory(),
        n_proven=problem.n_variables if found.optimal else 0,
        among=_AMONG,
    )
    return list(found.parents), certificate


def run_k_best(
    problem: ListedProblem, k: int, time_limit: float | None, watch: Watch | None, *, by_class: bool
) -> tuple[_core.KBestResult, str | None]:
    """The k best networks, or classes, and why the search stopped early, or None.

    Parameters
    ----------
    problem
        The problem; it admits a network.
    k
        How many.
    time_limit, watch
        As for other searches.
    by_class
        Whether to list equivalence classes instead of networks.

    Raises
    ------
    TooLargeError
        Before any work, with more than `MOST_RANKED` variables or too little memory.
    """
    if problem.n_variables > MOST_RANKED:
        raise TooLargeError(
            f"{problem.call}: the search takes at most {MOST_RANKED} variables, and there are {problem.n_variables}. "
            "Use learn for the best network alone."
        )
    needed = _core.k_best_bytes(problem.n_variables, 0, problem.n_jobs)
    if needed > problem.memory_limit:
        raise TooLargeError(
            f"{problem.call}: the search needs {format_bytes(needed)} of memory, and "
            f"{format_bytes(problem.memory_limit)} may be used. Use learn for the best network alone."
        )
    control = _control(time_limit)
    options = _core.KBestOptions()
    options.k = k
    options.by_class = by_class
    work = partial(_core.k_best_listed, problem.core, options, control)
    found, interrupted = interruptible(work, control, watch, f"{problem.call}: {_OUT_OF_MEMORY}")
    if len(found.scores) == k or found.is_exhausted:
        return found, None
    return found, _reason(control, interrupted, "memory limit")


def _control(time_limit: float | None) -> _core.Control:
    control = _core.Control()
    if time_limit is not None:
        control.set_deadline(time_limit)
    return control


def _reason(control: _core.Control, interrupted: int, otherwise: str | None) -> str | None:
    if interrupted:
        return "interrupted"
    return "time limit" if control.is_timed_out else otherwise
