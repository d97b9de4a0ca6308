"""``qnml info``: the content of a table."""

import qnml
from qnml.cli.options import AsJson, DataSource, MemoryLimit, WeightColumn, in_bytes
from qnml.cli.show import show
from qnml.errors import DataError, QnmlError
from qnml.report import info_facts, info_page

__all__ = ["info"]


def info(data: DataSource, weights: WeightColumn = None, memory: MemoryLimit = None, as_json: AsJson = False) -> None:
    """Show what is in a table.

    Rows, levels, constant columns, missing cells, and whether exact learning is in reach.

    \b
    Examples:
      qnml info patients.csv
      qnml info patients.parquet --json
    """
    limit = in_bytes(memory)
    try:
        table, has_missing = qnml.read_table(data, weights=weights, memory_limit=limit), False
    except DataError:
        # Missing cells are to be shown and must not stop the reading; anything else raises again.
        table = qnml.read_table(data, missing="category", weights=weights, memory_limit=limit)
        has_missing = True
    facts = info_facts(table, data, has_missing=has_missing, exact_in_reach=_exact_fits(table, limit))
    show("info", facts, info_page, as_json=as_json)


def _exact_fits(table: qnml.Table, memory_limit: float | None) -> bool:
    try:
        return qnml.plan(table, method="exact", memory_limit=memory_limit).fits
    except QnmlError:
        # The table cannot be searched at all, for example because its total weight is too large.
        return False
