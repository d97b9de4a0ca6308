"""Whether a source lives in an engine, told without importing one; and the plan of reading it."""

from __future__ import annotations

import inspect
import os
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from qnml._checks import check_choice
from qnml._memory import resolve_memory_limit
from qnml.data.file_options import FileOptions
from qnml.data.missing import check_policy
from qnml.data.preparation.request import Request
from qnml.data.preparation.wishes import checked_discretize, checked_wishes
from qnml.errors import bad_argument, unknown_argument

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from qnml.data.engines.plan import ReadingPlan
    from qnml.data.engines.relation import Relation

__all__ = [
    "WAYS",
    "engine_relation",
    "is_relation",
    "open_source",
    "plan_reading",
    "source_rows",
    "weighted",
]

WAYS: Final = ("auto", "rows", "compress", "stream")
_IN_MEMORY = (np.ndarray, dict, list)
_PER_BYTE = {".parquet": 20.0, ".csv": 6.0, ".tsv": 6.0, ".tab": 6.0, ".txt": 6.0, ".dat": 6.0, ".data": 6.0}


def engine_relation(
    call: str, source: object, sql: str | None, options: FileOptions, memory_limit: float | None, way: str
) -> Relation | None:
    """Open a source that lives in an engine, or does not fit into memory; None for all others.

    Parameters
    ----------
    call : the calling function, for errors.
    source, sql : as for `read_table`.
    options : how text files are read.
    memory_limit, way : as for `read_table`.
    """
    if is_relation(source):
        return source  # type: ignore[return-value]
    if isinstance(source, _IN_MEMORY):
        if sql is not None:
            raise bad_argument(call, "sql", sql, "left out, unless the source is a database")
        return None
    from qnml.data.engines.opening import opened_file_relation, opened_relation

    limit = resolve_memory_limit(call, memory_limit)
    relation = opened_relation(call, source, sql, options, limit)
    if relation is not None or not isinstance(source, str | os.PathLike):
        if relation is None and way != "auto":
            raise bad_argument(call, "way", way, "'auto', unless the source is a file or lives in an engine")
        return relation
    if not os.path.isfile(source):
        return None
    path = Path(source)
    if way == "auto" and not _is_too_large(path, limit):
        return None
    return opened_file_relation(call, path, options, limit)


def is_relation(source: object) -> bool:
    """Whether a source was opened by `open_source` before."""
    return type(source).__module__.startswith("qnml.data.engines.")


def open_source(source: object, sql: str | None, options: FileOptions, memory_limit: float | None) -> Relation | None:
    """Open a source that lives in an engine, to be passed to `read_table` several times; None for all others.

    Parameters
    ----------
    source, sql
        As for `read_table`.
    options
        How text files are read.
    memory_limit
        As for `read_table`.
    """
    return engine_relation("read_table", source, sql, options, memory_limit, "auto")


def source_rows(relation: Relation) -> Any:
    """All rows of a relation as a data frame.

    Parameters
    ----------
    relation
        What `open_source` opened.
    """
    from qnml.data.engines.fetching import rows_of

    return rows_of("read_table", relation)[0].to_native()


def _is_too_large(path: Path, limit: float) -> bool:
    """Whether reading a file in one piece may take more than the limit; DuckDB must be there to do otherwise."""
    factor = _PER_BYTE.get(path.suffix.lower())
    if factor is None or factor * path.stat().st_size <= limit:
        return False
    try:
        import duckdb  # noqa: F401
    except ImportError:
        return False
    return True


def weighted(call: str, relation: Relation, weights: object) -> Relation:
    """The relation with rows that count as often as a column says.

    Parameters
    ----------
    call : the calling function, for errors.
    relation : the table in its engine.
    weights : the name of a column, or None.
    """
    if weights is None:
        return relation
    if not isinstance(weights, str):
        raise bad_argument(call, "weights", weights, "the name of a column, for data in an engine")
    return relation.weighted(call, weights)


def plan_reading(
    source: object,
    *,
    prepare: Literal["strict", "auto"] = "strict",
    columns: Mapping[str, str | Iterable[float]] | None = None,
    discretize: str | None = None,
    bins: int = 3,
    missing: str | None = None,
    weights: str | None = None,
    sql: str | None = None,
    way: Literal["auto", "rows", "compress", "stream"] = "auto",
    memory_limit: float | None = None,
    **file_options: Any,
) -> ReadingPlan | None:
    """How `read_table` with the same arguments would get data out of an engine; the rows are not fetched.

    Parameters
    ----------
    source, prepare, columns, discretize, bins, missing, weights, sql, way, memory_limit
        As for `read_table`.
    **file_options
        How text files are read, as for `read_table`.

    Returns
    -------
    ReadingPlan or None
        None if the source does not live in an engine: it is read as it is.
    """
    call = "plan_reading"
    check_choice(call, "prepare", prepare, ("strict", "auto"))
    check_choice(call, "way", way, WAYS)
    policy = ("em" if prepare == "auto" else "raise") if missing is None else missing
    check_policy(call, policy)
    method, n_bins = checked_discretize(call, discretize, bins)
    request = Request(prepare == "auto", checked_wishes(call, columns, method, n_bins), method, n_bins, policy)
    known = [field.name for field in fields(FileOptions)]
    for name in file_options:
        if name not in known:
            raise unknown_argument(call, name, [*inspect.signature(plan_reading).parameters, *known])
    relation = engine_relation(call, source, sql, FileOptions(**file_options), memory_limit, way)
    if relation is None:
        return None
    from qnml.data.engines.fetching import planned

    try:
        return planned(call, weighted(call, relation, weights), request, way, resolve_memory_limit(call, memory_limit))
    finally:
        relation.close()
