"""A classifier that learns the joint distribution of class and features, and predicts from the Markov blanket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from qnml.sklearn.inputs import (
    checked_target,
    collected,
    feature_rows,
    read_features,
    row_weights,
    target_name,
    with_target,
)
from qnml.sklearn.learner import StructureLearner, check_unknown

if TYPE_CHECKING:
    from typing import Self

    from qnml._types import FloatArray
    from qnml.model import Network
    from qnml.model.matching import Unknown
    from qnml.search import Knowledge

__all__ = ["BayesNetClassifier"]


class BayesNetClassifier(ClassifierMixin, StructureLearner):  # type: ignore[misc]
    """Learn one Bayesian network over the features and the class, and predict the class with it.

    The structure is the best for the joint distribution, not for the classes alone. Given its Markov blanket
    (parents, children, and the children's other parents) the class is independent of the other features, so only
    the blanket is used. Features are categories, as for :class:`BayesNet`. Missing ones are estimated by EM in `fit`,
    and summed over in `predict`.

    Parameters
    ----------
    scoring_method, prepare, parameters, prior, knowledge
        As for :class:`BayesNet`. In `knowledge` the class has the name of ``y`` if that is a named series, otherwise
        ``"y"``.
    max_parents, guard, method, time_limit, handle_unknown, n_jobs, random_state
        As for :class:`BayesNet`. `random_state` is not used: learning is deterministic.
    shape
        None for any network; ``"tan"`` for the best tree-augmented classifier, in which the class is a parent of every
        feature; ``"tree"`` or ``"forest"`` over the features and the class. See :doc:`shapes`.

    Attributes
    ----------
    classes_ : array
        The classes, sorted; the columns of `predict_proba`.
    class_prior_ : array
        The share of each class among the rows of `fit`.
    target_name_ : str
        The name of the class in the network.
    blanket_ : tuple of str
        The names of the features in its Markov blanket: all that `predict` uses.
    network_, dag_, cpdag_, mpdag_, certificate_, result_
        As for :class:`BayesNet`, over the features and the class, which comes last.
    n_features_in_ : int
    feature_names_in_ : array of str
        Only when fitted on a frame with names.

    Examples
    --------
    >>> import qnml
    >>> frame = qnml.datasets.load_table("iris").to_frame()
    >>> model = BayesNetClassifier().fit(frame.drop("class"), frame["class"])
    >>> model.blanket_
    ('petal_length', 'petal_width')
    >>> model.predict(frame.drop("class")[:2]).tolist()
    ['setosa', 'setosa']
    """

    network_: Network
    classes_: npt.NDArray[Any]
    class_prior_: FloatArray
    target_name_: str
    blanket_: tuple[str, ...]
    _column_names: tuple[str, ...]

    def __init__(
        self,
        scoring_method: str = "qnml",
        *,
        prepare: str = "strict",
        parameters: str = "snml",
        prior: str = "auto",
        knowledge: Knowledge | None = None,
        max_parents: int | None = None,
        guard: str = "warn",
        method: str = "auto",
        time_limit: float | None = None,
        handle_unknown: Unknown = "uniform",
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        shape: str | None = None,
    ) -> None:
        self.scoring_method = scoring_method
        self.prepare = prepare
        self.parameters = parameters
        self.prior = prior
        self.knowledge = knowledge
        self.max_parents = max_parents
        self.guard = guard
        self.method = method
        self.time_limit = time_limit
        self.handle_unknown = handle_unknown
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.shape = shape

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn structure and parameters.

        Parameters
        ----------
        X
            The features: a frame of any library that narwhals supports, or a two-dimensional array.
        y
            The class of each row.
        sample_weight
            How often each row counts, as integers: 2 stands for two equal rows, 0 for none.
        """
        check_unknown("BayesNetClassifier", self.handle_unknown)
        X = collected(self, X)
        weights = row_weights("BayesNetClassifier.fit", sample_weight, X)
        labels = checked_target(self, X, y)
        features = read_features(self, X, weights=weights)
        self.target_name_ = target_name(y, {*features.names, *self._column_names})
        table, self.classes_ = with_target(features, self.target_name_, labels, weights)
        is_tan = isinstance(self.shape, str) and self.shape == "tan"
        self._learn(table, shape=self.shape, target=self.target_name_ if is_tan else None)
        self.network_ = self.result_.fit(self.parameters)
        counts = np.bincount(table.codes(self.target_name_), table.weights, len(self.classes_))
        self.class_prior_ = counts / counts.sum()
        self.blanket_ = self.dag_.markov_blanket(self.target_name_)
        return self

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the most probable class of each row; ties go to the first class.

        Parameters
        ----------
        X
            Rows with the columns of `fit`.
        """
        probabilities = self.predict_proba(X)
        labels: npt.NDArray[Any] = self.classes_[np.argmax(probabilities, axis=1)]
        return labels

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probabilities of the classes, in the order of ``classes_``, for each row of `X`.

        A row that is impossible under every class, which can happen with ``parameters="ml"``, gets
        ``class_prior_``.

        Parameters
        ----------
        X
            Rows with the columns of `fit`.
        """
        check_is_fitted(self)
        found = self.network_.predict_proba(
            feature_rows(self, X),
            self.target_name_,
            unknown=self.handle_unknown,
            impossible="nan",
            n_jobs=self._threads(),
        )
        return np.where(np.isnan(found), self.class_prior_, found)

    def predict_log_proba(self, X: Any) -> FloatArray:
        """Return the logarithms of `predict_proba`, minus infinity where that is 0.

        Parameters
        ----------
        X
            Rows with the columns of `fit`.
        """
        with np.errstate(divide="ignore"):
            logs: FloatArray = np.log(self.predict_proba(X))
        return logs
