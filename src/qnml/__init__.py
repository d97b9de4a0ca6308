"""Bayesian networks from tables of categorical data, without hyperparameters to tune.

The names below are the public surface; see the README for a first example.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from qnml.data import Table, inspect_table, read_table
from qnml.errors import QnmlError

if TYPE_CHECKING:
    from qnml import datasets
    from qnml._api.bootstrap import bootstrap
    from qnml._api.bootstrap_result import Bootstrap
    from qnml._api.explanation import Explanation, explain
    from qnml._api.independence import Independence, independence, mutual_information
    from qnml._api.joint_binning import JointBinning
    from qnml._api.k_best import k_best
    from qnml._api.k_best_result import KBest, RankedNetwork
    from qnml._api.learn import learn, plan
    from qnml._api.learn_many import learn_many
    from qnml._api.local_score_files import read_local_scores, write_local_scores
    from qnml._api.local_score_result import LocalScoreResult
    from qnml._api.posterior import posterior
    from qnml._api.posterior_effect import Effect
    from qnml._api.posterior_result import Posterior
    from qnml._api.report import report
    from qnml._api.scoring import local_score, score
    from qnml._api.search_result import SearchResult
    from qnml.data import ColumnPreparation, Discretizer, Preparation, ReadingPlan, plan_reading
    from qnml.graph import (
        Cpdag,
        Dag,
        Mpdag,
        class_size,
        compare,
        count_tournament_networks,
        enumerate_class,
        sample_class,
        shd,
        sid,
    )
    from qnml.model import Network, read_network, read_structure, to_dowhy, write_network, write_structure
    from qnml.model.fit import fit
    from qnml.model.inference import AnyBut, CausalEffect, Distribution, EffectVariant, Marginals, RowMarginals
    from qnml.scores import SCORES, LocalScores
    from qnml.scores.regret import regret, regret_table
    from qnml.search import Certificate, Knowledge, Plan

__version__ = "0.2.0"

__all__ = [
    "SCORES",
    "AnyBut",
    "Bootstrap",
    "CausalEffect",
    "Certificate",
    "ColumnPreparation",
    "Cpdag",
    "Dag",
    "Discretizer",
    "Distribution",
    "Effect",
    "EffectVariant",
    "Explanation",
    "Independence",
    "JointBinning",
    "KBest",
    "Knowledge",
    "LocalScoreResult",
    "LocalScores",
    "Marginals",
    "Mpdag",
    "Network",
    "Plan",
    "Posterior",
    "Preparation",
    "QnmlError",
    "RankedNetwork",
    "ReadingPlan",
    "RowMarginals",
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
    "independence",
    "inspect_table",
    "k_best",
    "learn",
    "learn_many",
    "local_score",
    "mutual_information",
    "plan",
    "plan_reading",
    "posterior",
    "read_local_scores",
    "read_network",
    "read_structure",
    "read_table",
    "regret",
    "regret_table",
    "report",
    "sample_class",
    "score",
    "shd",
    "sid",
    "to_dowhy",
    "write_local_scores",
    "write_network",
    "write_structure",
]


# The modules of the public names, each imported when a name of it is first used: the whole takes ten times as long.
# Those who write code see the same names above.
_MODULES = {
    "_api.bootstrap": ("bootstrap",),
    "_api.bootstrap_result": ("Bootstrap",),
    "_api.explanation": ("Explanation", "explain"),
    "_api.joint_binning": ("JointBinning",),
    "_api.independence": ("Independence", "independence", "mutual_information"),
    "_api.k_best": ("k_best",),
    "_api.k_best_result": ("KBest", "RankedNetwork"),
    "_api.learn": ("learn", "plan"),
    "_api.learn_many": ("learn_many",),
    "_api.local_score_files": ("read_local_scores", "write_local_scores"),
    "_api.local_score_result": ("LocalScoreResult",),
    "_api.posterior": ("posterior",),
    "_api.posterior_effect": ("Effect",),
    "_api.posterior_result": ("Posterior",),
    "_api.report": ("report",),
    "_api.scoring": ("local_score", "score"),
    "_api.search_result": ("SearchResult",),
    "data": ("ColumnPreparation", "Discretizer", "Preparation", "ReadingPlan", "plan_reading"),
    "graph": (
        "Cpdag",
        "Dag",
        "Mpdag",
        "class_size",
        "compare",
        "count_tournament_networks",
        "enumerate_class",
        "sample_class",
        "shd",
        "sid",
    ),
    "model": ("Network", "read_network", "read_structure", "to_dowhy", "write_network", "write_structure"),
    "model.fit": ("fit",),
    "model.inference": (
        "AnyBut",
        "CausalEffect",
        "Distribution",
        "EffectVariant",
        "Marginals",
        "RowMarginals",
    ),
    "scores": ("SCORES", "LocalScores"),
    "scores.regret": ("regret", "regret_table"),
    "search": ("Certificate", "Knowledge", "Plan"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}
_SUBPACKAGES = ("counts", "datasets", "graph", "model", "scores", "search")


def __getattr__(name: str) -> Any:
    if name in _SUBPACKAGES:
        return importlib.import_module(f"qnml.{name}")
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'qnml' has no attribute {name!r}")
    found = getattr(importlib.import_module(f"qnml.{_MODULE_OF[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULE_OF, *_SUBPACKAGES})
