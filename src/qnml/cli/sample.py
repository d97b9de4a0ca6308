"""``qnml sample``: rows drawn from a network."""

import secrets
from typing import Annotated, Any

import typer

import qnml
from qnml.cli.directions import OnUnidentified, told_of_directions
from qnml.cli.failures import tell
from qnml.cli.frame_files import check_frame_file, write_frame
from qnml.cli.network_source import ModelSource, opened_network
from qnml.cli.options import AsJson, Jobs, MemoryLimit, in_bytes
from qnml.cli.parse_evidence import parsed_settings
from qnml.cli.result_files import refuse_overwriting
from qnml.cli.show import show
from qnml.data import MISSING_WORDS
from qnml.reports import sample_facts, sample_page

__all__ = ["sample"]


def sample(
    network: ModelSource,
    n: Annotated[int, typer.Argument(metavar="N", help="Number of rows.")],
    output: Annotated[
        str | None,
        typer.Option(
            "--output", metavar="FILE", help="The .csv or .parquet file to write; standard output, as CSV, by default."
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="S", help="The same seed gives the same rows; random by default."),
    ] = None,
    evidence: Annotated[
        list[str] | None,
        typer.Option("--evidence", metavar="NAME=LABEL", help="Condition on these labels, separated by commas."),
    ] = None,
    do: Annotated[
        list[str] | None,
        typer.Option("--do", metavar="NAME=LABEL", help="Interventions, separated by commas."),
    ] = None,
    on_unidentified: OnUnidentified = "warn",
    memory: MemoryLimit = None,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Draw rows from a network.

    With --evidence, rows are drawn from the exact conditional distribution, without rejection. A random seed is told on
    standard error if the rows go to standard output.

    \b
    Examples:
      qnml sample asia 1000 --seed 1 > asia.csv
      qnml sample asia.bif 1000 --evidence dysp=yes --output ill.parquet
    """
    if output is not None:
        refuse_overwriting("sample", {"--output": [output]}, [network])
        check_frame_file("sample", output)
    limit = in_bytes(memory)
    net = opened_network("sample", network, memory)
    seen = parsed_settings(net, "--evidence", evidence or [])
    forced = parsed_settings(net, "--do", do or [])
    # Short enough to be typed again.
    start = secrets.randbits(32) if seed is None else seed
    given: Any = {"evidence": seen, "do": forced, "on_unidentified": on_unidentified}
    with told_of_directions() as told:
        table = net.sample(n, start, **given, n_jobs=jobs, memory_limit=limit)
    notes = [*_notes(table, output), *told]
    if output is None and not as_json:
        _print_rows(table, start if seed is None else None, notes)
        return
    if output is not None:
        write_frame("sample", table.to_frame(kind="polars"), output)
    facts = sample_facts(net, network, seen, forced, table, seed=start, output=output, notes=notes)
    show("sample", facts, sample_page, as_json=as_json)


def _print_rows(table: qnml.Table, seed: int | None, notes: list[str]) -> None:
    print(table.to_frame(kind="polars").write_csv(), end="", flush=True)
    if seed is not None:
        tell(f"--seed {seed} gives the same rows.")
    for note in notes:
        tell(note)


def _notes(table: qnml.Table, output: str | None) -> list[str]:
    """Return remarks for readers of the file."""
    if output is not None and not output.lower().endswith(".csv"):
        return []
    lost = [name for name, labels in zip(table.names, table.levels, strict=True) if set(labels) & set(MISSING_WORDS)]
    if not lost:
        return []
    return [f"In a CSV file some labels of {', '.join(lost)} read as missing cells; a .parquet file keeps them."]
