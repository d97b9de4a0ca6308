"""Every engine gives the same tables as the rows in memory, to the last bit."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import polars as pl
import pytest
from data.engines.stands import ALWAYS, ON_REQUEST, Stand, close_servers

import qnml
from qnml.errors import DataError

STANDS = [
    *(pytest.param(stand, id=stand.name) for stand in ALWAYS),
    *(pytest.param(stand, id=stand.name, marks=pytest.mark.engines) for stand in ON_REQUEST),
]
# ibis calls DuckDB and sets options of pandas by names that these have given up.
pytestmark = [
    pytest.mark.filterwarnings("ignore:fetch_arrow:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The 'future.infer_string' option"),
]
every_engine = pytest.mark.parametrize("stand", STANDS)


@pytest.fixture(scope="module", autouse=True)
def _servers() -> Any:
    yield
    close_servers()


def _frame(rows: int = 700, seed: int = 0) -> pl.DataFrame:
    """Columns of all kinds, with names and labels that SQL must not understand."""
    draw = np.random.default_rng(seed)
    holes = zip((draw.random(rows) < 0.1).tolist(), draw.integers(0, 3, rows).tolist(), strict=True)
    return pl.DataFrame(
        {
            'a "quoted" name': draw.choice(["x", "it's", 'say "no"', "back\\slash", "Ünï"], rows),
            "x); DROP TABLE data; --": draw.integers(-2, 3, rows),
            "SELECT": draw.random(rows) < 0.3,
            "^a$": pl.Series(draw.choice(["lo", "mid"], rows), dtype=pl.Enum(["hi", "lo", "mid"])),
            "holes": pl.Series([None if hole else value for hole, value in holes]),
            "n": draw.choice(["n", "c0"], rows),
        }
    )


def _raw(rows: int = 900, seed: int = 1) -> pl.DataFrame:
    """Columns to be prepared: real numbers, identifiers, rare labels, constants, dates."""
    draw = np.random.default_rng(seed)
    values = np.where(draw.random(rows) < 0.5, draw.normal(0, 1, rows), draw.normal(5, 1, rows)).round(3)
    rare = [f"rare {i}" if i % 40 == 0 else f"label {i % 12}" for i in range(rows)]
    return pl.DataFrame(
        {
            "id": np.arange(rows) + 7,
            "text id": [f"person {i:05d}" for i in range(rows)],
            "value": pl.Series([None if i % 31 == 0 else value for i, value in enumerate(values.tolist())]),
            "age": draw.integers(18, 99, rows),
            "weight": [
                "unknown" if i % 50 == 0 else f"{value} kg" for i, value in enumerate(draw.integers(40, 99, rows))
            ],
            "town": rare,
            "constant": [1] * rows,
            "kind": draw.choice(["a", "b"], rows),
        }
    )


def _expected(frame: pl.DataFrame, stand: Stand, **options: Any) -> qnml.Table:
    """The table of the rows in memory, with the declared levels and types that the engine keeps."""
    if not stand.declares:
        frame = frame.with_columns(pl.col(pl.Enum).cast(pl.String))
    if not stand.booleans:
        frame = frame.with_columns(pl.col(pl.Boolean).cast(pl.Int64))
    return qnml.read_table(frame, **options)


def _assert_same(found: qnml.Table, wanted: qnml.Table) -> None:
    assert found.names == wanted.names
    assert tuple(found.levels) == tuple(wanted.levels)
    assert found == wanted
    assert [type(label) for labels in found.levels for label in labels] == [
        type(label) for labels in wanted.levels for label in labels
    ]
    assert (found.preparation is None) == (wanted.preparation is None)
    if found.preparation is not None and wanted.preparation is not None:
        assert _record(found) == _record(wanted)


def _record(table: qnml.Table) -> dict[str, Any]:
    assert table.preparation is not None
    return {key: value for key, value in table.preparation.to_dict().items() if key != "notes"}


@every_engine
@pytest.mark.parametrize("missing", ["category", "em", "indicator", "drop"])
def test_groups_are_the_merged_rows(stand: Stand, missing: str, tmp_path: Any) -> None:
    frame = _frame()
    source, more = stand.put(frame, tmp_path)
    found = qnml.read_table(source, way="compress", missing=missing, **more)
    _assert_same(found, _expected(frame, stand, missing=missing).merged())


@every_engine
def test_streamed_rows_are_the_rows(stand: Stand, tmp_path: Any) -> None:
    frame = _frame()
    source, more = stand.put(frame, tmp_path)
    found = qnml.read_table(source, way="stream", missing="em", **more)
    # No engine promises an order without being asked for one.
    _assert_same(found.merged(), _expected(frame, stand, missing="em").merged())


@every_engine
@pytest.mark.parametrize("way", ["compress", "stream"])
def test_preparation_is_the_same(stand: Stand, way: str, tmp_path: Any) -> None:
    frame = _raw()
    source, more = stand.put(frame, tmp_path)
    found = qnml.read_table(source, prepare="auto", way=way, **more)
    _assert_same(found.merged(), _expected(frame, stand, prepare="auto").merged())
    found = qnml.read_table(source, prepare="auto", missing="drop", way=way, **more)
    _assert_same(found.merged(), _expected(frame, stand, prepare="auto", missing="drop").merged())


@every_engine
@pytest.mark.parametrize("method", ["nml", "width", "frequency", "paper"])
def test_bins_are_the_same(stand: Stand, method: str, tmp_path: Any) -> None:
    frame = _raw().select("value", "age", "kind")
    source, more = stand.put(frame, tmp_path)
    options: dict[str, Any] = {"discretize": method, "missing": "category", "columns": {"age": [30.0, 50.5]}}
    found = qnml.read_table(source, way="compress", **options, **more)
    _assert_same(found, _expected(frame, stand, **options).merged())


@every_engine
@pytest.mark.parametrize("way", ["compress", "stream", "rows"])
def test_weights_are_a_column(stand: Stand, way: str, tmp_path: Any) -> None:
    frame = _frame().with_columns(pl.Series("times", np.arange(700) % 4))
    source, more = stand.put(frame, tmp_path)
    found = qnml.read_table(source, weights="times", missing="em", way=way, **more)
    _assert_same(found.merged(), _expected(frame, stand, weights="times", missing="em").merged())
    bad = frame.with_columns(pl.Series("times", np.arange(700) - 1))
    folder = tmp_path / "bad"
    folder.mkdir()
    source, more = stand.put(bad, folder)
    with pytest.raises(DataError, match="weights in column 'times' must be non-negative integers"):
        qnml.read_table(source, weights="times", missing="em", way=way, **more)


@every_engine
def test_small_tables_come_as_they_are(stand: Stand, tmp_path: Any) -> None:
    frame = _frame(50)
    source, more = stand.put(frame, tmp_path)
    found = qnml.read_table(source, missing="em", **more)
    assert found.weights is None
    _assert_same(found.merged(), _expected(frame, stand, missing="em").merged())


@every_engine
@pytest.mark.parametrize("way", ["auto", "compress", "stream"])
def test_tables_without_rows_are_refused(stand: Stand, way: str, tmp_path: Any) -> None:
    source, more = stand.put(_frame().clear(), tmp_path)
    with pytest.raises(DataError, match="there are no rows"):
        qnml.read_table(source, way=way, **more)


@every_engine
def test_what_cannot_be_used_is_named(stand: Stand, tmp_path: Any) -> None:
    frame = _raw().select("value", "kind")
    source, more = stand.put(frame, tmp_path)
    with pytest.raises(DataError) as found:
        qnml.read_table(source, way="compress", **more)
    with pytest.raises(DataError) as wanted:
        qnml.read_table(frame)
    example = re.compile(r"such as \S+,")  # the first value, of rows in any order
    assert example.sub("", str(found.value)) == example.sub("", str(wanted.value))


@every_engine
def test_scores_and_networks_are_equal(stand: Stand, tmp_path: Any) -> None:
    table = qnml.datasets.sample("asia", 4000, seed=3)
    frame = table.to_frame()
    source, more = stand.put(frame, tmp_path)
    found = qnml.read_table(source, way="compress", **more)
    wanted = _expected(frame, stand)
    assert found.n_rows < wanted.n_rows / 10
    one, other = qnml.learn(found), qnml.learn(wanted)
    assert one.dag == other.dag
    assert one.score == other.score
