"""Sources that live in an engine are recognised, and what is wrong with them is said in one error."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import qnml
from qnml.errors import DataError, InputError, QnmlError

duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed: pip install duckdb")


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    """The folder of temporary files, which must be empty when a call is over."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


def _csv(rows: int = 300) -> pl.DataFrame:
    draw = np.random.default_rng(0)
    return pl.DataFrame(
        {
            " padded ": [f"  {word}\u00a0" for word in draw.choice(["x", 'quo"te', "a,b", "NA"], rows).tolist()],
            "codes": [f"00{value}" for value in draw.integers(0, 3, rows).tolist()],
            "whole": draw.integers(-5, 5, rows),
            "minus": draw.choice(["\u22121.5", "2", "inf"], rows),
            "huge": [str(2**63 + value) for value in draw.integers(0, 3, rows).tolist()],
            "real": draw.normal(size=rows).round(2),
            "holes": [None if i % 7 == 0 else i % 3 for i in range(rows)],
        }
    )


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_text_files_are_read_by_the_same_rules_as_one_file(tmp_path, scratch, separator, packed):
    frame = _csv()
    whole = tmp_path / "whole.csv"
    frame.write_csv(whole, separator=separator)
    folder = tmp_path / "parts"
    folder.mkdir()
    for place in range(3):
        text = frame.slice(100 * place, 100).write_csv(separator=separator)
        path = folder / f"part{place}.csv{'.gz' if packed else ''}"
        path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    options = {"prepare": "auto", "separator": separator}
    wanted = qnml.read_table(whole, **options)
    for source in (folder, str(folder / "*.csv*"), str(folder / "part?.csv*")):
        for way in ("rows", "compress", "stream"):
            found = qnml.read_table(source, way=way, **options)
            assert found.merged() == wanted.merged()
            assert [one.to_dict() for one in found.preparation.columns] == [
                one.to_dict() for one in wanted.preparation.columns
            ]


def test_text_files_obey_the_options_for_text(tmp_path, scratch):
    (tmp_path / "a.csv").write_text("1,5;x\n2,25;-\n")
    (tmp_path / "b.csv").write_text("3;y\n1,5;x\n")
    found = qnml.read_table(
        str(tmp_path / "*.csv"),
        separator=";",
        decimal=",",
        header=False,
        missing_words=["-"],
        missing="category",
        columns={"X1": "category"},
    )
    assert found.names == ("X1", "X2")
    assert found.levels["X1"] == ("1.5", "2.25", 3)
    assert found.levels["X2"] == ("x", "y", "?")


def test_a_file_beyond_the_memory_limit_is_read_by_duckdb(tmp_path, scratch):
    path = tmp_path / "large.parquet"
    frame = pl.DataFrame({"a": np.arange(1_200_000) % 3, "b": np.arange(1_200_000) % 7})
    frame.write_parquet(path, compression="uncompressed", use_pyarrow=False, statistics=False)
    limit = 15 * path.stat().st_size
    found = qnml.read_table(path, memory_limit=limit)
    assert found == qnml.read_table(frame).merged()
    # enough memory: the rows, as ever
    assert qnml.read_table(path).n_rows == 1_200_000
    assert qnml.plan_reading(path) is None


def test_a_single_file_goes_the_way_that_is_asked_for(tmp_path, scratch):
    path = tmp_path / "small.csv"
    path.write_text("a,b\n1,x\n1,x\n2,y\n")
    assert qnml.read_table(path, way="compress") == qnml.read_table(path).merged()
    assert qnml.read_table(path, way="stream") == qnml.read_table(path)
    with pytest.raises(InputError, match="way='compress'"):
        qnml.read_table(pl.DataFrame({"a": [1]}), way="compress")


def test_the_plan_is_known_before_the_rows_are_fetched(tmp_path, scratch):
    frame = pl.DataFrame({"a": np.arange(600_000) % 3, "b": np.arange(600_000) % 7})
    frame.write_parquet(tmp_path / "one.parquet")
    plan = qnml.plan_reading(str(tmp_path / "*.parquet"))
    assert (plan.engine, plan.n_rows, plan.n_columns, plan.way) == ("DuckDB", 600_000, 2, "compress")
    assert 15 <= plan.n_distinct <= 27
    assert "about" in plan.sentence()
    assert qnml.plan_reading(frame) is None
    small = qnml.plan_reading(frame.lazy().head(10))
    assert small.way == "rows"
    random = np.random.default_rng(0).integers(0, 1000, (700_000, 3))
    spread = qnml.plan_reading(pl.LazyFrame(random, schema=["x", "y", "z"]))
    assert spread.way == "stream"


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda folder: (str(folder / "*.parquet"), {}), "no data files are there"),
        (lambda folder: (folder, {}), "no data files are there"),
        (lambda folder: (str(folder / "none.duckdb"), {}), "there is no such file"),
        (lambda folder: (duckdb.connect(), {}), "a query with a connection"),
        (lambda folder: (duckdb.connect(), {"sql": "SELECT * FRO x"}), "could not run the query"),
        (lambda folder: (duckdb.connect(), {"sql": "CREATE TABLE t (a INT)"}), "no rows"),
        (lambda folder: (duckdb.connect(), {"sql": ""}), "one SELECT"),
        (lambda folder: (duckdb.connect().sql("SELECT 1 AS a, [1] AS b"), {}), "'b' holds .* not categories"),
        (
            lambda folder: (duckdb.connect().sql("SELECT 1 AS a"), {"separator": ","}),
            "only text files have a separator",
        ),
        (lambda folder: ({"a": [1]}, {"sql": "SELECT 1"}), "unless the source is a"),
        (lambda folder: (pl.LazyFrame({"a": [1]}), {"sql": "SELECT 1"}), "unless the source is a"),
        (lambda folder: (duckdb.connect().sql("SELECT 1 AS a"), {"way": "fast"}), "way='fast'"),
        (lambda folder: (duckdb.connect().sql("SELECT 1 AS a"), {"weights": [1]}), "name of a column"),
        (lambda folder: (duckdb.connect().sql("SELECT 1 AS a"), {"weights": "b"}), "'b'"),
        (lambda folder: (duckdb.connect().sql("SELECT error('boom') AS a"), {}), "boom"),
        (lambda folder: ("postgresql://nobody@127.0.0.1:1/none", {}), "sql=None"),
    ],
)
def test_what_is_wrong_is_one_error(tmp_path, scratch, make, problem):
    source, options = make(tmp_path)
    with pytest.raises(QnmlError, match=problem):
        qnml.read_table(source, **options)


