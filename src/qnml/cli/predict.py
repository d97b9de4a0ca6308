"""``qnml predict``: prediction of one variable from the others, row by row."""

from typing import Annotated, Any

import typer

from qnml.cli.frame_files import check_frame_file, write_frame
from qnml.cli.network_source import ModelSource, opened_network
from qnml.cli.options import AsJson, DataSource, Jobs, MemoryLimit
from qnml.cli.read_data import column_names, opened_data
from qnml.cli.reading_options import ReadingOptions, reading_command
from qnml.cli.result_files import refuse_overwriting
from qnml.cli.show import show
from qnml.reports import predict_facts, predict_page

__all__ = ["predict"]


@reading_command
def predict(
    model: ModelSource,
    data: DataSource,
    *,
    target: Annotated[str, typer.Option("--target", metavar="NAME", help="The variable to predict.")],
    proba: Annotated[bool, typer.Option("--proba", help="Also give the probability of every label.")] = False,
    output: Annotated[
        str | None,
        typer.Option("--output", metavar="FILE", help="Write the predictions to a .csv or .parquet file."),
    ] = None,
    unknown: Annotated[
        str,
        typer.Option(
            "--unknown",
            metavar="uniform|raise",
            help="Labels the network does not know: treat them as uninformative (uniform), or reject them (raise).",
        ),
    ] = "uniform",
    file: ReadingOptions,
    memory: MemoryLimit = None,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Predict one variable from the others.

    Cells may be missing and columns absent: inference is exact given the available cells. If the data contain the
    target itself, it is not used to predict, but the predictions are compared with it. If the network remembers how
    the columns it was learned from were prepared, raw rows are prepared in the same way.

    \b
    Examples:
      qnml predict asia.bif patients.csv --target lung
      qnml predict asia.bif ill.csv --target lung --proba --output lung.csv
    """
    if output is not None:
        refuse_overwriting("predict", {"--output": [output]}, [model, data])
        check_frame_file("predict", output)
    net = opened_network("predict", model, memory)
    rows = opened_data(data, file, memory)
    rule: Any = unknown
    found = net.evaluate(rows, target, unknown=rule, n_jobs=jobs)
    if output is not None:
        write_frame("predict", found.to_frame(proba=proba, kind="polars"), output)
    facts = predict_facts(
        found, model, data, preparation=net.preparation, columns=column_names(rows), proba=proba, output=output
    )
    show("predict", facts, predict_page, as_json=as_json)
