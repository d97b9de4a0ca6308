"""Recognising sources that live in an engine. Engines are never imported to look: their objects have been already."""

from __future__ import annotations

import glob
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qnml._checks import checked_path
from qnml.data.file_options import FileOptions, FileType
from qnml.data.paths import TEXT_KINDS
from qnml.errors import InputError, bad_argument, shown

if TYPE_CHECKING:
    from qnml.data.engines.relation import Relation

__all__ = ["opened_file_relation", "opened_relation"]

_DATABASES = (".duckdb", ".ddb")
_POSTGRES = ("postgresql://", "postgres://")
_REMOTE = re.compile(r"[a-z][a-z0-9+.-]+://")
_PARQUET, _ARROW = ".parquet", (".feather", ".arrow", ".ipc")
_TEXT = FileType("text files", frozenset({"separator", "decimal", "missing_words", "encoding", "header"}))
_PLAIN = FileType("a database, or Parquet files")


def opened_relation(
    call: str, source: object, sql: str | None, options: FileOptions, memory_limit: float
) -> Relation | None:
    """Open a source that lives in an engine; None for every other source.

    Parameters
    ----------
    call : the calling function, for errors.
    source : the first argument of `read_table`.
    sql : a query, for a connection, a database or Parquet files.
    options : how text files are read.
    memory_limit : bytes that an engine of our own may hold.
    """
    if sql is not None and (not isinstance(sql, str) or not sql.strip()):
        raise bad_argument(call, "sql", sql, "one SELECT, or None")
    if isinstance(source, str | os.PathLike):
        path = source if isinstance(source, str) else str(checked_path(call, "source", source))
        made = _of_path(call, path, sql, options, memory_limit)
    else:
        made = _of_object(call, source, sql, options)
    if made is None and sql is not None:
        allowed = "left out, unless the source is a DuckDB connection, a database or Parquet files"
        raise bad_argument(call, "sql", sql, allowed)
    return made


def opened_file_relation(call: str, path: Path, options: FileOptions, memory_limit: float) -> Relation | None:
    """Open one file that does not fit into memory in DuckDB; None if it is of a type that DuckDB does not read.

    Parameters
    ----------
    call : the calling function, for errors.
    path : the file.
    options, memory_limit : as for `opened_relation`.
    """
    return _of_files(call, [str(path)], None, options, memory_limit)


def _of_object(call: str, source: object, sql: str | None, options: FileOptions) -> Relation | None:
    library, kind = type(source).__module__.partition(".")[0], type(source).__name__
    if library == "narwhals" and kind == "LazyFrame":
        return _of_object(call, source.to_native(), sql, options)  # type: ignore[attr-defined]
    if library in ("duckdb", "_duckdb") and kind == "DuckDBPyConnection":
        from qnml.data.engines.duckdb_tables import of_connection

        if sql is None:
            raise bad_argument(call, "sql", None, "a query with a connection", "Write sql='SELECT … FROM …'.")
        options.check_fit("the source", _PLAIN)
        made: Relation = of_connection(call, source, sql)
        return made
    opener = _opener(library, kind)
    if opener is None or sql is not None:
        return None
    options.check_fit("the source", _PLAIN)
    opened: Relation = opener(call, source)
    return opened


def _opener(library: str, kind: str) -> Any:
    """What opens the objects of a library."""
    if library in ("duckdb", "_duckdb") and kind == "DuckDBPyRelation":
        from qnml.data.engines.duckdb_tables import of_relation

        return of_relation
    if library == "polars" and kind == "LazyFrame":
        from qnml.data.engines.polars_frames import of_polars

        return of_polars
    if library == "ibis" and kind == "Table":
        from qnml.data.engines.databases import of_ibis

        return of_ibis
    if library == "pyspark" and kind == "DataFrame":
        from qnml.data.engines.databases import of_spark

        return of_spark
    if library in ("dask", "dask_expr") and kind == "DataFrame":
        from qnml.data.engines.dask_frames import of_dask

        return of_dask
    return None


def _of_path(call: str, path: str, sql: str | None, options: FileOptions, limit: float) -> Relation | None:
    if path.startswith(_POSTGRES):
        from qnml.data.engines.databases import of_postgres

        options.check_fit("the source", _PLAIN)
        served: Relation = of_postgres(call, path, sql)
        return served
    if path.lower().endswith(_DATABASES) or (sql is not None and path.lower().endswith(".db")):
        from qnml.data.engines.duckdb_tables import of_database

        options.check_fit(shown(path), _PLAIN)
        if not Path(path).is_file():
            raise InputError(f"{call}(source={shown(path)}): there is no such file. Check the path.")
        database: Relation = of_database(call, Path(path), sql)
        return database
    if _REMOTE.match(path):
        return _of_files(call, [path], sql, options, limit, is_remote=True)
    files = _files(call, path)
    if files is None and sql is not None and path.lower().endswith(_PARQUET):
        files = [path]
    return None if files is None else _of_files(call, files, sql, options, limit)


def _files(call: str, path: str) -> list[str] | None:
    """The files of a folder or a pattern, sorted; None for a single file."""
    # os.path takes names that are too long for those of no file.
    if os.path.isdir(path):
        kinds = (_PARQUET, *TEXT_KINDS)
        found = [str(one) for one in Path(path).rglob("*") if one.is_file() and one.name.lower().endswith(kinds)]
        # Hidden files and folders, and those that start with _, hold what engines note for themselves.
        found = [one for one in found if not _is_hidden(os.path.relpath(one, path))]
    elif glob.has_magic(path) and not os.path.exists(path):
        found = [one for one in glob.glob(path, recursive=True) if Path(one).is_file()]
    else:
        return None
    if not found:
        raise InputError(f"{call}(source={shown(path)}): no data files are there. Check the folder or the pattern.")
    return sorted(found)


def _is_hidden(path: str) -> bool:
    return any(part.startswith((".", "_")) for part in Path(path).parts)


def _of_files(
    call: str, files: list[str], sql: str | None, options: FileOptions, limit: float, *, is_remote: bool = False
) -> Relation | None:
    kinds = {_kind(one) for one in files}
    if len(kinds) > 1:
        listed = ", ".join(sorted(kind or "others" for kind in kinds))
        raise InputError(f"{call}: the files are of several kinds ({listed}). Name one kind, as in 'data/*.parquet'.")
    (kind,) = kinds
    if kind == _PARQUET or (is_remote and kind is None):
        from qnml.data.engines.duckdb_tables import of_parquet

        options.check_fit(shown(files[0]), _PLAIN)
        return of_parquet(call, files, sql, limit)  # type: ignore[no-any-return]
    if kind == "text" and sql is None:
        from qnml.data.engines.csv_files import of_text_files

        if is_remote:
            raise InputError(f"{call}(source={shown(files[0])}): only Parquet files are read from other machines.")
        options.check_fit(shown(files[0]), _TEXT)
        return of_text_files(call, files, options, limit)  # type: ignore[no-any-return]
    if len(files) > 1 or sql is not None:
        raise InputError(f"{call}: folders and patterns must hold Parquet or text files, and sql takes Parquet files.")
    return None


def _kind(path: str) -> str | None:
    name = path.lower()
    if name.endswith(_PARQUET):
        return _PARQUET
    if name.endswith(tuple(TEXT_KINDS)):
        return "text"
    return "Arrow files" if name.endswith(_ARROW) else None
