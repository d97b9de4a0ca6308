"""Tables in other engines that speak SQL: Postgres through ADBC, what ibis speaks to, and Spark."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from qnml._packages import needed
from qnml.data.engines.duckdb_tables import of_connection
from qnml.data.engines.relation import short_reason
from qnml.data.engines.sql import SqlRelation, arrow_kinds
from qnml.data.engines.sql_text import DUCKDB, POSTGRES, SPARK, Dialect, Query
from qnml.errors import DataError, bad_argument

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["of_ibis", "of_postgres", "of_spark"]

_VIEW = "__qnml_source"


def of_postgres(call: str, address: str, sql: str | None) -> SqlRelation:
    """A query on a Postgres database.

    Parameters
    ----------
    call : the calling function, for errors.
    address : ``postgresql://user@host/database``.
    sql : one query.
    """
    if sql is None:
        raise bad_argument(call, "sql", None, "a query with a database", "Write sql='SELECT … FROM …'.")
    library = needed("adbc_driver_postgresql.dbapi", call, "reads Postgres", "The extra 'qnml[postgres]' has it.")
    try:
        connection = library.connect(address)
    except Exception as error:  # adbc's own errors
        # the address may hold a password
        raise DataError(f"{call}: the Postgres database could not be reached: {short_reason(error)}") from None

    def run(text: str) -> Any:
        with connection.cursor() as cursor:
            cursor.execute(text)
            return cursor.fetch_arrow_table()

    def stream(text: str, rows: int) -> Iterator[Any]:
        import pyarrow

        with connection.cursor() as cursor:
            cursor.execute(text)
            for batch in cursor.fetch_record_batch():
                yield pyarrow.Table.from_batches([batch])

    source = f"({sql.strip().rstrip(';')}) AS {POSTGRES.name(_VIEW)}"
    return _opened(call, "Postgres", POSTGRES, source, run, stream, connection.close)


def of_ibis(call: str, table: Any) -> Any:
    """An ibis table expression; on DuckDB it is opened there directly, which keeps declared levels.

    Parameters
    ----------
    call : the calling function, for errors.
    table : the expression.
    """
    ibis = needed("ibis", call, "opens its own expressions")
    backend = table.get_backend()
    if backend.name == "duckdb":
        return of_connection(call, backend.con, str(ibis.to_sql(table)))
    aliased = table.alias(_VIEW)

    def run(text: str) -> Any:
        import pyarrow

        asked = aliased.sql(text, dialect="duckdb")
        try:
            return asked.to_pyarrow()
        except pyarrow.ArrowInvalid:  # backends that answer with Python objects, where numbers and nulls meet
            return pyarrow.Table.from_pandas(asked.execute().convert_dtypes(), preserve_index=False)

    def stream(text: str, rows: int) -> Iterator[Any]:
        import pyarrow

        for batch in aliased.sql(text, dialect="duckdb").to_pyarrow_batches(chunk_size=rows):
            yield pyarrow.Table.from_batches([batch])

    kinds = arrow_kinds(table.schema().to_pyarrow())
    reals = frozenset(name for name, dtype in table.schema().items() if dtype.is_floating())
    # Few functions are known everywhere: no hashes of rows, and SQLite has no "not a number".
    dialect = replace(DUCKDB, row="", approximate="count(DISTINCT {})")
    query = Query(dialect, dialect.name(_VIEW), frozenset() if backend.name == "sqlite" else reals)
    return SqlRelation(call, f"ibis ({backend.name})", kinds, query, run, stream)


def of_spark(call: str, frame: Any) -> SqlRelation:
    """A PySpark data frame, classic or through Spark Connect.

    Parameters
    ----------
    call : the calling function, for errors.
    frame : the data frame.
    """
    session = frame.sparkSession

    def run(text: str) -> Any:
        return session.sql(text, source=frame).toArrow()

    def stream(text: str, rows: int) -> Iterator[Any]:
        import pyarrow

        found = session.sql(text, source=frame)
        names = list(found.columns)
        iterator = found.toLocalIterator(prefetchPartitions=True)
        while part := list(itertools.islice(iterator, rows)):
            yield pyarrow.table({name: [row[place] for row in part] for place, name in enumerate(names)})

    return _opened(call, "Spark", SPARK, "{source}", run, stream, None)


def _opened(call: str, engine: str, dialect: Dialect, source: str, run: Any, stream: Any, closing: Any) -> SqlRelation:
    try:
        schema = run(f"SELECT * FROM {source} LIMIT 0").schema
    except Exception as error:  # every engine has its own errors
        if closing is not None:
            closing()
        raise DataError(f"{call}: {engine} could not run the query: {short_reason(error)}") from error
    import pyarrow

    reals = frozenset(field.name for field in schema if pyarrow.types.is_floating(field.type))
    query = Query(dialect, source, reals)
    return SqlRelation(call, engine, arrow_kinds(schema), query, run, stream, closing=closing)