def test_a_damaged_file_is_one_error(tmp_path, scratch):
    (tmp_path / "a.parquet").write_bytes(b"PAR1 this is none PAR1")
    with pytest.raises(DataError, match="DuckDB cannot read"):
        qnml.read_table(str(tmp_path / "*.parquet"))


def test_files_of_several_kinds_are_refused(tmp_path, scratch):
    (tmp_path / "a.csv").write_text("a\n1\n")
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "b.parquet")
    with pytest.raises(InputError, match="several kinds"):
        qnml.read_table(tmp_path)


def test_a_database_with_several_tables_needs_a_query(tmp_path):
    path = tmp_path / "two.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE one AS SELECT 1 AS a; CREATE TABLE two AS SELECT 2 AS a")
    with pytest.raises(DataError, match="Its tables: one, two"):
        qnml.read_table(path)
    assert qnml.read_table(path, sql="SELECT * FROM two").levels["a"] == (2,)


def test_a_query_on_parquet_files_reads_the_table_data(tmp_path, scratch):
    path = tmp_path / "a.parquet"
    pl.DataFrame({"a": [1, 2, 3]}).write_parquet(path)
    assert qnml.read_table(path, sql="SELECT a FROM data WHERE a > 1").levels["a"] == (2, 3)


def test_column_names_are_never_part_of_a_query(tmp_path):
    connection = duckdb.connect()
    connection.execute("CREATE TABLE kept AS SELECT 1 AS a")
    evil = 'a" FROM kept; DROP TABLE kept; --'
    connection.execute('CREATE TABLE t AS SELECT 1 AS "' + evil.replace('"', '""') + "\", 'x''); --' AS b")
    for way in ("rows", "compress", "stream"):
        assert qnml.read_table(connection.sql("FROM t"), way=way).names == (evil, "b")
    assert connection.execute("SELECT count(*) FROM kept").fetchone() == (1,)


def test_a_table_that_changes_between_queries_is_noticed():
    connection = duckdb.connect()
    connection.execute("CREATE SEQUENCE s")
    connection.execute("CREATE TABLE t AS SELECT i % 3 AS a, i % 100 AS b FROM range(1000) r(i)")
    from qnml.data.engines.opening import opened_relation
    from qnml.data.file_options import FileOptions

    relation = opened_relation("read_table", connection.sql("FROM t"), None, FileOptions(), 1e9)
    run, calls = relation.run, []

    def changing(text):
        calls.append(text)
        if len(calls) == 3:
            connection.execute("DELETE FROM t WHERE b = 3")
        return run(text)

    object.__setattr__(relation, "run", changing)
    with pytest.raises(DataError, match="changed while it was counted: 1,000 rows at first, then 990"):
        qnml.read_table(relation, way="compress")


def test_rows_beyond_the_limit_are_kept_on_disk(scratch):
    rows = 300_000
    draw = np.random.default_rng(0)
    frame = pl.DataFrame({f"x{i}": draw.integers(0, 3, rows) for i in range(30)})
    limit = 120 * 2**20
    found = qnml.read_table(frame.lazy(), way="stream", memory_limit=limit)
    assert found == qnml.read_table(frame)
    plan = qnml.plan_reading(frame.lazy(), way="stream", memory_limit=limit)
    assert plan.disk_bytes == 0 or plan.memory_bytes + plan.disk_bytes > limit
    tight = 1.0 * 60 * 65_536 * 30 + 100
    found = qnml.read_table(frame.lazy(), way="stream", memory_limit=tight)
    assert found == qnml.read_table(frame)
    assert found.columns[0].base is not None
    with pytest.raises(ValueError, match="WRITEABLE"):
        found.columns[0].flags.writeable = True
    with pytest.raises(QnmlError, match="memory may be used"):
        qnml.read_table(frame.lazy(), way="stream", memory_limit=1e6)


def test_paths_of_the_operating_system_are_taken(tmp_path):
    pl.DataFrame({"a": [1, 2]}).write_parquet(tmp_path / "a.parquet")
    assert qnml.read_table(Path(tmp_path)).n_rows == 2
