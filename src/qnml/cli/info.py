"""``qnml info``: what is in a table."""

import qnml
from qnml.cli.options import AsJson, DataSource, MemoryLimit, WeightColumn, in_bytes
from qnml.cli.show import show
from qnml.errors import DataError
from qnml.report import information_facts, information_page

__all__ = ["info"]


def info(data: DataSource, weights: WeightColumn = None, memory: MemoryLimit = None, as_json: AsJson = False) -> None:
    """Show what is in a table.

    Rows, levels, constant columns, missing cells, and whether exact learning is in reach.

    \b
    Examples:
      qnml info patients.csv
      qnml info patients.parquet --json
    """
    try:
        table, has_missing = qnml.read_table(data, weights=weights, memory_limit=in_bytes(memory)), False
    except DataError:
        # Missing cells are part of what is to be shown and must not stop the reading; anything else does.
        table = qnml.read_table(data, missing="category", weights=weights, memory_limit=in_bytes(memory))
        has_missing = True
    show("info", information_facts(table, data, has_missing=has_missing), information_page, as_json=as_json)
