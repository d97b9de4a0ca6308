"""Priors over DAGs, unnormalized.

- ``"uniform"``: 1 for every DAG;
- ``"sparse"``: the product over the columns of 1 / C(n − 1, number of parents), so that without the acyclicity
  constraint every number of parents would be equally probable;
- ``"classes"``: 1 / (number of admitted members of its equivalence class), so that all classes have the same weight;
- ``"order"``: the number of orders of the columns consistent with the DAG. It favours DAGs with few arcs, and
  equivalent DAGs can have different weights.
"""

from __future__ import annotations

import math

__all__ = ["MODULAR_PRIORS", "PRIORS", "prior_term"]

PRIORS = ("uniform", "sparse", "classes", "order")

MODULAR_PRIORS = ("uniform", "sparse")
"""Priors that are products over families."""


def prior_term(prior: str, n_variables: int, n_parents: int) -> float:
    """Log prior factor of a family with this number of parents.

    It is 0 for the priors ``"classes"`` and ``"order"``, which are not modular: their weights are applied elsewhere.
    """
    return -math.log(math.comb(n_variables - 1, n_parents)) if prior == "sparse" else 0.0
