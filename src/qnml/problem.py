"""What the front doors beside :func:`qnml.learn` ask for, checked and with the columns in order of their names."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from qnml._jobs import resolve_jobs
from qnml._memory import available_memory
from qnml.counts import MemoryCounts
from qnml.data import Table, read_table
from qnml.errors import OverfullWarning, bad_argument, unknown_name
from qnml.graph import Dag
from qnml.scores import BoundScore, bind_score, find_score, local_scores
from qnml.scoring import explain
from qnml.search import Knowledge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.search import CompiledKnowledge

__all__ = ["Problem", "check_time_limit", "fresh_scores", "prepare", "warn_if_overfull"]

GUARDS = ("warn", "cap", "off")


@dataclass(frozen=True)
class Problem:
    """A checked request.

    Attributes
    ----------
    call : the function that was called, for messages.
    table : the data as given.
    names : the variables in order of their names, the order of everything below: the order given must not matter.
    counts : the columns in that order.
    bound : the score with its parameter.
    compiled : what is admitted.
    most_cells : the greatest number of cells of a family with parents that are not required.
    n_jobs : threads.
    memory_limit : bytes.
    """

    call: str
    table: Table
    names: tuple[str, ...]
    counts: MemoryCounts
    bound: BoundScore
    compiled: CompiledKnowledge
    most_cells: float
    n_jobs: int
    memory_limit: float

    @property
    def config_classes(self) -> int:
        """Extra arrays of sums the core keeps for this score."""
        return len(set(self.counts.arities)) if self.bound.score.has_own_configurations else 0

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
) -> Problem:
    """Check the arguments that :func:`qnml.learn` has too, and word what is wrong with them for `call`."""
    chosen = find_score(call, score)
    if not chosen.is_decomposable:
        raise bad_argument(call, "score", score, "a decomposable score", "'nml' can only score given networks.")
    if guard not in GUARDS:
        raise unknown_name(call, "guard", guard, GUARDS)
    if max_parents is not None and not (isinstance(max_parents, int) and max_parents >= 0):
        raise bad_argument(call, "max_parents", max_parents, "a whole number of at least 0, or None")
    if memory_limit is not None and not (isinstance(memory_limit, int | float) and memory_limit > 0):
        raise bad_argument(call, "memory_limit", memory_limit, "a positive number of bytes, or None")
    table = data if isinstance(data, Table) else read_table(data)
    by_name = table.select(sorted(table.names))
    compiled = (knowledge if knowledge is not None else Knowledge()).compile(by_name.names, max_parents=max_parents)
    return Problem(
        call=call,
        table=table,
        names=by_name.names,
        counts=MemoryCounts(by_name),
        bound=bind_score(call, chosen, table.total, parameters),
        compiled=compiled,
        most_cells=table.total / 2 if guard == "cap" else math.inf,
        n_jobs=resolve_jobs(call, n_jobs),
        memory_limit=float(memory_limit) if memory_limit is not None else 0.9 * available_memory(),
    )


def check_time_limit(call: str, time_limit: float | None) -> None:
    """Refuse what is not a number of seconds."""
    if time_limit is not None and not (isinstance(time_limit, int | float) and time_limit >= 0):
        raise bad_argument(call, "time_limit", time_limit, "a number of seconds, at least 0, or None")


def fresh_scores(problem: Problem, networks: Sequence[Sequence[int]]) -> list[float]:
    """Scores of networks given as parent masks, counted anew in floating point, each family once."""
    families = list(dict.fromkeys((child, mask) for masks in networks for child, mask in enumerate(masks)))
    listed = [(child, [j for j in range(len(problem.names)) if mask >> j & 1]) for child, mask in families]
    values = local_scores(problem.counts, listed, problem.bound, n_variables=len(problem.names), n_jobs=problem.n_jobs)
    of_family = dict(zip(families, map(float, values), strict=True))
    return [math.fsum(of_family[family] for family in enumerate(masks)) for masks in networks]


def warn_if_overfull(problem: Problem, dag: Dag) -> None:
    """Warn of families of a network that have more cells than half the rows; of the scores only qNML rewards them."""
    score = problem.bound.score
    if score.name != "qnml":
        return
    overfull = explain(problem.table, dag, score.name, n_jobs=problem.n_jobs).overfull
    if overfull:
        shown = ", ".join(f"{family.child} (log Z = {family.log_z:.1f})" for family in overfull[:5])
        number = "1 family" if len(overfull) == 1 else f"{len(overfull)} families"
        warnings.warn(
            f"{problem.call}: {number} of the best network with more cells than half the {problem.table.total} rows, "
            f"where qNML can prefer parents without any dependence: {shown}. "
            "guard='cap' does not admit them; guard='off' silences this.",
            OverfullWarning,
            stacklevel=3,
        )
