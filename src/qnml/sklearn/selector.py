"""Feature selection by the Markov blanket of the target."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from qnml.data.frames import as_frame
from qnml.sklearn.inputs import checked_target, collected, read_features, row_weights, target_name, with_target
from qnml.sklearn.learner import StructureLearner

if TYPE_CHECKING:
    from typing import Self

    from qnml.search import Knowledge

__all__ = ["MarkovBlanketSelector"]


class MarkovBlanketSelector(SelectorMixin, StructureLearner):  # type: ignore[misc]
    """Keep the columns in the Markov blanket of the target.

    These are the target's parents, its children, and its children's other parents in the best network over all
    columns and the target. In that network, the target is independent of all other columns given these. Their number
    is learned, not set.

    Parameters
    ----------
    scoring_method, prepare, prior, knowledge, max_parents, guard, method, time_limit, n_jobs
        As for :class:`BayesNetClassifier`.

    Attributes
    ----------
    target_name_ : str
        The name of the target in the network.
    blanket_ : tuple of str
        The names of the columns kept, in the order of the columns.
    dag_, cpdag_, mpdag_, certificate_, result_
        As for :class:`BayesNet`, over the columns and the target, which comes last.
    n_features_in_ : int
    feature_names_in_ : array of str
        Only when fitted on a frame with names.

    Notes
    -----
    A frame is returned as the same kind of frame, including declared categories; an array as an array.

    Examples
    --------
    >>> import qnml
    >>> frame = qnml.datasets.load_table("iris").to_frame()
    >>> selector = MarkovBlanketSelector().fit(frame.drop("class"), frame["class"])
    >>> selector.transform(frame.drop("class")).columns
    ['petal_length', 'petal_width']
    >>> selector.get_support().tolist()
    [False, False, True, True]
    """

    target_name_: str
    blanket_: tuple[str, ...]
    _column_names: tuple[str, ...]

    def __init__(
        self,
        scoring_method: str = "qnml",
        *,
        prepare: str = "strict",
        prior: str = "auto",
        knowledge: Knowledge | None = None,
        max_parents: int | None = None,
        guard: str = "warn",
        method: str = "auto",
        time_limit: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.scoring_method = scoring_method
        self.prepare = prepare
        self.prior = prior
        self.knowledge = knowledge
        self.max_parents = max_parents
        self.guard = guard
        self.method = method
        self.time_limit = time_limit
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the structure and find the target's Markov blanket.

        Parameters
        ----------
        X
            A frame of any library that narwhals supports, or a two-dimensional array.
        y
            The target of each row, a category.
        sample_weight
            How often each row counts, as integers: 2 stands for two equal rows, 0 for none.
        """
        X = collected(self, X)
        weights = row_weights("MarkovBlanketSelector.fit", sample_weight, X)
        labels = checked_target(self, X, y)
        features = read_features(self, X, weights=weights)
        self.target_name_ = target_name(y, {*features.names, *self._column_names})
        self._learn(with_target(features, self.target_name_, labels, weights)[0])
        self.blanket_ = self.dag_.markov_blanket(self.target_name_)
        return self

    def transform(self, X: Any) -> Any:
        """Keep the columns of the blanket.

        Parameters
        ----------
        X
            A frame or array with the columns of `fit`.
        """
        check_is_fitted(self)
        frame = as_frame("MarkovBlanketSelector.transform", X)
        if frame is None:
            return super().transform(X)
        validate_data(self, frame.to_native(), skip_check_array=True, reset=False)
        kept = self.get_support(indices=True)
        if not len(kept):
            # as scikit-learn's selectors do, also for arrays
            warnings.warn("No features were selected: the target has no Markov blanket.", UserWarning, stacklevel=2)
        return frame[:, kept.tolist()].to_native()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def _get_support_mask(self) -> npt.NDArray[np.bool_]:
        check_is_fitted(self)
        return np.isin(self._column_names, self.blanket_)
