"""Base class of the three estimators: the options of the search, and its result as fitted attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from joblib import effective_n_jobs  # type: ignore[import-untyped]
from sklearn.base import BaseEstimator

from qnml._api.learn import learn
from qnml._checks import check_choice, checked_whole_number
from qnml.errors import bad_argument
from qnml.scores import SCORES, find_score
from qnml.sklearn.inputs import as_whole

if TYPE_CHECKING:
    from qnml._api.search_result import SearchResult
    from qnml.data import Table
    from qnml.graph import Cpdag, Dag, Mpdag
    from qnml.search import Certificate, Knowledge

__all__ = ["StructureLearner", "check_unknown"]

_UNKNOWN_RULES = ("raise", "uniform")


class StructureLearner(BaseEstimator):  # type: ignore[misc]
    """An estimator that learns a structure; the constructors that store the settings are in its subclasses."""

    scoring_method: str
    prepare: str
    prior: str
    knowledge: Knowledge | None
    max_parents: int | None
    guard: str
    method: str
    time_limit: float | None
    n_jobs: int | None

    result_: SearchResult
    dag_: Dag
    cpdag_: Cpdag
    mpdag_: Mpdag
    certificate_: Certificate
    n_features_in_: int

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = tags.input_tags.string = True
        tags.input_tags.allow_nan = True
        return tags

    def _learn(self, table: Table, **of_shape: Any) -> None:
        """Search for the structure and store the result."""
        if table.n_missing:
            self._check_score_of_missing()
        self.result_ = learn(
            table,
            self.scoring_method,
            self.method,
            prior=self.prior,
            knowledge=self.knowledge,
            max_parents=as_whole(self.max_parents),
            guard=self.guard,
            time_limit=self.time_limit,
            n_jobs=self._threads(),
            **of_shape,
        )
        self.dag_ = self.result_.dag
        self.cpdag_ = self.result_.cpdag
        self.mpdag_ = self.result_.mpdag
        self.certificate_ = self.result_.certificate

    def _check_score_of_missing(self) -> None:
        if find_score(type(self).__name__, self.scoring_method).price_ignores_counts:
            return
        known = ", ".join(name for name, one in SCORES.items() if one.price_ignores_counts)
        advice = "Only for these missing cells can be estimated. Otherwise fill them with a value of their own."
        where = f"one of {known} where cells are missing"
        raise bad_argument(type(self).__name__, "scoring_method", self.scoring_method, where, advice)

    def _threads(self) -> int:
        # As everywhere in scikit-learn: None is one thread, unless a joblib context sets another number.
        if self.n_jobs is not None:
            checked_whole_number(type(self).__name__, "n_jobs", self.n_jobs, -1024, or_none=True)
        return int(effective_n_jobs(self.n_jobs))


def check_unknown(call: str, handle_unknown: str) -> None:
    """Reject an invalid rule for unseen labels before the search, not after."""
    check_choice(call, "handle_unknown", handle_unknown, _UNKNOWN_RULES)
