"""Tables in DuckDB: relations, connections with a query, database files, and Parquet files that it reads itself."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qnml._packages import needed
from qnml.data.engines.relation import short_reason
from qnml.data.engines.sql import SqlRelation, arrow_kinds
from qnml.data.engines.sql_text import DUCKDB, Query
from qnml.data.forks import refuse_lost_threads
from qnml.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["of_connection", "of_database", "of_parquet", "of_relation", "own_connection"]

_VIEW = "__qnml_source"
_NAME = "DuckDB"
# DuckDB refuses larger limits.
_MOST_MEGABYTES = 1e9


def of_relation(call: str, relation: Any, notes: Sequence[str] = (), closing: Callable[[], None] | None = None) -> Any:
    """A DuckDB relation.

    Parameters
    ----------
    call : the calling function, for errors.
    relation : the relation; it keeps its connection.
    notes : remarks about how it was opened.
    closing : releases what was opened for it.
    """
    refuse_lost_threads(call)

    def run(text: str) -> Any:
        return relation.query(_VIEW, text).to_arrow_table()

    def stream(text: str, rows: int) -> Iterator[Any]:
        import pyarrow

        reader = relation.query(_VIEW, text).to_arrow_reader(rows)
        for batch in reader:
            yield pyarrow.Table.from_batches([batch])

    try:
        kinds = arrow_kinds(relation.limit(0).to_arrow_table().schema)
    except Exception as error:  # duckdb.Error, which is not imported here
        if closing is not None:
            closing()
        raise DataError(f"{call}: {_NAME} could not open the source: {short_reason(error)}") from error
    reals = frozenset(
        name for name, dtype in zip(relation.columns, map(str, relation.types), strict=True) if dtype in _FLOATS
    )
    query = Query(DUCKDB, DUCKDB.name(_VIEW), reals)
    return SqlRelation(call, _NAME, kinds, query, run, stream, tuple(notes), closing)


_FLOATS = frozenset({"DOUBLE", "FLOAT"})


def of_connection(
    call: str, connection: Any, sql: str, notes: Sequence[str] = (), closing: Callable[[], None] | None = None
) -> Any:
    """The result of a query on a DuckDB connection.

    Parameters
    ----------
    call : the calling function, for errors.
    connection : the connection.
    sql : one query.
    notes, closing : as for `of_relation`.
    """
    try:
        relation = connection.sql(sql)
    except Exception as error:  # duckdb.Error, which is not imported here
        if closing is not None:
            closing()
        raise DataError(f"{call}(sql=…): {_NAME} could not run the query: {short_reason(error)}") from error
    if relation is None:
        if closing is not None:
            closing()
        raise DataError(f"{call}(sql=…): the query returns no rows. Give one SELECT.")
    return of_relation(call, relation, notes, closing)


def of_database(call: str, path: Path, sql: str | None) -> Any:
    """A query on a database file, which is opened for reading only.

    Parameters
    ----------
    call : the calling function, for errors.
    path : the file.
    sql : one query; None if the database holds a single table, which is then read.
    """
    duckdb = needed("duckdb", call, "opens database files")
    try:
        connection = duckdb.connect(str(path), read_only=True)
    except Exception as error:  # duckdb.Error, OSError
        raise DataError(f"{call}(source={str(path)!r}): {_NAME} cannot open it: {short_reason(error)}") from error
    if sql is None:
        tables = [row[0] for row in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
        tables += [
            row[0] for row in connection.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()
        ]
        if len(tables) != 1:
            connection.close()
            listed = ", ".join(sorted(tables)[:8]) or "none"
            raise DataError(
                f"{call}(source={str(path)!r}): say what to read from the database: sql='SELECT … FROM …'. "
                f"Its tables: {listed}."
            )
        sql = f"SELECT * FROM {DUCKDB.name(tables[0])}"
    return of_connection(call, connection, sql, closing=connection.close)


def own_connection(call: str, purpose: str, memory_limit: float) -> tuple[Any, Callable[[], None]]:
    """A connection of our own, which spills to a temporary folder, and what closes it and removes the folder.

    Parameters
    ----------
    call, purpose : who needs DuckDB and what for.
    memory_limit : bytes that the engine may hold.
    """
    duckdb = needed("duckdb", call, purpose)
    folder = Path(tempfile.mkdtemp(prefix="qnml-"))
    connection = duckdb.connect()
    connection.execute(f"SET temp_directory = {DUCKDB.text(str(folder))}")
    connection.execute(f"SET memory_limit = '{int(min(max(memory_limit / 1e6, 64), _MOST_MEGABYTES))}MB'")

    def remove() -> None:
        shutil.rmtree(folder, ignore_errors=True)

    def close() -> None:
        connection.close()
        remove()
        atexit.unregister(remove)

    # For relations that are never closed.
    atexit.register(remove)

    return connection, close


def of_parquet(call: str, files: Sequence[str], sql: str | None, memory_limit: float) -> Any:
    """Parquet files with the same columns, read by DuckDB.

    Parameters
    ----------
    call : the calling function, for errors.
    files : their paths, in order.
    sql : a query on the table ``data``; None for all of it.
    memory_limit : bytes that the engine may hold.
    """
    connection, close = own_connection(
        call, "reads folders and patterns of files, and files larger than memory", memory_limit
    )
    listed = ", ".join(map(DUCKDB.text, files))
    try:
        data = connection.sql(f"SELECT * FROM read_parquet([{listed}])")
        data.create_view("data")
    except Exception as error:  # duckdb.Error
        close()
        raise DataError(f"{call}: {_NAME} cannot read {_shown(files)}: {short_reason(error)}") from error
    return of_connection(call, connection, sql or "SELECT * FROM data", closing=close)


def _shown(files: Sequence[str]) -> str:
    return files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1} more files"
