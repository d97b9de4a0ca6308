"""Reports of results for people and programs, in two steps: result → facts → page.

Each command has a module with a pair of functions. ``X_facts`` converts a result to plain facts: dictionaries of text,
numbers and lists that can be written as JSON unchanged. ``X_page`` lays out the facts, and nothing else, for a
terminal; numbers are rounded only there.

The keys in the docstrings of these modules are those that ``--json`` prints, and they are stable; every document also
has ``command`` and ``version``. A number that is not finite is printed as null. Scores and regrets are in nats; the
key of a number in bits ends in ``_bits``.
"""

from qnml.reports.bootstrap import bootstrap_facts, bootstrap_page
from qnml.reports.compare import compare_facts, compare_page
from qnml.reports.convert import convert_facts, convert_page
from qnml.reports.effect import effect_facts, effect_page
from qnml.reports.independence import independence_facts, independence_page
from qnml.reports.info import info_facts, info_page
from qnml.reports.k_best import k_best_facts, k_best_page
from qnml.reports.learn import learn_facts, learn_page
from qnml.reports.learn_scores import learn_scores_facts, learn_scores_page
from qnml.reports.plan import plan_facts, plan_page
from qnml.reports.posterior import posterior_facts, posterior_page
from qnml.reports.predict import predict_facts, predict_page
from qnml.reports.query import (
    marginals_facts,
    marginals_page,
    mpe_facts,
    mpe_page,
    next_facts,
    next_page,
    query_facts,
    query_page,
)
from qnml.reports.regret import regret_facts, regret_page
from qnml.reports.report import report_facts, report_page
from qnml.reports.sample import sample_facts, sample_page
from qnml.reports.score import explanation_facts, score_facts, score_page
from qnml.reports.scores import scores_facts, scores_page
from qnml.reports.show import show_facts, show_page
from qnml.reports.web import ReportPage

__all__ = [
    "ReportPage",
    "bootstrap_facts",
    "bootstrap_page",
    "compare_facts",
    "compare_page",
    "convert_facts",
    "convert_page",
    "effect_facts",
    "effect_page",
    "explanation_facts",
    "independence_facts",
    "independence_page",
    "info_facts",
    "info_page",
    "k_best_facts",
    "k_best_page",
    "learn_facts",
    "learn_page",
    "learn_scores_facts",
    "learn_scores_page",
    "marginals_facts",
    "marginals_page",
    "mpe_facts",
    "mpe_page",
    "next_facts",
    "next_page",
    "plan_facts",
    "plan_page",
    "posterior_facts",
    "posterior_page",
    "predict_facts",
    "predict_page",
    "query_facts",
    "query_page",
    "regret_facts",
    "regret_page",
    "report_facts",
    "report_page",
    "sample_facts",
    "sample_page",
    "score_facts",
    "score_page",
    "scores_facts",
    "scores_page",
    "show_facts",
    "show_page",
]
