"""Priors over DAGs, unnormalized.

- ``"uniform"``: 1 for every DAG;
- ``"sparse"``: the product over the columns of 1 / C(n − 1, number of parents), so that without the acyclicity
  constraint every number of parents would be equally probable;
- ``"classes"``: 1 / (number of admitted members of its equivalence class), so that all classes have the same weight;
- ``"order"``: the number of orders of the columns consistent with the DAG. It favours DAGs with few arcs, and
  equivalent DAGs can have different weights.

Searches for the best network take the first two, which are products over families: ``docs/structure-prior.md``. The
number n counts all columns of the table, also those of one level and those that background knowledge keeps apart: the
prior must not depend on the data or on the rules.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qnml.scores import Score

__all__ = ["AUTO", "MODULAR_PRIORS", "PRIORS", "SEARCH_PRIORS", "prior_term", "resolved_prior"]

AUTO = "auto"

PRIORS = ("uniform", "sparse", "classes", "order")

MODULAR_PRIORS = ("uniform", "sparse")
"""Priors that are products over families."""

SEARCH_PRIORS = (AUTO, *MODULAR_PRIORS)
"""What searches for the best network may be told."""

SPARSE_BEYOND = 30
"""Variables beyond which ``"auto"`` is the sparse prior for normalized maximum likelihood scores."""


def resolved_prior(prior: str, score: Score, n_variables: int) -> str:
    """The prior that ``"auto"`` stands for; others are themselves.

    Parameters
    ----------
    prior
        One of `SEARCH_PRIORS` or `PRIORS`.
    score
        The score it goes with.
    n_variables
        Number of columns.
    """
    if prior != AUTO:
        return prior
    return "sparse" if score.is_normalized_likelihood and n_variables > SPARSE_BEYOND else "uniform"


def prior_term(prior: str, n_variables: int, n_parents: int) -> float:
    """Log prior factor of a family with this number of parents.

    It is 0 for the priors ``"classes"`` and ``"order"``, which are not modular: their weights are applied elsewhere.
    """
    return -math.log(math.comb(n_variables - 1, n_parents)) if prior == "sparse" else 0.0
