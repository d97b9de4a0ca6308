"""`Discretizer`: the paper's rule against the authors' own files, frames in and out, settings."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from qnml.data import Discretizer, read_frame, read_table
from qnml.errors import DataError, InputError, UnknownNameError

if TYPE_CHECKING:
    from pathlib import Path

_SETS = [
    "abalone", "adult", "balance", "bc_wisconsin", "breast_cancer", "diabetes", "ecoli", "glass",
    "heart_cleveland", "heart_hungarian", "heart_statlog", "iris", "liver", "page_blocks", "post_operative",
    "shuttle", "thyroid", "tic_tac_toe", "wine", "yeast",
]  # fmt: skip
_CLASS_FIRST = {"balance", "breast_cancer", "thyroid", "wine"}


@pytest.mark.parametrize("name", _SETS)
@pytest.mark.parametrize("library", ["polars", "pandas", "pyarrow"])
def test_the_paper_s_rule_reproduces_the_authors_files(data_folder: Path, name: str, library: str) -> None:
    folder = data_folder / "uci"
    raw = read_frame(next(path for ending in ("csv", "csv.gz") if (path := folder / f"{name}.{ending}").exists()))
    frame = {"polars": lambda: raw, "pandas": raw.to_pandas, "pyarrow": raw.to_arrow}[library]()
    ours = read_table(Discretizer(method="paper").fit_transform(frame), missing="category")
    theirs = read_table(folder / "authors" / f"{name}.vd")
    columns = list(raw.columns)
    if name in _CLASS_FIRST:
        columns = [columns[-1], *columns[:-1]]
    assert ours.n_rows == theirs.n_rows
    for column, codes, arity in zip(columns, theirs.columns, theirs.arities, strict=True):
        present = raw[column].is_not_null().to_numpy()
        np.testing.assert_array_equal(ours.codes(column)[present], codes[present], err_msg=column)
        assert ours.arities[column] == arity + (not present.all()), column


def _frame() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "real": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, None],
            "few": [0.5, 1.5, 0.5, 1.5, 0.5, 1.5, 0.5, 1.5],
            "text": list("abababab"),
            "flag": [True, False] * 4,
        }
    )


_BINS = ["(-inf, 2]", "(2, 4]", "(4, inf)"]


def test_polars_comes_back_as_enum() -> None:
    for frame in (_frame(), _frame().lazy()):
        binned = Discretizer().fit_transform(frame)
        assert isinstance(binned, pl.DataFrame)
        assert binned.schema == {
            "real": pl.Enum(_BINS), "few": pl.Enum(["0.5", "1.5"]), "text": pl.String, "flag": pl.Boolean
        }  # fmt: skip
        assert binned["real"].to_physical().to_list() == [0, 0, 0, 1, 1, 2, 2, None]


def test_pandas_comes_back_as_ordered_categories_with_its_index() -> None:
    frame = _frame().to_pandas().set_index(pd.Index([3] * 8))
    before = frame.copy()
    binned = Discretizer().fit_transform(frame)
    assert isinstance(binned, pd.DataFrame)
    assert binned.index.tolist() == [3] * 8
    assert binned["real"].cat.ordered
    assert binned["real"].cat.categories.tolist() == _BINS
    assert binned["real"].cat.codes.tolist() == [0, 0, 0, 1, 1, 2, 2, -1]
    pd.testing.assert_frame_equal(frame, before)


def test_pyarrow_comes_back_as_dictionaries() -> None:
    binned = Discretizer().fit_transform(_frame().to_arrow())
    assert isinstance(binned, pa.Table)
    assert binned["real"].to_pylist() == [*[_BINS[k] for k in (0, 0, 0, 1, 1, 2, 2)], None]
    assert binned.schema.field("real").type.ordered
    assert binned.column_names == ["real", "few", "text", "flag"]


def test_all_kinds_of_input_give_the_same_table() -> None:
    frames = [_frame(), _frame().to_pandas(), _frame().to_arrow()]
    tables = [read_table(Discretizer().fit_transform(frame), missing="category") for frame in frames]
    assert tables[0] == tables[1] == tables[2]
    assert tables[0].levels["real"] == (*_BINS, "?")


def test_arrays_come_back_as_bin_numbers() -> None:
    array = _frame().select("real", "few").to_numpy()
    complete = Discretizer().fit_transform(array[:7])
    assert complete.dtype == np.int64
    assert complete.T.tolist() == [[0, 0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 1, 0]]
    holed = Discretizer().fit_transform(array)
    assert np.isnan(holed[7, 0])
    assert read_table(holed, missing="category").levels["X1"] == (0, 1, 2, "?")
    objects = _frame().to_pandas().to_numpy(dtype=object)
    binned = Discretizer().fit_transform(objects)
    assert binned[:, 2].tolist() == list("abababab")
    table = read_table(binned, missing="category")
    assert table.codes("X1").tolist() == [0, 0, 0, 1, 1, 2, 2, 3]
    masked = np.ma.MaskedArray([[1, 2], [3, 4]], mask=[[1, 0], [0, 0]])
    np.testing.assert_array_equal(Discretizer().fit_transform(masked), [[np.nan, 0], [0, 1]])
    text = np.array([["a", "b"], ["c", "d"]])
    assert Discretizer().fit_transform(text) is text


def test_six_values_stay_and_seven_are_cut() -> None:
    for count, labels in ((6, 6), (7, 3)):
        discretizer = Discretizer().fit(pl.DataFrame({"a": range(count)}))
        assert len(discretizer.labels_["a"]) == labels


def test_new_data_fall_into_the_fitted_bins() -> None:
    discretizer = Discretizer().fit(_frame())
    new = pl.DataFrame({"real": [-100.0, 100.0], "few": [0.6, 1.4], "text": ["z", "z"], "flag": [True, True]})
    binned = discretizer.transform(new)
    assert binned["real"].to_list() == ["(-inf, 2]", "(4, inf)"]
    assert binned["few"].to_list() == ["0.5", "1.5"]
    assert binned["text"].to_list() == ["z", "z"]
    assert read_table(binned).arities["real"] == 3


@pytest.mark.parametrize(("method", "codes"), [("width", [0, 0, 0, 0, 1]), ("frequency", [0, 0, 0, 1, 1])])
def test_width_and_frequency(method: str, codes: list[int]) -> None:
    values = pl.DataFrame({"a": [1.0, 2.0, 3.0, 4.0, 100.0]})
    binned = Discretizer(method, bins=2).fit_transform(values)
    assert binned["a"].to_physical().to_list() == codes


def test_given_cuts_for_all_or_by_name() -> None:
    frame = pl.DataFrame({"a": [0.1, 0.2, 0.3], "b": [1, 2, 3]})
    by_name = Discretizer("cuts", cuts={"a": [0.2]}).fit(frame)
    assert by_name.transform(frame)["a"].to_list() == ["(-inf, 0.2]", "(-inf, 0.2]", "(0.2, inf)"]
    assert by_name.transform(frame)["b"].to_list() == [1, 2, 3]
    assert list(by_name.cuts_) == ["a"]
    for_all = Discretizer("cuts", cuts=[0.15, 2]).fit_transform(frame)
    assert for_all["b"].to_physical().to_list() == [1, 1, 2]
    mixed = Discretizer("cuts", cuts={"X1": [1.5]}).fit_transform(np.array([[1.0, 0.25], [2.0, 0.5]]))
    assert mixed.tolist() == [[0, 0.25], [1, 0.5]]


def test_a_column_of_missing_cells_has_one_bin() -> None:
    frame = pl.DataFrame({"a": pl.Series([None, None], dtype=pl.Float64)})
    assert Discretizer().fit_transform(frame)["a"].to_list() == [None, None]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"method": "papre"}, "Did you mean 'paper'"),
        ({"method": "width", "bins": 1}, "at least 2"),
        ({"method": "width", "bins": 2.5}, "at least 2"),
        ({"method": "cuts"}, "given with method='cuts'"),
        ({"method": "width", "cuts": [1]}, "only then"),
        ({"method": "cuts", "cuts": [2, 1]}, "increasing"),
        ({"method": "cuts", "cuts": [1, np.inf]}, "finite"),
        ({"method": "cuts", "cuts": ["x"]}, "increasing numbers"),
        ({"method": "cuts", "cuts": {"reel": [1]}}, "Did you mean 'real'"),
        ({"method": "cuts", "cuts": {"text": [1]}}, "'text' is not numeric"),
    ],
)
def test_refuses_settings(settings: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Discretizer(**settings).fit(_frame())


def test_refuses_other_columns_and_shapes() -> None:
    discretizer = Discretizer().fit(_frame())
    with pytest.raises(DataError, match="missing: real"):
        discretizer.transform(_frame().drop("real"))
    with pytest.raises(DataError, match="same order"):
        discretizer.transform(_frame().select("few", "real", "text", "flag"))
    with pytest.raises(DataError, match="'real' was numeric"):
        discretizer.transform(_frame().with_columns(pl.lit("x").alias("real")))
    with pytest.raises(DataError, match="infinite"):
        Discretizer().fit(pl.DataFrame({"a": [*map(float, range(7)), float("inf")]}))
    with pytest.raises(InputError, match="two-dimensional"):
        Discretizer().fit(np.arange(5))
    with pytest.raises(InputError, match="two-dimensional"):
        Discretizer().fit([[1, 2], [3]])
    with pytest.raises(DataError, match="0 sample"):
        Discretizer().fit(_frame().clear())
    with pytest.raises(NotFittedError):
        Discretizer().transform(_frame())
    with pytest.raises(UnknownNameError):
        Discretizer(method="none").fit(_frame())


def test_it_is_a_scikit_learn_transformer() -> None:
    discretizer = Discretizer("frequency", bins=4)
    assert clone(discretizer).get_params() == {"method": "frequency", "bins": 4, "cuts": None, "precision": None}
    pipeline = make_pipeline(Discretizer()).set_output(transform="pandas")
    binned = pipeline.fit_transform(_frame().to_pandas())
    assert binned["real"].cat.categories.tolist() == _BINS
    assert pipeline.get_feature_names_out().tolist() == ["real", "few", "text", "flag"]
    assert pipeline[0].n_features_in_ == 4


def test_scikit_learn_s_own_checks() -> None:
    for method in ("paper", "nml", "width", "frequency"):
        outcomes = check_estimator(Discretizer(method), on_skip=None, on_fail=None)
        failed = {outcome["check_name"] for outcome in outcomes if outcome["status"] == "failed"}
        assert not failed


def test_nml_cuts_where_the_density_changes() -> None:
    rng = np.random.default_rng(0)
    steps = np.concatenate([rng.uniform(0, 1, 300), rng.uniform(1, 5, 300)])
    frame = pl.DataFrame({"steps": steps, "even": rng.random(600), "few": np.arange(600) % 6, "text": ["a"] * 600})
    discretizer = Discretizer("nml").fit(frame)
    np.testing.assert_allclose(discretizer.cuts_["steps"], [1], atol=0.1)
    assert discretizer.labels_["even"] == ("(-inf, inf)",)
    assert discretizer.labels_["few"] == ("0", "1", "2", "3", "4", "5")
    assert discretizer.transform(frame)["steps"].to_physical().n_unique() == 2


def test_nml_takes_a_precision_for_every_column_or_for_some() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"a": np.round(rng.lognormal(size=200), 1), "b": rng.lognormal(size=200)})
    for_all = Discretizer("nml", precision=0.1).fit(frame)
    for_one = Discretizer("nml", precision={"a": 0.1}).fit(frame)
    for_none = Discretizer("nml").fit(frame)
    assert for_all.cuts_["a"].tolist() == for_one.cuts_["a"].tolist()
    np.testing.assert_allclose((for_one.cuts_["a"] - frame["a"].min()) % 0.1, 0.05)
    assert for_one.cuts_["b"].tolist() == for_none.cuts_["b"].tolist() != for_all.cuts_["b"].tolist()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"method": "nml", "precision": 0}, r"Discretizer\(precision=0\)"),
        ({"method": "nml", "precision": {"real": -1.0}}, r"Discretizer\(precision=-1.0\)"),
        ({"method": "nml", "precision": {"reel": 1.0}}, "real"),
        ({"method": "width", "precision": 1.0}, "method='nml'"),
        ({"method": "nml", "precision": {"text": 1.0}}, "'text' is not numeric"),
        ({"method": "nml", "precision": 1e-300}, "too fine for column 'real'"),
    ],
)
def test_a_wrong_precision_is_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises((DataError, InputError, UnknownNameError), match=message):
        Discretizer(**settings).fit(_frame())


def test_scikit_learn_is_imported_only_when_asked_for() -> None:
    lazy = "import sys, qnml.data; assert 'sklearn' not in sys.modules"
    asked = "qnml.data.Discretizer; assert 'sklearn' in sys.modules"
    subprocess.run([sys.executable, "-c", f"{lazy}; {asked}"], check=True)
