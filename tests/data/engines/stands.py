"""The engines under test: each puts a Polars frame where it keeps tables, and says what to read it from."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl
import pytest

__all__ = ["ALWAYS", "ON_REQUEST", "Stand", "quoted"]

Put = Callable[[pl.DataFrame, Path], tuple[Any, dict[str, Any]]]


@dataclass(frozen=True)
class Stand:
    """An engine.

    Attributes
    ----------
    name : for the ids of tests.
    put : stores a frame and returns the first argument of `read_table`, and further ones.
    declares : whether it keeps declared levels.
    booleans : whether it keeps booleans apart from other types.
    """

    name: str
    put: Put = field(repr=False)
    declares: bool = True
    booleans: bool = True


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _duckdb_type(name: str, dtype: pl.DataType, number: int) -> tuple[str, str]:
    if isinstance(dtype, pl.Enum):
        listed = ", ".join("'" + label.replace("'", "''") + "'" for label in dtype.categories.to_list())
        return f"CREATE TYPE e{number} AS ENUM ({listed})", f"CAST({quoted(name)} AS e{number})"
    return "", quoted(name)


def _in_duckdb(connection: Any, frame: pl.DataFrame) -> None:
    plain = frame.with_columns(pl.col(pl.Enum).cast(pl.String)) if frame.width else frame
    connection.register("plain", plain.to_arrow())
    parts = []
    for number, (name, dtype) in enumerate(frame.schema.items()):
        made, cell = _duckdb_type(name, dtype, number)
        if made:
            connection.execute(made)
        parts.append(f"{cell} AS {quoted(name)}")
    connection.execute(f"CREATE TABLE data AS SELECT {', '.join(parts)} FROM plain")
    connection.unregister("plain")


def _duckdb_relation(frame: pl.DataFrame, folder: Path) -> tuple[Any, dict[str, Any]]:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed: pip install duckdb")
    connection = duckdb.connect()
    _in_duckdb(connection, frame)
    return connection.sql("SELECT * FROM data"), {}


def _duckdb_connection(frame: pl.DataFrame, folder: Path) -> tuple[Any, dict[str, Any]]:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed: pip install duckdb")
    connection = duckdb.connect()
    _in_duckdb(connection, frame)
    return connection, {"sql": "SELECT * FROM data;"}


def _duckdb_file(frame: pl.DataFrame, folder: Path) -> tuple[Any, dict[str, Any]]:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed: pip install duckdb")
    path = folder / "held.duckdb"
    with duckdb.connect(str(path)) as connection:
        _in_duckdb(connection, frame)
    return str(path), {}


def _ibis(frame: pl.DataFrame, folder: Path) -> tuple[Any, dict[str, Any]]:
    ibis = pytest.importorskip("ibis", reason="ibis is not installed: pip install 'ibis-framework[duckdb]'")
    backend = ibis.duckdb.connect()
    _in_duckdb(backend.con, frame)
    return backend.table("data"), {}


def _ibis_sqlite(frame: pl.DataFrame, folder: Path) -> tuple[Any, dict[str, Any]]:
    ibis = pytest.importorskip("ibis", reason="ibis is not installed")
    pytest.importorskip("regex", reason="ibis-framework[sqlite] is not installed")
    path = folder / "held.sqlite"
    types = {pl.String: "TEXT", pl.Float64: "REAL"}
    plain = frame.with_columns(pl.col(pl.Enum).cast(pl.String))
    columns = [f"{quoted(name)} {types.get(dtype, 'INTEGER')}" for name, dtype in plain.schema.items()]
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"CREATE TABLE data ({', '.join(columns)})")
        connection.executemany(f"INSERT INTO data VALUES ({', '.join('?' * plain.width)})", plain.rows())
    return ibis.sqlite.connect(str(path)).table("data"), {}


def _polars(frame: pl.DataFrame, folder: Path) -> tuple[Any, dict[str, Any]]:
    return frame.lazy(), {}


def _parquet(frame: pl.DataFrame, folder: Path) -> tuple[Any, dict[str, Any]]:
    (folder / "lake" / "_notes").mkdir(parents=True)
    (folder / "lake" / "_notes" / "_SUCCESS.parquet").write_text("")
    plain = frame.with_columns(pl.col(pl.Enum).cast(pl.String))
    for number in range(3):
        third = -(-frame.height // 3)
        plain.slice(number * third, third).write_parquet(folder / "lake" / f"part-{number}.parquet")
    return folder / "lake", {}


def _dask(frame: pl.DataFrame, folder: Path) -> tuple[Any, dict[str, Any]]:
    dd = pytest.importorskip("dask.dataframe", reason="dask is not installed: pip install 'dask[dataframe]'")
    return dd.from_pandas(frame.to_pandas(), npartitions=3, sort=False), {}


_SPARK: list[Any] = []


def _spark(frame: pl.DataFrame, folder: Path) -> tuple[Any, dict[str, Any]]:
    sql = pytest.importorskip("pyspark.sql", reason="PySpark is not installed: make test-engines")
    if shutil.which("java") is None:
        pytest.skip("there is no Java, which Spark needs")
    if not _SPARK:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
            builder = builder.config("spark.sql.shuffle.partitions", "2").config("spark.log.level", "ERROR")
            _SPARK.append(builder.getOrCreate())
    plain = frame.with_columns(pl.col(pl.Enum).cast(pl.String))
    path = folder / "spark.parquet"
    plain.write_parquet(path)
    return _SPARK[0].read.parquet(str(path)), {}


@contextlib.contextmanager
def _postgres_server() -> Iterator[str]:
    """A server of our own in a temporary folder; as another user where we are root, whom Postgres refuses."""
    folder = Path(tempfile.mkdtemp(prefix="qnml-pg-"))
    user = ["runuser", "-u", "nobody", "--"] if os.getuid() == 0 else []
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    tools = {name: str(found[-1] / name) if found else str(shutil.which(name)) for name in ("initdb", "pg_ctl")}
    try:
        if user:
            shutil.chown(folder, "nobody")
        run = {"check": True, "capture_output": True, "cwd": folder}
        subprocess.run([*user, tools["initdb"], "-D", folder / "db", "-U", "tester", "-A", "trust"], **run)
        options = f"-c listen_addresses='' -c unix_socket_directories={folder}"
        command = [*user, tools["pg_ctl"], "-D", folder / "db", "-w", "-l", folder / "log", "-o", options]
        subprocess.run([*command, "start"], check=True, stdout=subprocess.DEVNULL, cwd=folder)
        try:
            yield f"postgresql://tester@/postgres?host={folder}"
        finally:
            subprocess.run([*command[:-2], "-m", "immediate", "stop"], **run)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


_SERVER = contextlib.ExitStack()
_ADDRESS: list[str] = []


def _postgres(frame: pl.DataFrame, folder: Path) -> tuple[Any, dict[str, Any]]:
    library = pytest.importorskip("adbc_driver_postgresql.dbapi", reason="ADBC's driver is not installed")
    if not list(Path("/usr/lib/postgresql").glob("*/bin/initdb")) and shutil.which("initdb") is None:
        pytest.skip("Postgres is not installed")
    if not _ADDRESS:
        _ADDRESS.append(_SERVER.enter_context(_postgres_server()))
    # Postgres declares the values of an enumeration, but ADBC hands them over as text.
    plain = frame.with_columns(pl.col(pl.Enum).cast(pl.String))
    plain = plain.with_columns(pl.col(pl.UInt8, pl.UInt16, pl.UInt32, pl.Int8).cast(pl.Int64))
    with library.connect(_ADDRESS[0]) as connection, connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS data")
        cursor.adbc_ingest("data", plain.to_arrow())
        connection.commit()
    return _ADDRESS[0], {"sql": "SELECT * FROM data"}


def close_servers() -> None:
    _SERVER.close()
    _ADDRESS.clear()
    for session in _SPARK:
        session.stop()
    _SPARK.clear()


ALWAYS = [
    Stand("polars", _polars),
    Stand("duckdb relation", _duckdb_relation),
    Stand("duckdb connection", _duckdb_connection),
    Stand("duckdb file", _duckdb_file),
    Stand("parquet folder", _parquet, declares=False),
    Stand("dask", _dask),
    Stand("ibis", _ibis),
]
"""Tested every time."""

ON_REQUEST = [
    Stand("ibis sqlite", _ibis_sqlite, declares=False, booleans=False),
    Stand("spark", _spark, declares=False),
    Stand("postgres", _postgres, declares=False),
]
"""Tested by ``make test-engines``, or wherever they are installed and the marker is asked for."""
