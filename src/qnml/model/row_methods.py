"""The methods of a network that take rows of data or raw values; `Network` inherits them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast, overload

from qnml._frames import frame_kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    import numpy.typing as npt
    from numpy.typing import NDArray

    from qnml._types import FloatArray, Label
    from qnml.data import Table
    from qnml.model.evaluation import Evaluation
    from qnml.model.inference import RowMarginals
    from qnml.model.matching import Unknown
    from qnml.model.network import Network
    from qnml.model.prediction import Impossible

__all__ = ["RowMethods"]


class RowMethods:
    """What a network does with rows: preparing raw ones, their probabilities, predictions, and counting them."""

    __slots__ = ()

    def prepare(
        self,
        data: Any,
        *,
        weights: str | npt.ArrayLike | None = None,
        interventions: object = None,
        missing: Literal["raise", "drop", "em"] | None = None,
    ) -> Table:
        """Rows as a table with the variables and levels of the network: its :attr:`preparation` applied to raw cells.

        Every call that takes rows does the same. A number in a binned column belongs to the bin it falls into, outside
        the observed range to an outer one; a label that was merged, or was not seen, belongs to the merged level; a
        missing cell to the level for missing cells if there is one. Cells that hold levels already are not changed, and
        columns that were left out may be absent.

        Parameters
        ----------
        data
            As for :meth:`log_prob`.
        weights, interventions
            As for :func:`~qnml.read_table`.
        missing
            What to do about other missing cells: ``"raise"``, ``"drop"`` to drop their rows, or ``"em"`` to leave them
            missing. By default as was done with the data of the network, and ``"raise"`` if that is not known.

        Raises
        ------
        DataError
            If a column is absent, a label is unknown, or a cell is missing.
        """
        from qnml.model.prepared_table import prepare

        return prepare(cast("Network", self), data, weights, interventions, missing)

    def level_of(self, name: str, value: object) -> Label:
        """The level of a variable that a label or a raw value stands for, by the rules of :meth:`prepare`.

        Parameters
        ----------
        name
            The variable.
        value
            One of its labels, or a raw value if the network has a preparation. A text that is a label stands for
            itself, also where it could be read as a number.

        Examples
        --------
        >>> import qnml
        >>> column = qnml.ColumnPreparation(
        ...     "age", "real", 9, 0, 9, "bin", "By hand.", ("young", "old"), (40.0,), ("young", "old")
        ... )
        >>> prepared = qnml.Preparation([column]).apply({"age": [21, 35.5, 62]})
        >>> net = qnml.fit(prepared, qnml.Dag.empty(["age"]))
        >>> net.level_of("age", 54.2), net.query("age", evidence={"age": 54.2}).values.tolist()
        ('old', [0.0, 1.0])
        """
        from qnml.model.level_codes import level_of

        return level_of(cast("Network", self), name, value)

    def log_prob(self, data: Any, *, unknown: Unknown = "uniform", n_jobs: int | None = None) -> FloatArray:
        """Natural logarithm of the probability of each row.

        Parameters
        ----------
        data
            A :class:`~qnml.Table`, or anything :func:`~qnml.read_table` accepts, with a column for every variable of
            the network and no missing cells. Other columns are ignored; labels are matched to those of the network, raw
            cells are prepared first as in :meth:`prepare`.
        unknown
            How to treat labels that the network does not have. ``"uniform"``: such a cell has probability 1/r, where r
            is the number of levels of its variable, and the children of the variable use their distribution for
            unobserved configurations (uniform in networks that were not estimated). ``"raise"``: an error that lists
            the known labels. Under either rule, a column with at least ten cells most of which are unknown is an error:
            it was named or binned differently.
        n_jobs
            Number of threads; all processors by default. The result does not depend on it.

        Returns
        -------
        ndarray
            One number per row, minus infinity for a row of probability zero.
        """
        from qnml.model.prediction import log_prob

        return log_prob(cast("Network", self), data, unknown, n_jobs)

    def score(self, data: Any, *, unknown: Unknown = "uniform", n_jobs: int | None = None) -> float:
        """Log-probability of the data: the sum of :meth:`log_prob` over the rows, weighted by how often each counts."""
        from qnml.model.prediction import total_log_prob

        return total_log_prob(cast("Network", self), data, unknown, n_jobs)

    @overload
    def predict_proba(
        self,
        data: Any,
        target: str,
        *,
        unknown: Unknown = "uniform",
        impossible: Impossible = "raise",
        n_jobs: int | None = None,
    ) -> FloatArray: ...

    @overload
    def predict_proba(
        self,
        data: Any,
        target: Sequence[str],
        *,
        unknown: Unknown = "uniform",
        impossible: Impossible = "raise",
        n_jobs: int | None = None,
    ) -> dict[str, FloatArray]: ...

    def predict_proba(
        self,
        data: Any,
        target: str | Sequence[str],
        *,
        unknown: Unknown = "uniform",
        impossible: Impossible = "raise",
        n_jobs: int | None = None,
    ) -> FloatArray | dict[str, FloatArray]:
        """The distribution of one variable, or of each of several, given the other cells of each row.

        Parameters
        ----------
        data
            As for :meth:`log_prob`, but cells may be missing and columns absent. Rows in which the Markov blanket of
            the target is complete are looked up in the tables; the others need exact inference. The column of the
            target is ignored.
        target
            The variable to predict. A list of several is answered all at once, by the cells of the variables that are
            not in the list.
        unknown
            As for :meth:`log_prob`.
        impossible
            How to treat rows that contradict the network (evidence of probability zero): ``"raise"``, or ``"nan"`` for
            a row of NaN.
        n_jobs
            Number of threads; all processors by default. The result does not depend on it.

        Returns
        -------
        ndarray
            Rows × levels of the target, in the order of ``levels[target]``. For a list, such an array by name.
        """
        from qnml.model.prediction import predict_proba
        from qnml.model.row_marginals import predict_many

        net = cast("Network", self)
        if isinstance(target, (list, tuple)):
            return predict_many(net, data, target, unknown, impossible, n_jobs)
        return predict_proba(net, data, cast("str", target), unknown, impossible, n_jobs)

    def row_marginals(
        self,
        data: Any,
        *,
        targets: str | Iterable[str] | None = None,
        unknown: Unknown = "uniform",
        impossible: Impossible = "raise",
        n_jobs: int | None = None,
        memory_limit: float | None = None,
    ) -> RowMarginals:
        """The distribution of every variable given the cells that are present in each row.

        :meth:`marginals` does the same for a single evidence.

        Parameters
        ----------
        data
            As for :meth:`predict_proba`. No column is ignored: a variable that is present in a row has that level.
        targets
            The variables; all by default.
        unknown, impossible, n_jobs
            As for :meth:`predict_proba`.
        memory_limit
            In bytes, for all threads together; nine tenths of the free memory by default.

        Examples
        --------
        >>> from qnml.datasets import load_network
        >>> asia = load_network("asia")
        >>> found = asia.row_marginals({"xray": ["yes", "no"], "smoke": ["yes", None]}, targets=["lung"])
        >>> found["lung"].round(3).tolist()
        [[0.646, 0.354], [0.001, 0.999]]
        """
        from qnml.model.row_marginals import row_marginals

        net = cast("Network", self)
        found = row_marginals(net, data, targets, unknown, impossible, n_jobs, memory_limit)
        return found._in_frames(frame_kind_of(data) or net._frame_kind)

    def predict(
        self, data: Any, target: str, *, unknown: Unknown = "uniform", n_jobs: int | None = None
    ) -> NDArray[np.object_]:
        """The most probable label of one variable given the other cells of each row.

        Arguments are those of :meth:`predict_proba`. If several labels are equally probable, the first is returned.
        """
        from qnml.model.prediction import predict

        return predict(cast("Network", self), data, target, unknown, n_jobs)

    def evaluate(
        self, data: Any, target: str, *, unknown: Unknown = "uniform", n_jobs: int | None = None
    ) -> Evaluation:
        """Predict one variable in each row, and compare with the known labels if the data have any.

        Arguments are those of :meth:`predict_proba`. Rows that contradict the network are marked, not refused.

        Examples
        --------
        >>> import qnml
        >>> asia = qnml.datasets.load_network("asia")
        >>> found = asia.evaluate(asia.sample(1000, seed=1), "bronc")
        >>> found.judgement.rows, found.judgement.accuracy > 0.8
        (1000, True)
        """
        from qnml.model.evaluation import evaluate

        return evaluate(cast("Network", self), data, target, unknown, n_jobs)

    def update(self, data: Any) -> Network:
        """Return the network with the counts of more rows added and its parameters estimated again.

        Counts add up exactly: ``fit(first, dag).update(rest)`` and ``fit(all, dag)`` are the same network if the
        declared levels are the same.

        Parameters
        ----------
        data
            Complete rows whose labels are in the network; columns as for :meth:`log_prob`. Raw rows are prepared.

        Raises
        ------
        InputError
            If the network was not estimated by `fit`, and so has no counts.
        """
        from qnml.model.fit import update

        return update(cast("Network", self), data)
