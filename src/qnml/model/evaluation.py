"""Predictions of one variable, compared with its labels in the data."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml._checks import checked_flag
from qnml._frames import Coded, Texts, frame_kind_of, made_frame
from qnml._jobs import resolve_jobs
from qnml.model.matching import match_columns
from qnml.model.prediction import check_target, shares_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from qnml._frames import FrameKind
    from qnml._types import FloatArray, Label
    from qnml.model.matching import Unknown
    from qnml.model.network import Network

__all__ = ["Evaluation", "Judgement", "evaluate", "judged"]


@dataclass(frozen=True)
class Judgement:
    """How well predictions agree with known labels.

    Attributes
    ----------
    rows : number of rows compared: those that have a known label and do not contradict the network.
    accuracy : share of these rows in which the most probable label is the known label.
    log_loss : mean negative log-probability of the known label, in nats.
    """

    rows: int
    accuracy: float
    log_loss: float


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Predictions of one variable for each row.

    Attributes
    ----------
    target : the variable predicted.
    levels : its labels.
    probabilities : rows × levels; NaN in rows that contradict the network.
    codes : index of the most probable label of each row; −1 in rows that contradict the network.
    judgement : comparison with the labels in the data; None if the data have none.
    unknown_cells : by column, the number of cells whose label the network does not have; a row of weight w counts w
        times. Such cells say nothing about the target; in the column of the target they are not compared.
    prepared : the columns in which raw cells were put into levels, as the preparation of the network says.
    """

    target: str
    levels: tuple[Label, ...]
    probabilities: FloatArray
    codes: NDArray[np.intp]
    judgement: Judgement | None
    unknown_cells: Mapping[str, int]
    prepared: tuple[str, ...] = ()
    frame_kind: str | None = field(default=None, compare=False, repr=False)

    def to_frame(self, *, proba: bool = False, kind: FrameKind | None = None) -> Any:
        """The most probable labels, one row for each row of the data, null where a row contradicts the network.

        Parameters
        ----------
        proba : whether to add a column ``target=label`` with the probability of each label.
        kind : as for :meth:`Table.to_frame`; by default the kind of frame that the rows came in.
        """
        kinds = {type(label) for label in self.levels}
        if kinds in ({int}, {bool}):
            columns: dict[str, Coded | Texts | FloatArray] = {self.target: Coded(self.levels, self.codes)}
        else:
            texts = [None if code < 0 else str(self.levels[code]) for code in self.codes.tolist()]
            columns = {self.target: Texts(texts)}
        if checked_flag("Evaluation.to_frame", "proba", proba):
            for level, label in enumerate(self.levels):
                columns[f"{self.target}={label}"] = self.probabilities[:, level]
        return made_frame("Evaluation.to_frame", columns, kind, self.frame_kind)


def evaluate(net: Network, data: Any, target: str, unknown: Unknown, n_jobs: int | None) -> Evaluation:
    """Predict and compare; see :meth:`Network.evaluate`."""
    call = "Network.evaluate"
    check_target(call, net, target)
    matched = match_columns(net, data, call, unknown=unknown, compared=target)
    place = net.dag.index(target)
    truth = matched.columns[place]
    others = (*matched.columns[:place], None, *matched.columns[place + 1 :])
    shares = shares_of(net, others, matched.n_rows, target, resolve_jobs(call, n_jobs))
    codes = np.where(np.isnan(shares[:, 0]), -1, shares.argmax(axis=1))
    judgement = None if truth is None else judged(shares, truth)
    unknown_cells = MappingProxyType({one.name: one.cells for one in matched.unknown})
    given = (target, net.levels[target], shares, codes, judgement, unknown_cells, matched.prepared)
    return Evaluation(*given, frame_kind=frame_kind_of(data))


def judged(shares: FloatArray, truth: NDArray[np.integer[Any]]) -> Judgement | None:
    """Compare predictions with known labels; None if no row can be compared.

    Parameters
    ----------
    shares
        Probabilities as returned by :meth:`Network.predict_proba`; rows of NaN are left out.
    truth
        Index of the known label of each row; rows with a negative index are left out.
    """
    compared = (truth >= 0) & ~np.isnan(shares[:, 0])
    if not compared.any():
        return None
    given = shares[compared, truth[compared]]
    with np.errstate(divide="ignore"):
        log_loss = float(-np.log(given).mean())
    return Judgement(int(compared.sum()), float((shares[compared].argmax(axis=1) == truth[compared]).mean()), log_loss)
