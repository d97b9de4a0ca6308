"""Binning of real-valued columns, as a scikit-learn transformer.

>>> import polars as pl
>>> frame = pl.DataFrame({"length": [4.3, 5.5, 5.6, 6.7, 7.0, 7.5, 7.9], "kind": list("aabbbab")})
>>> Discretizer().fit_transform(frame)["length"].unique().sort().to_list()
['(-inf, 5.5]', '(5.5, 6.7]', '(6.7, inf)']
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from qnml._checks import checked_number
from qnml.data.binning import (
    Binning,
    Numbers,
    equal_frequency,
    equal_width,
    given_cuts,
    nml_histograms,
    one_per_value,
)
from qnml.data.numeric import binned_array, binned_frame, numeric_columns
from qnml.errors import DataError, bad_argument, unknown_name

__all__ = ["Discretizer"]

_METHODS = ("paper", "nml", "width", "frequency", "cuts")
_PAPER_BINS = 3
_PAPER_KEPT = 6
_PRECISION = "a positive number, or such numbers by column name"
_LARGEST = float(np.finfo(np.float64).max)


class Discretizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Cut numeric columns into bins and leave the others unchanged.

    A column is numeric when its type is (integers or floats; not booleans, categories or text). A column with
    few distinct values gets one bin per value, labelled by the value. Bins are closed on the right, the outer
    ones reach to infinity, and missing values stay missing.

    Parameters
    ----------
    method
        How to cut. ``"paper"``: the rule used for the data of Silander et al. (2018): columns with up to 6
        distinct values are kept, others are cut into 3 bins of equal width between the minimum and the maximum.
        ``"nml"``: as many bins as describe the column in the fewest bits, where they describe it best: its histogram
        has the shortest normalized maximum likelihood code (Kontkanen and Myllymäki 2007), exactly. Columns with up to
        6 distinct values are kept: a histogram describes a density, and sees nothing in two values that are equally
        frequent. See the page on discretization.
        ``"width"``: ``bins`` bins of equal width. ``"frequency"``: ``bins`` bins with counts as
        equal as ties allow. Both keep columns of at most ``bins`` distinct values.
        ``"cuts"``: at the given ``cuts``.
    bins
        The number of bins for ``"width"`` and ``"frequency"``.
    cuts
        For ``"cuts"``: increasing numbers for every numeric column, or by column name (columns not named are
        left unchanged). The columns of an array are named ``X1``, ``X2``, ….
    precision
        For ``"nml"``: the distance of neighbouring values that can be told apart, such as 0.1 for numbers with one
        decimal; for every column, or by column name. Where it is not given, cuts are midway between neighbouring
        values.

    Attributes
    ----------
    cuts_ : dict of arrays
        The cuts of each binned column.
    labels_ : dict of tuples
        The labels of its bins, lowest first.
    n_features_in_ : int
    feature_names_in_ : array of str

    Notes
    -----
    A frame is returned as the same kind of frame, with binned columns as ordered categories that declare every bin
    (pandas ``Categorical``, Polars ``Enum``, Arrow dictionary); lazy frames are collected to Polars. An array is
    returned with bin numbers, as floats with NaN for missing cells. `qnml.read_table` accepts them all.
    """

    cuts_: dict[str, Numbers]
    labels_: dict[str, tuple[str, ...]]
    n_features_in_: int
    feature_names_in_: npt.NDArray[np.object_]
    _binnings: dict[str, Binning]

    def __init__(
        self,
        method: str = "paper",
        *,
        bins: int = 3,
        cuts: Iterable[float] | Mapping[str, Iterable[float]] | None = None,
        precision: float | Mapping[str, float] | None = None,
    ) -> None:
        self.method = method
        self.bins = bins
        self.cuts = cuts
        self.precision = precision

    def fit(self, X: Any, y: object = None) -> Discretizer:
        """Find the cuts of each numeric column.

        Parameters
        ----------
        X
            A frame of any library that narwhals supports, or a two-dimensional array.
        y
            Ignored; for compatibility with scikit-learn.
        """
        self._check_parameters()
        names, numbers, _ = numeric_columns("Discretizer.fit", X)
        for argument, given in (("cuts", self.cuts), ("precision", self.precision)):
            for name in given if isinstance(given, Mapping) else ():
                if not isinstance(name, str) or name not in names:
                    raise unknown_name("Discretizer", argument, name, names)
                if name not in numbers:
                    raise DataError(f"Discretizer.fit: column {name!r} is not numeric and cannot be cut.")
        there = {name: values[~np.isnan(values)] for name, values in numbers.items()}
        found = self._histograms(there) if self.method == "nml" else {}
        self._binnings = {}
        for name, values in there.items():
            binning = found[name] if name in found else self._rule(name, values)
            if binning is not None:
                self._binnings[name] = binning
        self.cuts_ = {name: binning.cuts for name, binning in self._binnings.items()}
        self.labels_ = {name: binning.labels for name, binning in self._binnings.items()}
        self.feature_names_in_ = np.array(names, dtype=object)
        self.n_features_in_ = len(names)
        return self

    def transform(self, X: Any) -> Any:
        """Replace the values of each binned column by their bins.

        Parameters
        ----------
        X
            A frame or array with the same columns as the data given to `fit`.
        """
        check_is_fitted(self)
        names, numbers, native = numeric_columns("Discretizer.transform", X)
        if names != list(self.feature_names_in_):
            lost = [name for name in self.feature_names_in_ if name not in names]
            # the first half repeats scikit-learn's wording, which its estimator checks look for
            raise DataError(
                f"Discretizer.transform: X has {len(names)} features, but Discretizer is expecting "
                f"{self.n_features_in_} features as input. The columns must be those of fit, in the same "
                f"order; missing: {', '.join(lost) or 'none'}."
            )
        coded = {}
        for name, binning in self._binnings.items():
            if name not in numbers:
                raise DataError(f"Discretizer.transform: column {name!r} was numeric in fit but is not numeric now.")
            coded[name] = binning.codes(numbers[name])
        if isinstance(native, np.ndarray):
            return binned_array(native, names, coded)
        return binned_frame(native, coded, self.labels_)

    def get_feature_names_out(self, input_features: object = None) -> npt.NDArray[np.object_]:
        """Return the column names, which are those of the input.

        Parameters
        ----------
        input_features
            Ignored; for compatibility with scikit-learn.
        """
        check_is_fitted(self)
        return self.feature_names_in_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = tags.input_tags.categorical = tags.input_tags.string = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _check_parameters(self) -> None:
        if not isinstance(self.method, str) or self.method not in _METHODS:
            raise unknown_name("Discretizer", "method", self.method, _METHODS)
        if isinstance(self.bins, bool) or not isinstance(self.bins, (int, np.integer)) or self.bins < 2:
            raise bad_argument("Discretizer", "bins", self.bins, "an integer of at least 2")
        if (self.method == "cuts") != (self.cuts is not None):
            raise bad_argument("Discretizer", "cuts", self.cuts, "given with method='cuts', and only then")
        if self.method != "nml" and self.precision is not None:
            raise bad_argument("Discretizer", "precision", self.precision, "given with method='nml', and only then")
        for precision in self.precision.values() if isinstance(self.precision, Mapping) else (self.precision,):
            if precision is not None:
                checked_number("Discretizer", "precision", precision, _PRECISION, highest=_LARGEST, above=0.0)

    def _histograms(self, columns: dict[str, Numbers]) -> dict[str, Binning]:
        """NML histograms of the columns with more than a few distinct values."""
        many = {name: values for name, values in columns.items() if len(np.unique(values)) > _PAPER_KEPT}
        given = self.precision
        asked = {name: given.get(name) if isinstance(given, Mapping) else given for name in many}
        precision = {name: None if one is None else float(one) for name, one in asked.items()}
        return nml_histograms("Discretizer.fit", many, precision)

    def _rule(self, name: str, values: Numbers) -> Binning | None:
        """Return the binning of one column given its non-missing values, or None to leave it unchanged."""
        if self.method == "cuts":
            cuts = self.cuts.get(name) if isinstance(self.cuts, Mapping) else self.cuts
            return None if cuts is None else given_cuts(_increasing(name, cuts))
        distinct = np.unique(values)
        kept = _PAPER_KEPT if self.method in ("paper", "nml") else self.bins
        if not len(distinct):
            return given_cuts(np.empty(0))
        if len(distinct) <= kept:
            return one_per_value(distinct)
        if not np.isfinite(distinct[[0, -1]]).all() and self.method != "frequency":
            raise DataError(
                f"Discretizer.fit: column {name!r} holds infinite values, so its range cannot be divided equally. "
                "Use method='frequency' or 'cuts', or replace them."
            )
        if self.method == "frequency":
            return equal_frequency(values, self.bins)
        return equal_width(values, _PAPER_BINS if self.method == "paper" else self.bins)


def _increasing(name: str, cuts: Iterable[float]) -> Numbers:
    try:
        array = np.array(list(cuts), dtype=np.float64)
    except Exception as error:  # not numbers, or any error of a foreign iterator
        raise bad_argument("Discretizer", "cuts", cuts, f"increasing numbers (column {name!r})") from error
    if array.ndim != 1 or not np.isfinite(array).all() or (np.diff(array) <= 0).any():
        raise bad_argument("Discretizer", "cuts", cuts, f"increasing finite numbers (column {name!r})")
    return array
