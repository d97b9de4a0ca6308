"""``qnml independence``: whether variables depend on each other given others."""

from typing import Annotated

import typer

import qnml
from qnml.cli.options import (
    AsJson,
    Bins,
    ColumnWishes,
    DataSource,
    Discretize,
    Jobs,
    MemoryLimit,
    Prepare,
    WeightColumn,
    parsed_columns,
)
from qnml.cli.read_data import read_data
from qnml.cli.reading_options import ReadingOptions, reading_command
from qnml.cli.show import show
from qnml.reports import independence_facts, independence_page

__all__ = ["independence"]


@reading_command
def independence(
    data: DataSource,
    x: Annotated[str, typer.Argument(metavar="X", help="A column.")],
    y: Annotated[str, typer.Argument(metavar="Y", help="Another column.")],
    *,
    given: Annotated[
        list[str] | None,
        typer.Option("--given", metavar="COLUMN", help="A column to condition on. May be given several times."),
    ] = None,
    prepare: Prepare = "auto",
    column: ColumnWishes = None,
    discretize: Discretize = None,
    bins: Bins = 3,
    weights: WeightColumn = None,
    file: ReadingOptions,
    memory: MemoryLimit = None,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Test whether two columns are independent, given others, by the lengths of two codes.

    The dependence is believed if it shortens the qNML code of the table; there is no significance level. Missing cells
    count as a level.

    \b
    Examples:
      qnml independence patients.csv smoke ill
      qnml independence patients.csv smoke ill --given age --given sex --json
    """
    table = read_data(
        data,
        file,
        prepare=prepare,
        columns=parsed_columns(column or []),
        missing="category" if prepare == "auto" else None,
        weights=weights,
        discretize=discretize,
        bins=bins,
        memory=memory,
    )
    found = qnml.independence(table, x, y, given or [], n_jobs=jobs)
    show("independence", independence_facts(found, table, data), independence_page, as_json=as_json)
