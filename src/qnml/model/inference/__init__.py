"""Exact inference: distributions of some variables of a network, given others.

:mod:`~qnml.model.inference.given` checks what is given and :mod:`~qnml.model.inference.engine` keeps the junction trees
that the core makes and computes with. Where a tree would be large, a query is a contraction instead: multiply the
conditional tables, sum out the variables that are not asked for. :mod:`~qnml.model.inference.problem` finds the tables
that matter, :mod:`~qnml.model.inference.plan` chooses an order and checks that it is feasible,
:mod:`~qnml.model.inference.contraction` carries it out. :class:`qnml.model.Network` has these functions as methods.
"""

from qnml.model.inference.answers import log_evidence, query
from qnml.model.inference.batch import posterior_batch
from qnml.model.inference.class_marginals import class_marginals
from qnml.model.inference.distribution import Distribution
from qnml.model.inference.effect import CausalEffect, EffectVariant, effect
from qnml.model.inference.explanations import k_most_probable, most_probable
from qnml.model.inference.given import AnyBut
from qnml.model.inference.identification import require_identified
from qnml.model.inference.information import entropy, mutual_information, value_of_information
from qnml.model.inference.marginal_answers import Marginals, RowMarginals
from qnml.model.inference.marginals import marginals
from qnml.model.inference.sensitivity import sensitivity
from qnml.model.inference.surgery import intervened

__all__ = [
    "AnyBut",
    "CausalEffect",
    "Distribution",
    "EffectVariant",
    "Marginals",
    "RowMarginals",
    "class_marginals",
    "effect",
    "entropy",
    "intervened",
    "k_most_probable",
    "log_evidence",
    "marginals",
    "most_probable",
    "mutual_information",
    "posterior_batch",
    "query",
    "require_identified",
    "sensitivity",
    "value_of_information",
]
