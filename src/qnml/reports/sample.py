"""``qnml sample``: rows drawn from a network.

sample
    network {source, variables, arcs}; evidence and do {name: label}; raw {name: value as given, where it is no label};
    rows; seed; output (the file, or null); columns
    {name: [labels]}, null if written to a file; notes [sentences].
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.reports.fact_parts import condition_facts
from qnml.reports.parts import condition_lines, count, line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType

    from qnml.data import Table
    from qnml.model import Network
    from qnml.reports.fact_parts import Facts

__all__ = ["sample_facts", "sample_page"]


def sample_facts(
    net: Network,
    source: str,
    evidence: Mapping[str, str],
    do: Mapping[str, str],
    table: Table,
    *,
    seed: int,
    output: str | None,
    notes: Sequence[str],
) -> Facts:
    """The rows that were drawn and the file they are in.

    Parameters
    ----------
    net
        The network.
    source
        Where the network came from.
    evidence
        Observed labels.
    do
        Labels set by intervention.
    table
        The rows.
    seed
        The seed.
    output
        The file that has the rows, which are then left out here.
    notes
        Remarks for readers of the file.
    """
    return {
        **condition_facts(net, source, evidence, do),
        "rows": table.n_rows,
        "seed": seed,
        "output": output,
        "columns": None if output is not None else {name: table.labels(name).tolist() for name in table.names},
        "notes": list(notes),
    }


def sample_page(facts: Facts) -> list[RenderableType]:
    """The network, the conditions, and the file."""
    written = f"{count(facts['rows'], 'row')} written to {facts['output']}; seed {facts['seed']}."
    return [*condition_lines(facts), line(written), *map(line, facts["notes"])]
