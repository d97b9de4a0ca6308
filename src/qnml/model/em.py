"""Parameters of a given structure from rows with missing cells: the EM algorithm.

Each step computes the counts of all families that are expected given the observed cells, exactly, and takes their
relative frequencies as the next parameters, until the log-likelihood of the observed cells no longer rises. Then the
rule that the user chose is applied to the expected counts of the last step.

The first step has each missing cell independent of all others and distributed as the observed cells of its column.
"""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING

import numpy as np

from qnml.errors import EmWarning
from qnml.model.incomplete import IncompleteData
from qnml.model.network import Network
from qnml.model.parameters import RULES, Parameters, probabilities
from qnml.model.tables import SparseTable

if TYPE_CHECKING:
    from qnml._types import FloatArray
    from qnml.data import Preparation, Table
    from qnml.graph import Dag
    from qnml.model.incomplete import Completed, StructuredRows

__all__ = ["MOST_STEPS", "TOLERANCE", "expected_network", "fit_by_em"]

TOLERANCE = 1e-9
"""EM ends when a step raises the log-likelihood of the observed cells by no more than this share of it."""

MOST_STEPS = 1000


def fit_by_em(
    table: Table,
    dag: Dag,
    made: Parameters,
    n_jobs: int,
    preparation: Preparation | None,
    completed: Completed | None = None,
) -> Network:
    """Estimate the parameters of a structure from a table with missing cells; see :func:`qnml.fit`.

    Parameters
    ----------
    table
        With the columns of the structure.
    dag
        The structure.
    made
        The rule that turns expected counts into probabilities.
    n_jobs
        Threads.
    preparation
        What the network is to remember.
    completed
        Completed rows to begin with; by default each missing cell is completed independently.
    """
    data = IncompleteData(table)
    parents = [[data.table.index(parent) for parent in dag.parents(name)] for name in data.names]
    rows = data.under("fit", parents, n_jobs)
    counts = rows.spread_counts() if completed is None else rows.completed_counts(completed)
    found = rows.climb(counts, TOLERANCE, MOST_STEPS)
    if not found.is_converged:
        warnings.warn(
            f"fit: EM was stopped after {MOST_STEPS:,} steps, the last of which raised the log-likelihood of the "
            f"observed cells by {found.trace[-1] - found.trace[-2]:.2g} nats. The parameters may not be those of the "
            "highest likelihood.",
            EmWarning,
            stacklevel=3,
        )
    ended = f"{'converged' if found.is_converged else 'stopped'} after {len(found.trace)} steps"
    return expected_network(table, dag, rows, found.counts, made, f"{ended} at {found.trace[-1]:.4f} nats", preparation)


def expected_network(
    table: Table,
    dag: Dag,
    rows: StructuredRows,
    counts: FloatArray,
    made: Parameters,
    ended: str,
    preparation: Preparation | None,
) -> Network:
    """A network with probabilities by a rule from expected counts.

    It keeps no counts, since they are no whole numbers: it cannot be updated with more rows. A comment says how it was
    made.

    Parameters
    ----------
    table
        With the columns of the structure.
    dag
        The structure.
    rows
        The rows under this structure, variables in order of their names.
    counts
        The expected counts, as the core numbers them.
    made
        The rule.
    ended
        How EM ended, for the comment.
    preparation
        What the network is to remember.
    """
    data, tables = rows.data, {}
    for child, name in enumerate(data.names):
        configs, expected = rows.family_counts(counts, child)
        levels = data.arities[child]
        cells = levels * math.prod(data.arities[parent] for parent in rows.parents[child])
        rule, option = RULES[made.rule], made.value
        shares = probabilities(expected, rule, option, cells)
        tables[name] = SparseTable(configs, shares, probabilities(np.zeros(levels), rule, option, cells))
    comment = (
        f"Parameters by the rule {made} from counts expected given the observed cells: {table.n_missing:,} cells of "
        f"{table.total:,} rows were missing. EM {ended}, the log-likelihood of the observed cells."
    )
    return Network(dag, table.levels.as_dict(), tables, {"comments": [comment]}, preparation=preparation)
