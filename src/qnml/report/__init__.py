"""What people and programs see of a result: plain facts first, then tables drawn from the facts alone."""

from qnml.report.bootstrap import bootstrap_facts, bootstrap_page
from qnml.report.facts import (
    comparison_facts,
    explanation_facts,
    information_facts,
    registry_facts,
    regret_facts,
    scoring_facts,
)
from qnml.report.k_best import k_best_facts, k_best_page
from qnml.report.learning import learning_facts, plan_facts
from qnml.report.learning_page import learning_page, plan_page, result_text
from qnml.report.posterior import posterior_facts, posterior_page
from qnml.report.prediction import prediction_facts, prediction_page
from qnml.report.tables import (
    comparison_page,
    information_page,
    registry_page,
    regret_page,
    scoring_page,
)

__all__ = [
    "bootstrap_facts",
    "bootstrap_page",
    "comparison_facts",
    "comparison_page",
    "explanation_facts",
    "information_facts",
    "information_page",
    "k_best_facts",
    "k_best_page",
    "learning_facts",
    "learning_page",
    "plan_facts",
    "plan_page",
    "posterior_facts",
    "posterior_page",
    "prediction_facts",
    "prediction_page",
    "registry_facts",
    "registry_page",
    "regret_facts",
    "regret_page",
    "result_text",
    "scoring_facts",
    "scoring_page",
]
