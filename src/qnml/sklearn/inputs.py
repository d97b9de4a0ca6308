"""Conversion of the arguments of `fit` and `predict` to tables.

Frames are passed to :func:`qnml.read_table` unchanged, so that declared categories are kept. Everything else goes
through scikit-learn's own checks first, whose error messages are those that its users (and its test suite) expect.
"""

from __future__ import annotations

from numbers import Integral, Number
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d, validate_data

from qnml._checks import check_choice, checked_array
from qnml.data import Table, read_table
from qnml.data.codes import default_names
from qnml.data.frames import as_frame, as_series
from qnml.data.labels import as_label, distinct_labels
from qnml.errors import DataError, RealValuesError, bad_argument

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from qnml.data.weights import Weights

__all__ = [
    "TARGET_NAME",
    "as_whole",
    "checked_target",
    "collected",
    "feature_rows",
    "read_features",
    "row_weights",
    "target_name",
    "with_target",
]

_PREPARATIONS = ("strict", "auto")
TARGET_NAME = "y"
"""The name of the target in the network if it has no name of its own."""


def collected(estimator: Any, X: Any) -> Any:
    """Collect a lazy frame, so that it is computed once; return everything else unchanged."""
    frame = as_frame(type(estimator).__name__, X)
    return X if frame is None else frame.to_native()


def read_features(estimator: Any, X: Any, *, weights: Weights | None = None) -> Table:
    """Read `X` into a table in `fit`, after scikit-learn has checked its columns. Missing cells stay missing.

    Parameters
    ----------
    estimator
        The estimator, which gets ``n_features_in_``, ``feature_names_in_`` and the names of all columns.
    X
        A frame of any library that narwhals supports, or anything scikit-learn accepts as a two-dimensional array.
    weights
        How often each row counts.
    """
    check_choice(type(estimator).__name__, "prepare", estimator.prepare, _PREPARATIONS)
    source, names = _opened(estimator, X, None)
    estimator._column_names = names
    try:
        return read_table(source, weights=weights, prepare=estimator.prepare, missing="em")
    except RealValuesError as error:
        told = str(error).removeprefix("read_table: ").partition(". ")[0]
        raise RealValuesError(
            f"{type(estimator).__name__}.fit: {told}. prepare='auto' bins them. Or bin them first, by a "
            "qnml.Discretizer or by scikit-learn's KBinsDiscretizer in a pipeline."
        ) from None


def feature_rows(estimator: Any, X: Any) -> Any:
    """Rows with the columns of `fit`, as the fitted network takes them.

    They are left raw: the network prepares them if the table of `fit` was prepared, and knows what to do with missing
    cells. Columns that were left out must be there, too, since scikit-learn counts columns.

    Parameters
    ----------
    estimator
        The fitted estimator, whose ``network_`` will get the rows.
    X
        As for `read_features`.
    """
    names = estimator._column_names
    source, given = _opened(estimator, X, names)
    # Fitted on an array and called with a frame, or vice versa: scikit-learn has warned and matches by position.
    frame = None if given == names else as_frame(type(estimator).__name__, source)
    if frame is None:
        return source
    return dict(zip(names, (column.to_native() for column in frame.iter_columns()), strict=True))


def _opened(estimator: Any, X: Any, names: Sequence[str] | None) -> tuple[Any, tuple[str, ...]]:
    """The rows as `read_table` takes them, and the names of their columns; an array has those of `fit`."""
    frame = as_frame(type(estimator).__name__, X)
    if frame is not None:
        validate_data(estimator, frame.to_native(), skip_check_array=True, reset=names is None)
        return frame.to_native(), tuple(map(str, frame.columns))
    array = validate_data(estimator, X, dtype=None, reset=names is None, ensure_all_finite="allow-nan")
    called = tuple(names or default_names(array.shape[1]))
    return dict(zip(called, array.T, strict=True)), called


