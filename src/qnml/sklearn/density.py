"""A joint distribution over categorical columns, estimated by a Bayesian network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.base import DensityMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from qnml.sklearn.inputs import collected, feature_rows, read_features, row_weights
from qnml.sklearn.learner import StructureLearner, check_unknown
from qnml.sklearn.outputs import Container, container_of

if TYPE_CHECKING:
    from typing import Self

    from qnml._types import FloatArray
    from qnml.model import Network
    from qnml.model.matching import Unknown
    from qnml.search import Knowledge

__all__ = ["BayesNet"]


class BayesNet(DensityMixin, StructureLearner):  # type: ignore[misc]
    """Learn a Bayesian network: the best structure for the data, with parameters.

    Columns are categories: text, booleans, whole numbers or declared categories (pandas ``Categorical``, Polars
    ``Enum``). Real-valued columns are rejected unless ``prepare="auto"`` bins them. Missing cells are estimated
    by EM in `fit`, for scores that admit it (:doc:`missing-cells`); `score_samples` rejects them.

    Parameters
    ----------
    scoring_method
        The score to optimize, one of :data:`qnml.SCORES`. (It cannot be called ``score``, which is a
        method here.)
    prepare
        ``"strict"`` takes columns as categories. ``"auto"`` prepares raw ones by rules, as :func:`qnml.read_table`
        does: numbers are binned, identifiers and the like are left out. New rows are raw as well
        (:doc:`preparing-data`).
    parameters
        The rule for the probabilities: ``"snml"``, ``"bpp"``, ``"ml"``, ``"laplace"`` or ``"jeffreys"``; see
        :func:`qnml.fit`.
    prior
        The prior over structures, ``"auto"``, ``"uniform"`` or ``"sparse"``; see :func:`qnml.learn`.
    knowledge
        Arcs that are required or forbidden, tiers, limits: a :class:`qnml.Knowledge`. Columns of an array are called
        ``X1``, ``X2``, ….
    max_parents
        Limit for every variable; none by default.
    guard
        How to treat over-full families: ``"warn"``, ``"cap"`` or ``"off"``; see
        :func:`qnml.learn`.
    method
        How to search, as in :func:`qnml.learn`.
    time_limit
        Seconds after which the best network so far is used.
    handle_unknown
        How to treat labels that were not seen in `fit`: ``"uniform"`` treats such a cell as one of equally probable
        levels, and its children as having an unobserved parent configuration; ``"raise"`` rejects them.
    n_jobs
        Threads. As in scikit-learn, None means 1 unless set by joblib, and -1 all. Results do not depend on it.
    random_state
        For `sample`. Learning is deterministic.

    Attributes
    ----------
    dag_ : Dag
        The structure found.
    cpdag_ : Cpdag
        Its equivalence class: arcs that data cannot orient are undirected.
    mpdag_ : Mpdag
        The members of the class that the background knowledge admits.
    certificate_ : Certificate
        What is proven about it.
    network_ : Network
        The structure with probabilities: queries, inference, files.
    result_ : SearchResult
        The whole result of the search, with the table learned from.
    adjacency_matrix_ : array of shape (n_variables, n_variables)
        1 where the row is a parent of the column; variables in the order of ``dag_.names``.
    n_features_in_ : int
    feature_names_in_ : array of str
        Only when fitted on a frame with names.

    Notes
    -----
    Data cannot distinguish equivalent networks; which of them is returned depends on the column names. Under
    ``parameters="bpp"`` all of them give the same probabilities, under the other rules slightly different ones.

    Examples
    --------
    >>> import qnml
    >>> frame = qnml.datasets.sample("asia", 1000, seed=1).to_frame()
    >>> model = BayesNet().fit(frame)
    >>> model.certificate_.optimal
    True
    >>> model.score_samples(frame[:2]).shape
    (2,)
    """

    network_: Network
    adjacency_matrix_: npt.NDArray[np.uint8]
    _container: Container

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

    def fit(self, X: Any, y: object = None, sample_weight: Any = None) -> Self:
        """Learn structure and parameters.

        Parameters
        ----------
        X
            A frame of any library that narwhals supports, or a two-dimensional array.
        y
            Ignored; for compatibility with scikit-learn.
        sample_weight
            How often each row counts, as integers: 2 stands for two equal rows, 0 for none.
        """
        check_unknown("BayesNet", self.handle_unknown)
        X = collected(self, X)
        weights = row_weights("BayesNet.fit", sample_weight, X)
        table = read_features(self, X, weights=weights)
        self._learn(table)
        self.network_ = self.result_.fit(self.parameters)
        self.adjacency_matrix_ = self.dag_.adjacency_matrix()
        self._container = container_of(X)
        return self

    def score_samples(self, X: Any) -> FloatArray:
        """Return the log-probability of each row, in nats.

        Parameters
        ----------
        X
            Rows with the columns of `fit`.
        """
        check_is_fitted(self)
        return self.network_.log_prob(feature_rows(self, X), unknown=self.handle_unknown, n_jobs=self._threads())

    def score(self, X: Any, y: object = None) -> float:
        """Return the mean log-probability of the rows, in nats: higher is better, and comparable across data sets.

        Parameters
        ----------
        X
            Rows with the columns of `fit`.
        y
            Ignored; for compatibility with scikit-learn.
        """
        return float(np.mean(self.score_samples(X)))

    def sample(self, n_samples: int = 1) -> Any:
        """Draw rows from the network.

        Parameters
        ----------
        n_samples
            Number of rows.

        Returns
        -------
        frame or array
            The kind that `fit` was given, with the columns that are variables. In frames, text becomes declared
            categories. With an integer ``random_state``, every call gives the same rows.
        """
        check_is_fitted(self)
        seed = int(check_random_state(self.random_state).randint(0, 2**63, dtype=np.int64))
        return self._container.fill(self.network_.sample(n_samples, seed, n_jobs=self._threads()))
