"""The families of a given network as column indices of a table, ready to be scored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from qnml._jobs import resolve_jobs
from qnml.counts import MemoryCounts
from qnml.data.missing import refuse_incomplete
from qnml.errors import UnknownNameError, bad_argument, unknown_name
from qnml.graph import Dag
from qnml.model import Network
from qnml.model.prepared_table import as_prepared_table
from qnml.scores import BoundScore, local_scores

if TYPE_CHECKING:
    from collections.abc import Iterable

    from qnml.data import Table

__all__ = ["NetworkFamilies", "network_families"]


@dataclass(frozen=True)
class NetworkFamilies:
    """A table and the families of a network on its columns.

    Attributes
    ----------
    table : the data.
    dag : the structure of the network.
    counts : counts of the table.
    families : child and parents of each variable of the network, as column indices.
    n_jobs : threads.
    """

    table: Table
    dag: Dag
    counts: MemoryCounts
    families: tuple[tuple[int, tuple[int, ...]], ...]
    n_jobs: int

    def local_scores(self, bound: BoundScore, families: Iterable[tuple[int, tuple[int, ...]]]) -> list[float]:
        """Local scores of families, of this network or others on the same columns."""
        values = local_scores(
            self.counts,
            families,
            bound,
            n_variables=self.dag.n_nodes,
            n_jobs=self.n_jobs,
            names=self.table.names,
        )
        return [float(value) for value in values]


def network_families(call: str, data: Any, dag: Dag | Network | str, n_jobs: int | None) -> NetworkFamilies:
    """Check a network against a table and number its families.

    Parameters
    ----------
    call : the function that was called, for messages.
    data : a table, or anything `read_table` takes.
    dag : the network or its structure.
    n_jobs : threads.
    """
    table = as_prepared_table(call, dag, data)
    refuse_incomplete(call, table)
    structure = dag.dag if isinstance(dag, Network) else dag
    if isinstance(structure, str) and structure.lstrip().startswith("["):
        structure = Dag.from_modelstring(structure)
    if not isinstance(structure, Dag):
        raise bad_argument(
            call,
            "dag",
            dag,
            "a qnml.Dag, a model string or a qnml.Network",
            "Build one with Dag.from_arcs(names, arcs).",
        )
    lacking = [name for name in structure.names if name not in table.names]
    if lacking:
        nearest = str(unknown_name(call, "dag", lacking[0], table.names))
        raise UnknownNameError(
            f"{call}: the network names {len(lacking)} variable(s) the data lack: {', '.join(lacking[:5])}. {nearest}"
        )
    if isinstance(dag, Network):
        table = table.with_levels({name: dag.levels[name] for name in structure.names})
    families = tuple(
        (table.index(name), tuple(table.index(parent) for parent in structure.parents(name)))
        for name in structure.names
    )
    return NetworkFamilies(table, structure, MemoryCounts(table), families, resolve_jobs(call, n_jobs))
