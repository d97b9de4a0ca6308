"""The Bayesian network: a DAG and one conditional probability table per variable."""

from __future__ import annotations

import copy
import math
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from qnml._checks import checked_mapping, checked_number, checked_whole_number, names_a_picture
from qnml.data.labels import distinct_labels
from qnml.errors import InputError, bad_argument, shown, unknown_name
from qnml.graph import Dag
from qnml.model.checks import (
    ROW_SUM_TOLERANCE,
    check_names,
    checked_annotations,
    checked_mpdag,
    checked_preparation,
    checked_table,
)
from qnml.model.labelled_table import LabelledTable
from qnml.model.parameters import Parameters
from qnml.model.question_methods import QuestionMethods
from qnml.model.row_methods import RowMethods
from qnml.model.tables import Conditional, refuse_large_array, same_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike

    from qnml import _core
    from qnml._types import FloatArray, Label
    from qnml.data import Preparation, Table
    from qnml.graph import Mpdag
    from qnml.model.inference import Distribution, Marginals
    from qnml.model.inference.engine import Engine
    from qnml.model.inference.given import EvidenceOf, LikelihoodOf
    from qnml.model.inference.identification import OnUnidentified
    from qnml.model.prediction import Impossible
    from qnml.reports.notebook import Picture

__all__ = ["ROW_SUM_TOLERANCE", "Network"]

# What `print` shows of a network.
_MOST_PRINTED = 40
_MOST_LEVELS = 8


