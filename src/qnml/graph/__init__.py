"""Graphs of Bayesian networks: DAGs, their equivalence classes, and distances between them.

This package deals with names and arcs only: no data, no scores, no probabilities.
"""

from qnml.graph.cpdag import Cpdag, consistent_extension
from qnml.graph.dag import Dag
from qnml.graph.distance import Agreement, Comparison, Edge, compare, shd
from qnml.graph.enumerate import all_dags, count_dags
from qnml.graph.equivalence import class_size, enumerate_class, sample_class
from qnml.graph.intervention_distance import Sid, sid
from qnml.graph.mpdag import Mpdag
from qnml.graph.tournaments import count_tournament_networks, is_tournament_union

__all__ = [
    "Agreement",
    "Comparison",
    "Cpdag",
    "Dag",
    "Edge",
    "Mpdag",
    "Sid",
    "all_dags",
    "class_size",
    "compare",
    "consistent_extension",
    "count_dags",
    "count_tournament_networks",
    "enumerate_class",
    "is_tournament_union",
    "sample_class",
    "shd",
    "sid",
]
