"""Bayesian networks from tables of categorical data, with no knob to turn.

The names below are the public surface; see the README for a first example.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qnml import datasets
from qnml._api.bootstrap import bootstrap
from qnml._api.bootstrap_result import Bootstrap
from qnml._api.explanation import Explanation, explain
from qnml._api.k_best import k_best
from qnml._api.k_best_result import KBest, RankedNetwork
from qnml._api.learn import learn, plan
from qnml._api.learn_many import learn_many
from qnml._api.local_score_files import read_local_scores, write_local_scores
from qnml._api.posterior import posterior
from qnml._api.posterior_result import Effect, Posterior
from qnml._api.scoring import local_score, score
from qnml._api.search_result import SearchResult
from qnml.data import Table, read_table
from qnml.errors import QnmlError
from qnml.graph import Cpdag, Dag, class_size, compare, count_tournament_networks, enumerate_class, shd
from qnml.model import Network, fit, read_network, read_structure, to_dowhy, write_network, write_structure
from qnml.model.inference import Distribution
from qnml.scores import SCORES, regret, regret_table
from qnml.search import Certificate, Knowledge, Plan

if TYPE_CHECKING:
    from qnml.data import Discretizer

__version__ = "0.1.0"

__all__ = [
    "SCORES",
    "Bootstrap",
    "Certificate",
    "Cpdag",
    "Dag",
    "Discretizer",
    "Distribution",
    "Effect",
    "Explanation",
    "KBest",
    "Knowledge",
    "Network",
    "Plan",
    "Posterior",
    "QnmlError",
    "RankedNetwork",
    "SearchResult",
    "Table",
    "bootstrap",
    "class_size",
    "compare",
    "count_tournament_networks",
    "datasets",
    "enumerate_class",
    "explain",
    "fit",
    "k_best",
    "learn",
    "learn_many",
    "local_score",
    "plan",
    "posterior",
    "read_local_scores",
    "read_network",
    "read_structure",
    "read_table",
    "regret",
    "regret_table",
    "score",
    "shd",
    "to_dowhy",
    "write_local_scores",
    "write_network",
    "write_structure",
]


def __getattr__(name: str) -> Any:
    # scikit-learn takes a second to import; only those who discretize wait for it.
    if name == "Discretizer":
        from qnml.data import Discretizer

        return Discretizer
    raise AttributeError(f"module 'qnml' has no attribute {name!r}")
