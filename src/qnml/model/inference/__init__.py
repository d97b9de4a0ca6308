"""Exact inference: what a network says about some variables, given what is known of others.

Every question is a contraction: multiply the conditional tables, sum out what is not asked for.
:mod:`~qnml.model.inference.problem` finds the tables that matter, :mod:`~qnml.model.inference.plan` the order
and whether it fits, :mod:`~qnml.model.inference.contraction` does it. :class:`qnml.model.Network` has these
functions as methods.
"""

from qnml.model.inference.answers import log_evidence, most_probable, query
from qnml.model.inference.batch import posterior_batch
from qnml.model.inference.distribution import Distribution
from qnml.model.inference.surgery import intervened

__all__ = ["Distribution", "intervened", "log_evidence", "most_probable", "posterior_batch", "query"]
