"""``qnml info``: the content of a table, and what would be done to its columns."""

from typing import Any

import qnml
from qnml.cli.options import (
    AsJson,
    Bins,
    ColumnWishes,
    DataSource,
    Discretize,
    InterventionColumn,
    MemoryLimit,
    WeightColumn,
    in_bytes,
    parsed_columns,
)
from qnml.cli.read_data import opened_data
from qnml.cli.reading_options import ReadingOptions, reading_command
from qnml.cli.show import show
from qnml.errors import QnmlError
from qnml.reports import info_facts, info_page

__all__ = ["info"]


@reading_command
def info(
    data: DataSource,
    *,
    column: ColumnWishes = None,
    discretize: Discretize = None,
    bins: Bins = 3,
    weights: WeightColumn = None,
    interventions: InterventionColumn = None,
    file: ReadingOptions,
    memory: MemoryLimit = None,
    as_json: AsJson = False,
) -> None:
    """Show what is in a table, and what 'qnml learn' would do to its columns.

    Kinds, missing cells, levels, identifiers and other columns that would be left out, what looks suspicious, how large
    a search would be, and whether exact learning is in reach. This works for every file that can be read.

    \b
    Examples:
      qnml info patients.csv
      qnml info patients.csv --column zip=drop --column bmi=18.5,25,30
      qnml info patients.parquet --json
    """
    how: Any = {"columns": parsed_columns(column or []), "discretize": discretize, "bins": bins}
    how |= {"weights": weights, "interventions": interventions}
    source = opened_data(data, file, memory, stays=True)
    looked = qnml.inspect_table(source, **how)
    table = None
    if looked.used and looked.n_rows:
        table = qnml.read_table(source, prepare="auto", **how)
    plans = {} if table is None else {method: _plan(table, method, in_bytes(memory)) for method in ("auto", "exact")}
    show("info", info_facts(looked, table, data, plans.get("auto"), plans.get("exact")), info_page, as_json=as_json)


def _plan(table: qnml.Table, method: str, memory_limit: float | None) -> Any:
    try:
        return qnml.plan(table.with_missing_level(), method=method, memory_limit=memory_limit)
    except QnmlError:
        # The table cannot be searched at all, for example because its total weight is too large.
        return None