def row_weights(call: str, sample_weight: Any, X: Any) -> Weights | None:
    """Convert scikit-learn's ``sample_weight`` to integer row weights; None stays None.

    Parameters
    ----------
    call
        The call to name in the error.
    sample_weight
        None, one number for all rows, or one for each row.
    X
        The weighted rows.
    """
    if sample_weight is None:
        return None
    allowed = "non-negative whole numbers, one for each row"
    n_rows = _n_rows(X)
    if isinstance(sample_weight, Number):
        sample_weight = np.full(n_rows, sample_weight)
    array = checked_array(call, "sample_weight", sample_weight, allowed)
    if array.shape != (n_rows,):
        # scikit-learn's wording
        advice = f"sample_weight.shape == {array.shape}, expected {(n_rows,)}!"
        raise bad_argument(call, "sample_weight", sample_weight, allowed, advice)
    if array.dtype.kind not in "biuf":
        raise bad_argument(call, "sample_weight", sample_weight, allowed, f"Their type is {array.dtype}.")
    wrong = ~np.isfinite(array) | (array < 0) | (array != np.floor(array))
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise bad_argument(
            call,
            "sample_weight",
            sample_weight,
            allowed,
            f"Row {row} (from 0) has {array[row].item()!r}. A weight is the number of times a row was observed: 2 "
            "is the row twice, 0 is no row. The scores count rows and are not defined for fractions; multiply the "
            "weights by a common factor, or resample the rows.",
        )
    if not array.any():
        raise DataError(f"{call}(sample_weight): all sample weights are zero, which leaves no rows.")
    return array.astype(np.uint64)


def checked_target(estimator: Any, X: Any, y: Any) -> npt.NDArray[Any]:
    """Return the target as a one-dimensional array of class labels, as long as `X`."""
    if y is None:
        # scikit-learn's wording
        raise DataError(f"{type(estimator).__name__}.fit: requires y to be passed, but the target y is None.")
    labels: npt.NDArray[Any] = column_or_1d(y, warn=True)
    check_consistent_length(X, labels)
    _refuse_missing(type(estimator).__name__, labels)
    check_classification_targets(labels)
    return labels


def target_name(y: Any, taken: Container[str]) -> str:
    """Return the name of the target in the network: that of the series, else ``"y"``; changed if a column has it."""
    series = as_series(y)
    given = None if series is None else series.name
    name = given if isinstance(given, str) and given else TARGET_NAME
    while name in taken:
        name += "_"
    return name


def with_target(
    table: Table, name: str, labels: npt.NDArray[Any], weights: Weights | None
) -> tuple[Table, npt.NDArray[Any]]:
    """Return the table with the target as a last column, and the classes in the order of its levels.

    Parameters
    ----------
    table
        The features, read with the same weights.
    name
        The name of the target.
    labels
        The target of every given row, including rows of weight 0.
    weights
        How often each row counts.
    """
    if weights is not None:
        labels = labels[weights > 0]  # the table has dropped the other rows, so their classes are dropped too
    classes, codes = np.unique(labels, return_inverse=True)
    levels = [as_label(label) for label in classes.tolist()]
    made = Table._of(
        (*table.names, name),
        [*table.columns, codes],
        [*table.levels, distinct_labels("fit", name, levels)],
        table.weights,
        preparation=table.preparation,
        missing=[*table.missing, None],
        numbers=table.numbers,
    )
    return made, classes


def as_whole(value: Any) -> Any:
    """Convert an integer of another library, common in parameter grids, to a Python integer."""
    return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else value


def _refuse_missing(name: str, labels: npt.NDArray[Any]) -> None:
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        # scikit-learn's wording, which its estimator checks look for
        what = "NaN" if np.isnan(labels).any() else "infinity"
        raise DataError(f"{name}.fit: Input y contains {what}. Remove those rows, or make it a class of its own.")
    if labels.dtype.kind == "O" and any(label is None or label != label for label in labels.tolist()):
        raise DataError(f"{name}.fit: Input y contains NaN. Remove those rows, or make it a class of its own.")


def _n_rows(X: Any) -> int:
    frame = as_frame("sample_weight", X)
    if frame is not None:
        return len(frame)
    shape = getattr(X, "shape", None)
    return int(shape[0]) if shape else len(np.atleast_1d(checked_array("fit", "X", X, "a frame or an array")))