class Network(QuestionMethods, RowMethods):
    """A Bayesian network: a structure with conditional probabilities. Immutable.

    Parameters
    ----------
    dag
        The structure.
    levels
        The labels of every variable (text, integers or booleans, distinct also as text), in the order of the codes.
    tables
        For every variable an array of shape (levels of its parents in the order of
        ``dag.parents(name)``..., levels of the variable), or a :class:`~qnml.model.SparseTable`. Entries are
        non-negative and every distribution sums to one within 1e-6. Distributions whose sum is not one in double
        precision are divided by it; the others are kept to the last bit.
    properties
        Annotations read from and written to files, never interpreted. Files use the keys ``name`` (text),
        ``comments`` and ``network`` (lists of text), ``variables`` and ``probabilities`` (lists of text by
        variable).
    parameters
        How the probabilities were estimated, if every table is sparse and has its counts; None otherwise.
    preparation
        What was done to the columns of the data, to be done to raw rows and raw evidence as well; see :meth:`prepare`.
        Entries for columns that are neither variables nor left out are dropped.
    mpdag
        The networks that data and background knowledge cannot tell from this one, as an `Mpdag` with `dag` as a member;
        None to take the arcs at their word. :meth:`fit <qnml.SearchResult.fit>` of a search result gives it.

    Examples
    --------
    >>> from qnml.graph import Dag
    >>> net = Network(
    ...     Dag.from_arcs(["rain", "wet"], [("rain", "wet")]),
    ...     {"rain": ["no", "yes"], "wet": ["no", "yes"]},
    ...     {"rain": [0.8, 0.2], "wet": [[0.9, 0.1], [0.05, 0.95]]},
    ... )
    >>> net
    Network(2 variables, 1 arc, 3 parameters)
    >>> len(net.sample(100, seed=1))
    100
    """

    __slots__ = (
        "_compiled",
        "_dag",
        "_engine",
        "_frame_kind",
        "_levels",
        "_mpdag",
        "_parameters",
        "_preparation",
        "_properties",
        "_tables",
    )

    def __init__(
        self,
        dag: Dag,
        levels: Mapping[str, Sequence[Label]],
        tables: Mapping[str, ArrayLike | Conditional],
        properties: Mapping[str, Any] | None = None,
        parameters: Parameters | None = None,
        preparation: Preparation | None = None,
        mpdag: Mpdag | None = None,
    ) -> None:
        if not isinstance(dag, Dag):
            raise bad_argument("Network", "dag", dag, "a qnml.Dag")
        if not dag.names:
            raise bad_argument("Network", "dag", dag, "a graph with at least one variable")
        check_names("levels", levels, dag.names)
        check_names("tables", tables, dag.names)
        self._frame_kind: str | None = None
        self._dag = dag
        self._levels = {name: distinct_labels("Network", name, levels[name]) for name in dag.names}
        self._tables = {name: checked_table(dag, self._levels, name, tables[name]) for name in dag.names}
        self._properties = checked_annotations(properties)
        if parameters is not None:
            if not isinstance(parameters, Parameters):
                raise bad_argument("Network", "parameters", parameters, "qnml.model.Parameters, or None")
            bare = next((name for name, table in self._tables.items() if table.counts is None), None)
            if bare is not None:
                raise InputError(f"Network(parameters): the table of {bare!r} has no counts; leave parameters out.")
        self._parameters = parameters
        self._preparation = checked_preparation(preparation, self._levels)
        self._mpdag = checked_mpdag(mpdag, dag)
        self._compiled: _core.Conditionals | None = None
        self._engine: Engine | None = None

    @property
    def dag(self) -> Dag:
        """The structure."""
        return self._dag

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in the order of the graph."""
        return self._dag.names

    @property
    def levels(self) -> Mapping[str, tuple[Label, ...]]:
        """The labels of every variable, in the order of the codes."""
        return MappingProxyType(self._levels)

    @property
    def properties(self) -> dict[str, Any]:
        """A copy of the annotations of the network."""
        return copy.deepcopy(self._properties)

    @property
    def parameters(self) -> Parameters | None:
        """The rule and options by which the probabilities were estimated; None if they were given."""
        return self._parameters

    @property
    def preparation(self) -> Preparation | None:
        """What was done to the columns of the data, and is done to raw rows and raw evidence; None if nothing."""
        return self._preparation

    @property
    def mpdag(self) -> Mpdag | None:
        """The networks that data and background knowledge cannot tell from this one; None if its arcs are meant.

        A network that was learned carries it, also through qnml's own files. One that was built by hand or read from
        another file has none: its arcs are taken at their word.
        """
        return self._mpdag

    def with_mpdag(self, mpdag: Mpdag | None) -> Network:
        """The same network, as a member of other equivalent ones, or with None of no other.

        Parameters
        ----------
        mpdag
            For example ``net.mpdag.orient([("smoke", "lung")])`` if a direction became known; its members must include
            the structure of this network.
        """
        parts = (self._dag, self._levels, self._tables, self._properties, self._parameters, self._preparation)
        return Network(*parts, mpdag=mpdag)._in_frames(self._frame_kind)

    def _in_frames(self, kind: str | None) -> Network:
        """The same network, for answers in frames of some kind by default."""
        self._frame_kind = kind
        return self

    @property
    def n_parameters(self) -> int:
        """Number of free parameters: (levels − 1) × parent configurations, observed or not, summed over variables."""
        return sum(math.prod(self._parent_levels(name)) * (table.n_levels - 1) for name, table in self._tables.items())

    def table(self, name: str) -> LabelledTable:
        """Conditional probabilities of a variable as one array: parents in graph order, then the variable itself.

        It prints with names and levels; ``to_frame()`` makes a frame of it.

        Raises
        ------
        TooLargeError
            If the array would have more than 2**27 entries; :meth:`conditional` has no limit.
        """
        found = self._known("table", name)
        shape = self._parent_levels(name)
        refuse_large_array("Network.table", name, (*shape, found.n_levels))
        family = (*self._dag.parents(name), name)
        return LabelledTable(found.array(shape), {member: self._levels[member] for member in family}, self._frame_kind)

    def conditional(self, name: str) -> Conditional:
        """The table of a variable as stored: a `SparseTable` in estimated networks, a `DenseTable` in others."""
        return self._known("conditional", name)

    def factor(self, name: str, fixed: Mapping[str, int]) -> tuple[tuple[str, ...], FloatArray]:
        """The conditional table of a variable, sliced at the values of some variables.

        Parameters
        ----------
        name
            The variable.
        fixed
            Codes by name. Names other than the variable and its parents have no effect.

        Returns
        -------
        names, values
            The remaining variables, parents in graph order and the variable itself last, and an array with one axis
            for each.
        """
        found = self._known("factor", name)
        fixed = checked_mapping("Network.factor", "fixed", fixed, "codes by name")
        family = (*self._dag.parents(name), name)
        levels = [len(self._levels[member]) for member in family]
        codes: dict[int, int] = {}
        for axis, member in enumerate(family):
            if member in fixed:
                argument = f"fixed[{shown(member)}]"
                codes[axis] = checked_whole_number("Network.factor", argument, fixed[member], 0, levels[axis] - 1)
        free = [axis for axis in range(len(family)) if axis not in codes]
        refuse_large_array("Network.factor", name, [levels[axis] for axis in free])
        return tuple(family[axis] for axis in free), found.sliced(levels[:-1], codes)

    def sample(
        self,
        n: int,
        seed: int | None = None,
        *,
        evidence: Mapping[str, Label] | None = None,
        do: Mapping[str, Label] | None = None,
        on_unidentified: OnUnidentified = "warn",
        n_jobs: int | None = None,
        memory_limit: float | None = None,
    ) -> Table:
        """Draw independent rows, parents before children.

        Parameters
        ----------
        n
            Number of rows, at least 1.
        seed
            An integer from 0 to 2**64 - 1. The same seed gives the same rows on any number of threads, and a larger
            sample begins with the rows of a smaller one. By default the seed is random.
        evidence
            Observed labels or raw values by variable: rows are drawn exactly from the distribution given these.
        do
            Labels to which an intervention sets some variables; see :meth:`do`.
        on_unidentified
            As for :meth:`query`.
        n_jobs
            Number of threads; all processors by default.
        memory_limit
            As for :meth:`query`; only evidence needs memory.

        Returns
        -------
        Table
            With the variables and the declared levels of the network, drawn or not.
        """
        from qnml.model.inference import require_identified
        from qnml.model.sampling import draw_table

        require_identified("Network.sample", self, None, (None, None, do), on_unidentified)
        return draw_table(self, n, seed, n_jobs, evidence, do, memory_limit)

    def query(
        self,
        targets: str | Iterable[str],
        evidence: EvidenceOf = None,
        do: Mapping[str, Label] | None = None,
        *,
        likelihood: LikelihoodOf = None,
        impossible: Impossible = "raise",
        on_unidentified: OnUnidentified = "warn",
        memory_limit: float | None = None,
    ) -> Distribution:
        """The exact distribution of some variables.

        Parameters
        ----------
        targets
            One variable, or several for their joint distribution.
        evidence
            Observed labels by variable; also raw values, such as the number behind a bin, if the network has a
            preparation (:meth:`level_of`). A list of labels says that one of them was observed, and
            :class:`~qnml.AnyBut` that none of some was.
        do
            Labels, or raw values, to which an intervention sets some variables; see :meth:`do`.
        likelihood
            Uncertain evidence: by variable the probability of what was observed under each of its levels, as of the
            result of a test. Only the ratios matter to the answer. ``{"ill": {"yes": 0.8, "no": 0.2}}`` says that what
            was observed is four times as probable if ``ill`` is ``yes``; it does not say that P(ill = yes) is 0.8.
        impossible
            How to treat evidence of probability zero: ``"raise"``, or ``"nan"`` for a distribution of NaN.
        on_unidentified
            What to do if the answer under `do` depends on the direction of arcs that neither data nor knowledge tell
            (see :attr:`mpdag` and :meth:`effect`): ``"warn"``, with its range over the members of the class,
            ``"raise"`` or ``"ignore"``. Evidence counts as if it had been seen after the intervention.
        memory_limit
            In bytes; a query that would need more is refused before it starts. Nine tenths of the free memory by
            default.

        Raises
        ------
        TooLargeError
            If the query would need too much memory or time; the message states the induced width.
        UnidentifiedEffectError
            With ``on_unidentified="raise"``.

        Warns
        -----
        UnidentifiedEffectWarning
            With ``on_unidentified="warn"``.
        """
        from qnml.model.inference import query, require_identified

        require_identified("Network.query", self, targets, (evidence, likelihood, do), on_unidentified, memory_limit)
        found = query(
            self, targets, evidence, do, likelihood=likelihood, impossible=impossible, memory_limit=memory_limit
        )
        return found._in_frames(self._frame_kind)

    def marginals(
        self,
        evidence: EvidenceOf = None,
        do: Mapping[str, Label] | None = None,
        *,
        targets: str | Iterable[str] | None = None,
        likelihood: LikelihoodOf = None,
        impossible: Impossible = "raise",
        on_unidentified: OnUnidentified = "warn",
        memory_limit: float | None = None,
    ) -> Marginals:
        """The distribution of every variable given the evidence, all at once.

        Parameters
        ----------
        evidence, do
            As for :meth:`query`.
        targets
            The variables; all by default.
        likelihood, impossible, on_unidentified, memory_limit
            As for :meth:`query`. If the tables of a junction tree would not fit into the memory, each variable is
            queried in turn.

        Raises
        ------
        TooLargeError
            If that would need too much memory or time, too; the message states the induced width.

        Examples
        --------
        >>> from qnml.datasets import load_network
        >>> found = load_network("asia").marginals({"xray": "yes"}, targets=["lung", "tub"])
        >>> {name: round(found[name]["yes"], 4) for name in found}
        {'lung': 0.4887, 'tub': 0.0924}
        """
        from qnml.model.inference import marginals, require_identified

        require_identified("Network.marginals", self, targets, (evidence, likelihood, do), on_unidentified)
        found = marginals(
            self,
            evidence,
            do,
            likelihood=likelihood,
            targets=targets,
            impossible=impossible,
            memory_limit=memory_limit,
        )
        return found._in_frames(self._frame_kind)

    def plot(self, strengths: Any = None, *, tables: bool = False) -> Picture:
        """Draw the network, to show in a notebook or to save with ``.save(path)``.

        Parameters
        ----------
        strengths
            How thick to draw the arcs: bits by pair of names, or an `Explanation`. If a file name is given instead, the
            picture is saved there: ``plot("net.svg")``.
        tables
            Whether to show the probability tables below the picture, folded away.
        """
        # The only place where a network knows how it is drawn: notebooks ask objects to show themselves.
        from qnml.reports.notebook import Picture

        if names_a_picture(strengths):
            picture = Picture(self, tables=tables)
            picture.save(strengths)
            return picture
        return Picture(self, strengths, tables=tables)

    def _repr_html_(self) -> str:
        shown = self.plot(tables=True)._repr_html_()
        done = self._preparation
        if done is None:
            return shown
        return f"{shown}<details><summary>{escape(repr(done))}</summary>{done._repr_html_()}</details>"

    def _repr_svg_(self) -> str:
        return self.plot().svg

    def to_networkx(self) -> Any:
        """The graph as a ``networkx.DiGraph``; see `qnml.model.to_networkx`."""
        from qnml.model.hand_over import to_networkx

        return to_networkx(self)

    def to_pgmpy(self) -> Any:
        """The network as a pgmpy model; see `qnml.model.to_pgmpy`."""
        from qnml.model.hand_over import to_pgmpy

        return to_pgmpy(self)

    def to_pyagrum(self) -> Any:
        """The network as a pyAgrum ``BayesNet``; see `qnml.model.to_pyagrum`."""
        from qnml.model.hand_over import to_pyagrum

        return to_pyagrum(self)

    def allclose(self, other: Network, tolerance: float = 1e-9) -> bool:
        """Whether structure and levels are equal and probabilities differ by at most `tolerance`."""
        if not isinstance(other, Network):
            raise bad_argument("Network.allclose", "other", other, "a qnml.Network")
        allowed = "a number of at least 0"
        tolerance = checked_number("Network.allclose", "tolerance", tolerance, allowed, lowest=0.0)
        return self._same_frame(other) and all(
            same_rows(table, other._tables[name], self._parent_levels(name), tolerance)
            for name, table in self._tables.items()
        )

    def __eq__(self, other: object) -> bool:
        """Equal structure, levels and probabilities, to the last bit.

        Counts, annotations and the preparation are not compared.
        """
        if not isinstance(other, Network):
            return NotImplemented
        return self.allclose(other, 0.0)

    def __hash__(self) -> int:
        return hash((self.names, tuple(self._levels.values()), self._dag.arcs))

    def __reduce__(self) -> tuple[type[Network], tuple[Any, ...]]:
        # Through the constructor, which makes the arrays read-only again.
        given = (self._dag, self._levels, self._tables, self._properties)
        return Network, (*given, self._parameters, self._preparation, self._mpdag)

    def __repr__(self) -> str:
        counts = ((len(self.names), "variable"), (len(self._dag.arcs), "arc"), (self.n_parameters, "parameter"))
        return f"Network({', '.join(f'{count} {word}' + 's' * (count != 1) for count, word in counts)})"

    def __str__(self) -> str:
        lines = [repr(self)]
        for name in self.names[:_MOST_PRINTED]:
            levels = [str(label) for label in self._levels[name]]
            shown = ", ".join(levels[:_MOST_LEVELS]) + f" and {len(levels) - _MOST_LEVELS} more" * (
                len(levels) > _MOST_LEVELS
            )
            parents = self._dag.parents(name)
            lines.append(f"  {name}: {shown}" + (f" | {', '.join(parents)}" if parents else ""))
        if len(self.names) > _MOST_PRINTED:
            lines.append(f"  … {len(self.names) - _MOST_PRINTED} more variables")
        return "\n".join(lines)

    def _same_frame(self, other: Network) -> bool:
        return self.names == other.names and self._dag.arcs == other._dag.arcs and self._levels == other._levels

    def _parent_levels(self, name: str) -> tuple[int, ...]:
        return tuple(len(self._levels[parent]) for parent in self._dag.parents(name))

    def _known(self, method: str, name: str) -> Conditional:
        if not isinstance(name, str) or name not in self._tables:
            raise unknown_name(f"Network.{method}", "name", name, self.names)
        return self._tables[name]
