"""Estimating the parameters of a structure from data, and updating a network with more data."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from qnml._jobs import resolve_jobs
from qnml.counts import MemoryCounts
from qnml.data import Table
from qnml.data.interventions import HOLES_AND_INTERVENTIONS, refuse_interventions
from qnml.errors import DataError, InputError, TooLargeError, UnknownNameError, bad_argument, unknown_name
from qnml.graph import Dag
from qnml.model.em import fit_by_em
from qnml.model.matching import MISSING, match_columns
from qnml.model.network import Network
from qnml.model.parameters import RULES, Parameters, chosen_rule, probabilities
from qnml.model.prepared_table import as_prepared_table
from qnml.model.tables import MOST_ENTRIES, SparseTable, magnitude

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from qnml.data import Preparation
    from qnml.model.incomplete import Completed

__all__ = ["estimated_table", "fit", "fit_from", "update"]

_BYTES_PER_ENTRY = 16  # a probability and a count


def fit(
    data: Any,
    dag: Dag | Network,
    parameters: str = "snml",
    *,
    missing: Literal["em"] | None = None,
    n_jobs: int | None = None,
    **options: float,
) -> Network:
    """Estimate the parameters of a structure from data.

    Parameters
    ----------
    data
        A :class:`~qnml.Table`, or anything :func:`~qnml.read_table` accepts without options. Columns that are not in
        the structure are ignored. Rows in which a variable was set do not count for its table.
    dag
        The structure; its arcs are taken at their word (:meth:`SearchResult.fit <qnml.SearchResult.fit>` keeps the
        class that was learned). A :class:`~qnml.Network` keeps its `mpdag` and declares the levels of its variables,
        and raw rows are prepared as it remembers; its own probabilities are not used.
    parameters
        The rule, one of ``"snml"``, ``"bpp"``, ``"ml"``, ``"laplace"`` and ``"jeffreys"``; see
        :mod:`qnml.model.parameters`. Under every rule, a parent configuration that does not occur in the data gets
        equal probabilities.
    missing
        ``"em"`` reads `data` with this option of :func:`~qnml.read_table`, if they are no :class:`~qnml.Table`. For
        rows with missing cells, counts are those expected given the observed cells, under the parameters that maximise
        the likelihood of the observed cells: the EM algorithm finds these, at least a local maximum
        (:mod:`qnml.model.em`). A table with missing cells is always treated in this way, since only ``missing="em"`` or
        ``"indicator"`` leaves cells missing.
    n_jobs
        Number of threads for EM; all processors by default. The result does not depend on it.
    **options
        ``ess``, the equivalent sample size of ``"bpp"``; 1 by default.

    Returns
    -------
    Network
        With the declared levels of the table, observed or not, and with its preparation. From rows with missing cells
        it has no counts, so it cannot be updated with more rows, and its ``properties`` have a comment that says how EM
        ended.

    Warns
    -----
    EmWarning
        EM was stopped before it converged, after a thousand steps.

    Raises
    ------
    TooLargeError
        If the parent configurations in the data have more than 2**27 probabilities in all. The number of possible
        configurations does not matter: tables store only those that occur. Or if the missing cells of a row depend
        on each other too much for exact sums.

    Examples
    --------
    >>> from qnml.data import read_table
    >>> table = read_table({"rain": ["no", "no", "no", "yes"], "wet": ["no", "no", "no", "yes"]})
    >>> net = fit(table, Dag.from_arcs(["rain", "wet"], [("rain", "wet")]), "laplace")
    >>> net.table("wet").tolist()
    [[0.8, 0.2], [0.3333333333333333, 0.6666666666666666]]
    """
    rule, option = chosen_rule("fit", parameters, options)
    if missing is not None and not (isinstance(missing, str) and missing == "em"):
        advice = "read_table has missing='drop' and missing='category'."
        raise bad_argument("fit", "missing", missing, "'em', or None", advice)
    threads = resolve_jobs("fit", n_jobs)
    structure = dag.dag if isinstance(dag, Network) else dag
    if not isinstance(structure, Dag):
        advice = "A Cpdag represents several; its consistent_extension() is one of them."
        raise bad_argument("fit", "dag", dag, "a qnml.Dag or a qnml.Network", advice)
    table = as_prepared_table("fit", dag, data, missing)
    for name in structure.names:
        if name not in table.names:
            known = unknown_name("fit", "dag", name, table.names)
            raise UnknownNameError(f"{known} The structure has a variable that the data lack.")
    if isinstance(dag, Network):
        table = table.with_levels({name: dag.levels[name] for name in structure.names})
    table = table.select(structure.names)
    made = Parameters(rule.name, {rule.option: option} if rule.option else {})
    if table.n_missing:
        refuse_interventions("fit", table, HOLES_AND_INTERVENTIONS)
        return _with_class_of(dag, fit_by_em(table, structure, made, threads, _preparation(dag, table)))
    counts = MemoryCounts(table)
    families = [[structure.index(parent) for parent in structure.parents(name)] for name in structure.names]
    _refuse_too_large(structure, counts, families, table.n_rows)
    tables = {
        name: estimated_table(*counts.family_counts(child, family), [counts.arities[i] for i in family], made)
        for child, (name, family) in enumerate(zip(structure.names, families, strict=True))
    }
    preparation = _preparation(dag, table)
    fitted = Network(structure, table.levels.as_dict(), tables, parameters=made, preparation=preparation)
    return _with_class_of(dag, fitted._in_frames(table.frame_kind))


def fit_from(table: Table, dag: Dag, completed: Completed, parameters: str, options: Mapping[str, float]) -> Network:
    """Estimate the parameters from rows with missing cells by EM that begins with completed rows; see :func:`fit`.

    Parameters
    ----------
    table
        The table, which has the columns of the structure.
    dag
        The structure.
    completed
        Completions of the rows, as structural EM leaves them.
    parameters, options
        The rule and its option, as for :func:`fit`.
    """
    rule, option = chosen_rule("fit", parameters, options)
    made = Parameters(rule.name, {rule.option: option} if rule.option else {})
    return fit_by_em(table.select(dag.names), dag, made, resolve_jobs("fit", None), table.preparation, completed)


def _with_class_of(dag: Dag | Network, net: Network) -> Network:
    return net.with_mpdag(dag.mpdag) if isinstance(dag, Network) else net


def _preparation(dag: Dag | Network, table: Table) -> Preparation | None:
    remembered = dag.preparation if isinstance(dag, Network) else None
    return table.preparation if remembered is None else remembered


def estimated_table(
    configs: NDArray[np.int32], counts: NDArray[np.int64], parent_levels: Sequence[int], parameters: Parameters
) -> SparseTable:
    """Apply a rule to the counts of one variable.

    Parameters
    ----------
    configs
        The parent configurations that occur in the data, k × parents codes.
    counts
        How often each level occurs with each configuration, k × levels.
    parent_levels
        The number of levels of each parent.
    parameters
        The rule.
    """
    levels = counts.shape[1]
    cells = levels * math.prod(parent_levels)
    rule, option = RULES[parameters.rule], parameters.value
    # Doubles represent every count below 2^53 exactly.
    rows = probabilities(counts.astype(np.float64), rule, option, cells)
    unseen = probabilities(np.zeros(levels), rule, option, cells)
    return SparseTable(configs, rows, unseen, counts)


def update(net: Network, data: Any) -> Network:
    """Add the counts of more rows; see :meth:`Network.update`."""
    call = "Network.update"
    if net.parameters is None:
        raise InputError(
            f"{call}(data): fit did not estimate this network, or did so from rows with missing cells, so it has no "
            "counts to add to. fit(data, net) estimates its probabilities from data alone."
        )
    matched = match_columns(net, data, call, unknown="raise", way_out="fit all rows anew")
    columns: dict[str, NDArray[np.int64]] = {}
    for name, codes in zip(net.names, matched.columns, strict=True):
        if codes is None:
            raise DataError(f"{call}(data): there is no column {name!r}. Every variable of the network needs one.")
        holes = int(np.count_nonzero(codes == MISSING))
        if holes:
            raise DataError(f"{call}(data): column {name!r} has missing cells ({holes}). Leave out their rows.")
        columns[name] = codes.astype(np.int64)
    weights = np.ones(matched.n_rows, dtype=np.uint64) if matched.weights is None else matched.weights
    settings = data.interventions if isinstance(data, Table) else None
    tables = {}
    for name in net.names:
        parents = net.dag.parents(name)
        arities = [len(net.levels[member]) for member in (*parents, name)]
        old = net.conditional(name)
        assert isinstance(old, SparseTable)
        assert old.counts is not None
        # Turn the earlier counts back into weighted rows, so that old and new data are counted in the same way.
        place, level = np.nonzero(old.counts)
        before = [*old.configs[place].T, level]
        # Rows in which the variable was set do not count.
        counted = slice(None) if settings is None else ~settings.mask(name)
        after = [columns[member][counted] for member in (*parents, name)]
        rows = Table.from_codes(
            [np.concatenate(parts) for parts in zip(before, after, strict=True)],
            levels=arities,
            weights=np.concatenate([old.counts[place, level].astype(np.uint64), weights[counted]]),
        )
        configs, counts = MemoryCounts(rows).family_counts(len(parents), range(len(parents)))
        tables[name] = estimated_table(configs, counts, arities[:-1], net.parameters)
    made = Network(net.dag, net.levels, tables, net.properties, net.parameters, net.preparation, net.mpdag)
    return made._in_frames(net._frame_kind)


def _refuse_too_large(dag: Dag, counts: MemoryCounts, families: Sequence[Sequence[int]], n_rows: int) -> None:
    # There are at most as many observed configurations as rows; they are counted only if this bound does not settle it.
    sizes = [
        min(math.prod(counts.arities[i] for i in family), n_rows) * counts.arities[child]
        for child, family in enumerate(families)
    ]
    if sum(sizes) <= MOST_ENTRIES:
        return
    sizes = [counts.n_configurations(family) * counts.arities[child] for child, family in enumerate(families)]
    entries = sum(sizes)
    if entries > MOST_ENTRIES:
        largest = dag.names[sizes.index(max(sizes))]
        raise TooLargeError(
            f"fit(dag): the configurations seen have {magnitude(entries)} probabilities "
            f"({magnitude(entries * _BYTES_PER_ENTRY)} bytes with their counts), more than the {MOST_ENTRIES} allowed; "
            f"those of {largest!r} with its {len(dag.parents(largest))} parents alone {magnitude(max(sizes))}. "
            "Give it fewer parents (max_parents=, guard='cap' when learning) or merge levels."
        )
