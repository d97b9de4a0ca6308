"""Scores: formulas over counts, their flags, and the exact multinomial regret."""

from qnml.scores.families import best_families
from qnml.scores.family_arrays import family_arrays
from qnml.scores.jkl import read_jkl, write_jkl
from qnml.scores.local import local_scores
from qnml.scores.local_score_lists import LocalScores
from qnml.scores.registry import SCORES, BoundScore, Parameter, Score, bind_score, find_score
from qnml.scores.regret import REGRET_METHODS, regret, regret_table
from qnml.scores.units import check_units, most_observations
from qnml.scores.whole_network import network_regret, number_of_tables

__all__ = [
    "REGRET_METHODS",
    "SCORES",
    "BoundScore",
    "LocalScores",
    "Parameter",
    "Score",
    "best_families",
    "bind_score",
    "check_units",
    "family_arrays",
    "find_score",
    "local_scores",
    "most_observations",
    "network_regret",
    "number_of_tables",
    "read_jkl",
    "regret",
    "regret_table",
    "write_jkl",
]
