"""`read_table`: data from files, frames, arrays and mappings, prepared as categories."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from qnml._checks import check_choice
from qnml._frames import frame_kind_of
from qnml._memory import resolve_memory_limit
from qnml.data.engine_sources import WAYS, engine_relation, weighted
from qnml.data.file_options import IN_MEMORY, FileOptions
from qnml.data.intervention_columns import split_interventions
from qnml.data.labels import Label, distinct_labels
from qnml.data.missing import check_policy
from qnml.data.opening import source_columns
from qnml.data.paths import is_readable, read_path
from qnml.data.preparation.labelled import columns_of_table
from qnml.data.preparation.preparing import inspected, prepare_table
from qnml.data.preparation.request import Request
from qnml.data.preparation.wishes import checked_discretize, checked_wishes, find_unknown
from qnml.data.table import Table
from qnml.data.weights import Weights, split_weights
from qnml.errors import DataError, InputError, bad_argument

if TYPE_CHECKING:
    from qnml.data.engines.relation import Relation
    from qnml.data.interventions import Interventions
    from qnml.data.preparation.preparation import Preparation
    from qnml.data.preparation.preparing import Prepared
    from qnml.data.source import SourceColumn

__all__ = ["inspect_table", "read_table"]

_CALL = "read_table"

Levels = Literal["declared", "observed"] | Mapping[str, Iterable[object]]


def read_table(
    source: object,
    *,
    prepare: Literal["strict", "auto"] = "strict",
    columns: Mapping[str, str | Iterable[float]] | None = None,
    discretize: str | None = None,
    bins: int = 3,
    missing: Literal["raise", "drop", "category", "em", "indicator"] | None = None,
    levels: Levels = "declared",
    weights: str | npt.ArrayLike | None = None,
    interventions: object = None,
    separator: str | None = None,
    decimal: str | None = None,
    missing_words: Iterable[str] | None = None,
    sheet: str | int | None = None,
    encoding: str | None = None,
    header: bool = True,
    sql: str | None = None,
    way: Literal["auto", "rows", "compress", "stream"] = "auto",
    memory_limit: float | None = None,
) -> Table:
    """Read data from a file, a data frame, an array, a mapping or an engine, as categories.

    Parameters
    ----------
    source
        A path: ``.csv``, ``.tsv``, ``.tab``, ``.txt``, ``.dat`` or ``.data`` (also ``.gz``), ``.xlsx``, ``.parquet``,
        ``.feather`` / ``.arrow`` / ``.ipc``, or either file of bene's ``.vd`` + ``.idt`` pair; see `qnml.data.files`
        for the rules for text. An open file with text, Excel, Parquet or Arrow content. A frame of any library that
        narwhals supports (pandas, Polars, PyArrow, …). A two-dimensional array of integers, booleans, text or objects,
        with columns named ``X1``, ``X2``, … (a structured array has its own names). A mapping of names to sequences. A
        `Table`. Or what lives in an engine (:doc:`engines`): a DuckDB relation or connection, a Polars lazy frame, an
        ibis table, a Dask or PySpark data frame, ``postgresql://…``, a ``.duckdb`` file, a folder or a pattern of
        Parquet or text files (``"data/*.parquet"``), ``s3://…``.
    prepare
        ``"strict"``: columns are categories as they stand; one error names all that cannot be. ``"auto"``: rules decide
        what is done to each column that `columns` does not mention. Numbers are binned, identifiers, constant columns,
        dates and free text are left out, rare labels are merged; see `qnml.data.preparation.rules`. Either way
        ``Table.preparation`` says what was done.
    columns
        What is done to single columns, by name: ``"category"``, ``"bins"``, ``"drop"``, a method of `Discretizer`
        (``"nml"``, ``"paper"``, ``"width"``, ``"frequency"``; ``"width:5"`` makes five bins), or a list of increasing
        cut points.
    discretize
        A method by which numbers are binned, as `Discretizer` does it: all under ``prepare="strict"``, under ``"auto"``
        those with many values, since integers with few values are codes. None: only the columns that `columns` or the
        rules say, by ``"nml"``.
    bins
        The number of bins for ``discretize="width"`` and ``"frequency"``.
    missing
        ``"raise"`` rejects missing cells, naming columns and counts. ``"drop"`` keeps complete rows only; it warns if
        more than a fifth are dropped. ``"category"`` adds a last level ``"?"`` to each column with missing cells
        (``"(missing)"`` where ``"?"`` is taken). ``"em"`` leaves cells missing, for `learn` and `fit` to estimate by
        EM. ``"indicator"`` does the same and adds columns that say whether a cell was missing. By default ``"em"``
        under ``prepare="auto"``, otherwise ``"raise"``.
    levels
        ``"declared"``: the levels the source declares, in that order, observed or not (pandas categories, Polars
        ``Enum``, Arrow dictionaries, ``.vd``; booleans have two), else the observed values, sorted.
        ``"observed"``: only those of them that occur. A mapping gives the levels of the columns it names; the
        others are treated as under ``"declared"``. Labels are matched by value, or else as text.
    weights
        How often each row counts: non-negative integers, or the name of a column that holds them and is then not a
        variable. A row of weight 2 stands for two equal rows; a row of weight 0 is ignored, with its missing values
        and its labels.
    interventions
        Which variables were set in which rows, by an experiment or a treatment, instead of observed: the name of a
        column that says so and is then not a variable (its cells name the variable that was set; several are joined
        by ``|``; empty or ``none`` where nothing was set), booleans by the names of variables, a frame of them, or an
        array of booleans, rows × variables. Such a row does not count for the families of the variables that were set
        in it. :doc:`interventions`.
    separator
        What separates the cells of a text file: one character, where ``" "`` stands for any run of blanks, or one of
        ``"comma"``, ``"semicolon"``, ``"tab"``, ``"pipe"`` and ``"space"``. None guesses among these five: the one
        that divides every line into the same number of cells.
    decimal
        The decimal sign of a text file, ``"."`` or ``","``. None guesses it from all columns. The other sign may
        separate thousands; columns in which it may be either stay text.
    missing_words
        Words that stand for missing cells in text and Excel files, besides the empty cell, which always does. None for
        ``?``, ``NA``, ``N/A``, ``n/a``, ``#N/A``, ``<NA>``, ``NaN``, ``nan``, ``null`` and ``NULL``. Cells are
        compared as text.
    sheet
        Name of the sheet of an Excel file, or its number counted from 1; None for the first.
    encoding
        Encoding of a text file, such as ``"cp1252"``; None for UTF-8, or UTF-16 with a byte-order mark.
    header
        Whether the first line of a text or Excel file has the names of the columns; if not, they are named ``X1``,
        ``X2``, ….
    sql
        What to read from a DuckDB connection or a database: one SELECT. Of Parquet files it is asked from the table
        ``data``.
    way
        How data come out of an engine. ``"rows"``: as they are. ``"compress"``: grouped and counted there; the table
        has the distinct rows, sorted, with their counts as weights, and is equal to the table of all rows,
        :meth:`Table.merged`. ``"stream"``: coded batch by batch, on disk beyond the memory limit. ``"auto"`` takes the
        rows of small tables, and else chooses by a plan (`plan_reading`).
    memory_limit
        Maximum memory in bytes for reading; None for 90 % of the free memory. A Parquet or text file that needs more
        is read by DuckDB if it is installed, and rejected otherwise.

    Returns
    -------
    Table

    Raises
    ------
    DataError
        If the data cannot be used: missing cells, real values, too many levels, no rows.
    FileFormatError
        If a file does not follow its format; the message says where.
    InputError
        If an argument is wrong or the file does not exist.
    TooLargeError
        If a file needs more memory than the limit.

    Warns
    -----
    ReadingWarning
        If something about a file was guessed that its name does not say: separator, decimal comma, encoding, sheet.
        The argument that says it silences the warning.

    Examples
    --------
    >>> table = read_table({"smoke": ["no", "yes", "no"], "age": [40, 50, 40]})
    >>> table.names, table.levels["age"], table.codes("smoke").tolist()
    (('smoke', 'age'), (40, 50), [0, 1, 0])
    """
    check_choice(_CALL, "prepare", prepare, ("strict", "auto"))
    policy = ("em" if prepare == "auto" else "raise") if missing is None else missing
    check_policy(_CALL, policy)
    if not isinstance(levels, Mapping) and (not isinstance(levels, str) or levels not in ("declared", "observed")):
        raise bad_argument(_CALL, "levels", levels, "'declared', 'observed' or labels by column name")
    if memory_limit is not None:
        resolve_memory_limit(_CALL, memory_limit)
    method, n_bins = checked_discretize(_CALL, discretize, bins)
    request = Request(prepare == "auto", checked_wishes(_CALL, columns, method, n_bins), method, n_bins, policy)
    options = FileOptions(separator, decimal, missing_words, sheet, encoding, header)
    check_choice(_CALL, "way", way, WAYS)
    relation = engine_relation(_CALL, source, sql, options, memory_limit, way)
    if relation is not None:
        is_given = relation is source
        _refuse_interventions(_CALL, relation, interventions, is_given=is_given)
        return _from_engine(relation, request, levels, weights, way, memory_limit, is_given=is_given)
    source, notes = _read(_CALL, source, memory_limit, options, name_unnamed=prepare == "auto")
    if isinstance(source, Table) and not request.wishes and missing is None:
        table = _reweighted(source, weights)
        table = table if interventions is None else table.with_interventions(interventions)
        return _releveled(table, levels, set())
    opened, checked, settings = _raw_columns(_CALL, source, weights, interventions)
    if not len(opened[0].values):
        raise DataError(f"{_CALL}: there are no rows. A table needs at least one row of positive weight.")
    find_unknown(_CALL, request.wishes, [column.name for column in opened])
    return _made(prepare_table(_CALL, opened, checked, request, notes), levels, settings, frame_kind_of(source))


def _from_engine(
    relation: Relation,
    request: Request,
    levels: Levels,
    weights: object,
    way: str,
    memory_limit: float | None,
    *,
    is_given: bool,
) -> Table:
    """Fetch a table from an engine; groups become rows in canonical order."""
    from qnml.data.engines.fetching import fetched

    try:
        limit = resolve_memory_limit(_CALL, memory_limit)
        found = fetched(_CALL, weighted(_CALL, relation, weights), request, way, limit)
    finally:
        if not is_given:
            relation.close()
    table = _made(found.prepared, levels)
    return table.merged() if found.plan.way == "compress" else table


def _refuse_interventions(call: str, relation: Relation, interventions: object, *, is_given: bool) -> None:
    """Interventions are known for rows in memory only; to drop them without a word would be wrong."""
    if interventions is not None:
        if not is_given:
            relation.close()
        raise InputError(
            f"{call}: interventions cannot be read from an engine. Read the rows into a data frame, and give that."
        )


def _made(
    made: Prepared, levels: Levels, settings: Interventions | None = None, frame_kind: str | None = None
) -> Table:
    """The table of prepared columns."""
    names = tuple(column.entry.name for column in made.columns)
    table = Table._of(
        names,
        [column.codes for column in made.columns],
        [column.levels for column in made.columns],
        made.weights,
        _CALL,
        made.preparation,
        [column.mask for column in made.columns],
        {column.entry.name: column.numbers for column in made.columns if column.numbers is not None},
        None if settings is None else settings.take(made.rows),
        frame_kind,
    )
    labelled = {entry.name for entry in made.preparation.columns if entry.missing_label is not None}
    return _releveled(table, levels, labelled)


def inspect_table(
    source: object,
    *,
    columns: Mapping[str, str | Iterable[float]] | None = None,
    discretize: str | None = None,
    bins: int = 3,
    missing: Literal["raise", "drop", "category", "em", "indicator"] = "em",
    weights: str | npt.ArrayLike | None = None,
    interventions: object = None,
    separator: str | None = None,
    decimal: str | None = None,
    missing_words: Iterable[str] | None = None,
    sheet: str | int | None = None,
    encoding: str | None = None,
    header: bool = True,
    sql: str | None = None,
    memory_limit: float | None = None,
) -> Preparation:
    """Look at a table: what its columns hold, and what ``read_table(source, prepare="auto")`` would do to them.

    Parameters
    ----------
    source, columns, discretize, bins, missing, weights, interventions
        As for `read_table`.
    separator, decimal, missing_words, sheet, encoding, header, sql, memory_limit
        As for `read_table`.

    Returns
    -------
    Preparation
        Also if the table cannot be used: columns that cannot become categories are left out, with the reason.

    Examples
    --------
    >>> print(inspect_table({"id": range(1, 31), "smoke": ["no", "yes"] * 15}))
    30 rows.
    column  kind     missing  distinct  done            why
    id      integer           30        left out        It numbers the rows.
    smoke   text              2         kept, 2 levels  Categories.
    """
    call = "inspect_table"
    method, n_bins = checked_discretize(call, discretize, bins)
    check_policy(call, missing)
    if memory_limit is not None:
        resolve_memory_limit(call, memory_limit)
    options = FileOptions(separator, decimal, missing_words, sheet, encoding, header)
    request = Request(True, checked_wishes(call, columns, method, n_bins), method, n_bins, missing)
    relation = engine_relation(call, source, sql, options, memory_limit, "auto")
    if relation is not None:
        is_given = relation is source
        _refuse_interventions(call, relation, interventions, is_given=is_given)
        return _inspected_in_engine(call, relation, request, weights, is_given=is_given)
    source, notes = _read(call, source, memory_limit, options, name_unnamed=True)
    opened, checked, _ = _raw_columns(call, source, weights, interventions)
    find_unknown(call, request.wishes, [column.name for column in opened])
    return inspected(call, opened, checked, request, notes)


def _inspected_in_engine(
    call: str, relation: Relation, request: Request, weights: object, *, is_given: bool
) -> Preparation:
    from qnml.data.engines.fetching import inspected_relation

    try:
        return inspected_relation(call, weighted(call, relation, weights), request)
    finally:
        if not is_given:
            relation.close()


def _read(
    call: str, source: object, memory_limit: float | None, options: FileOptions, *, name_unnamed: bool
) -> tuple[object, list[str]]:
    """The content of a file, and notes on what was guessed; any other source unchanged."""
    notes: list[str] = []
    if is_readable(source):
        source = read_path(call, "source", source, memory_limit, options, name_unnamed=name_unnamed, notes=notes)
    else:
        options.check_fit("the source", IN_MEMORY)
    return source, notes


def _raw_columns(
    call: str, source: object, weights: str | npt.ArrayLike | None, interventions: object
) -> tuple[list[SourceColumn], Weights | None, Interventions | None]:
    """The columns of a source but for its weights and interventions, and these; rows of weight 0 are left out."""
    if isinstance(source, Table):
        opened, weights = columns_of_table(source), source.weights if weights is None else weights
        interventions = source.interventions if interventions is None else interventions
    else:
        opened = source_columns(call, source)
    if not opened:
        raise DataError(f"{call}: there are no columns. A table needs at least one variable.")
    if not all(column.name for column in opened):
        raise DataError(f"{call}: a column has no name. Name it, or leave it out.")
    opened, checked = split_weights(call, opened, weights)
    if not opened:
        raise DataError(f"{call}: the weights {weights!r} are the only column. A table needs at least one variable.")
    opened, settings = split_interventions(call, opened, interventions)
    if checked is not None and not checked.all():
        kept = checked > 0
        settings = None if settings is None else settings.take(kept)
        opened, checked = _kept(opened, checked, kept)
    return opened, checked, settings


def _kept(
    columns: list[SourceColumn], weights: Weights | None, rows: npt.NDArray[np.bool_]
) -> tuple[list[SourceColumn], Weights | None]:
    return [column.kept(rows) for column in columns], None if weights is None else weights[rows]


def _reweighted(table: Table, weights: str | npt.ArrayLike | None) -> Table:
    if weights is None:
        return table
    if not isinstance(weights, str):
        return table.with_weights(weights)
    numbers = np.array(table.labels(weights).tolist())
    return table.select([name for name in table.names if name != weights]).with_weights(numbers)


def _releveled(table: Table, levels: Levels, holed: set[str]) -> Table:
    if isinstance(levels, str):
        return table.with_observed_levels() if levels == "observed" else table
    wanted: dict[str, list[Label]] = {}
    for name, given in levels.items():
        wanted[name] = labels = list(distinct_labels(_CALL, name, given))
        # the level for missing cells need not be listed, but keeps its position if it is
        if name in holed and str(table.levels[name][-1]) not in map(str, labels):
            labels.append(table.levels[name][-1])
    return table._releveled(_CALL, wanted)
