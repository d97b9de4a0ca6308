"""The description of a posterior and its accuracy, in a sentence or two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from qnml._api.posterior_result import Posterior

__all__ = ["OUT_OF_REACH", "posterior_sentence"]

OUT_OF_REACH = (
    "There was no time to sum over all parent sets: the standard errors do not cover structures that the chains did "
    "not reach."
)

_PRIOR_WORDS = {
    "uniform": "every DAG equally probable a priori",
    "sparse": "every number of parents equally probable a priori",
    "classes": "every equivalence class equally probable a priori",
    "order": "every DAG as probable a priori as it has consistent orders of the variables",
}


def posterior_sentence(posterior: Posterior) -> str:
    """The score, the prior, the method and its limitations, and the standard errors of arcs."""
    facts = posterior.diagnostics
    weights = posterior.weights_are
    what = f"{weights[0].upper()}{weights[1:]} by {posterior.score_name}, {_PRIOR_WORDS[posterior.prior]}"
    parts = [f"{what}; {_method_words(posterior)} ({posterior.seconds:.2g} s).", *_limitations(facts)]
    errors = posterior.found.edges.standard_errors
    if errors is not None:
        parts.append(f"Arcs have standard errors of up to {float(np.max(errors)):.2g}.")
    return " ".join(parts)


def _method_words(posterior: Posterior) -> str:
    size = f"{len(posterior.names)} variables"
    return {
        "enumerate": f"all {posterior.diagnostics.get('dags', 0):,} admitted DAGs on {size} enumerated",
        "exact": f"exact sums over all DAGs on {size}",
        "mcmc": f"estimated by Markov chains on {size}",
    }[posterior.method]


def _limitations(facts: Mapping[str, Any]) -> list[str]:
    """The method that the figures stand in for, the effect of weighting draws, and why the method stopped early."""
    found = []
    if facts.get("instead_of"):
        found.append(f"They stand in for {facts['instead_of']}.")
        if not facts["all_parents_are_candidates"]:
            found.append(OUT_OF_REACH)
    if facts.get("weights_effective_size"):
        worth = f"{facts['weights_effective_size']:,.0f}"
        found.append(f"DAGs were drawn under the uniform prior and weighted; they are worth {worth} of equal weight.")
    if facts.get("stop_reason"):
        found.append(f"Stopped early: {facts['stop_reason']}.")
    return found
