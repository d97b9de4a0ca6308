"""`SearchResult`: a learned network, its score and its certificate."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from qnml._api.explanation import Explanation, FamilyExplanation, explain
from qnml._api.problem import CountedTable, admitted

if TYPE_CHECKING:
    from os import PathLike

    from qnml._api.joint_binning import JointBinning
    from qnml._api.structural_em_result import StructuralEm
    from qnml.data import Table
    from qnml.graph import Cpdag, Dag, Mpdag
    from qnml.model import Network
    from qnml.reports.notebook import Picture
    from qnml.scores import BoundScore
    from qnml.search import Certificate, Knowledge

__all__ = ["SearchResult"]


@dataclass(frozen=True, eq=False)
class SearchResult:
    """A learned structure with its certificate.

    Attributes
    ----------
    dag : the network found; of an exact search, a canonical one among the members of its equivalence class.
    score : the score of the data in nats, computed afresh from the table; where cells are missing, the maximised
        log-likelihood of the observed cells minus the penalty.
    score_name : the score and its parameter.
    certificate : what is proven about its `objective`; where cells are missing, for the completed rows of the last
        step.
    table : the data it was learned from; with ``discretize="joint"``, as they are binned now.
    knowledge : the background knowledge that was obeyed; None if there was none.
    prior : the prior over structures, ``"uniform"`` or ``"sparse"``.
    log_prior : that of the network, in nats; 0 under the uniform prior.
    binning : with ``discretize="joint"``, the bins and the code they shorten; None otherwise.
    structural_em : where cells are missing, how they were estimated and what is known about that; None otherwise.
    """

    dag: Dag
    score: float
    score_name: str
    certificate: Certificate
    table: Table
    bound_score: BoundScore
    knowledge: Knowledge | None = None
    prior: str = "uniform"
    log_prior: float = 0.0
    binning: JointBinning | None = None
    structural_em: StructuralEm | None = None

    @property
    def objective(self) -> float:
        """What the search maximises, and the certificate is about: `score` + `log_prior`."""
        return self.score + self.log_prior

    @cached_property
    def cpdag(self) -> Cpdag:
        """The equivalence class of the network: arcs that the data cannot direct are undirected."""
        return self.dag.to_cpdag()

    @cached_property
    def mpdag(self) -> Mpdag:
        """The members of the class that the background knowledge admits: undirected are the arcs that neither tells.

        Without knowledge it has the edges of `cpdag`. See :meth:`Knowledge.orient`. Where variables were set in some
        rows, it has only the members that those rows do not tell from the network: its interventional class.
        """
        return admitted(self.dag, self.knowledge, self.table.interventions)

    @cached_property
    def explanation(self) -> Explanation:
        """Fit and penalty per variable, and per arc what removing it would cost, in bits.

        Where cells are missing, on the completed rows.
        """
        if self.structural_em is not None:
            return self.structural_em.explanation
        name = self.bound_score.score.name
        return explain(self.table, self.dag, name, prior=self.prior, n_jobs=None, **self._parameters)

    @cached_property
    def copies(self) -> tuple[tuple[str, ...], ...]:
        """Groups of columns that tell the rows apart in the same way: no score knows which of them others depend on.

        In a search that is not exact the first of them by name is the parent, wherever one of them alone is, unless
        knowledge tells them apart. Exact searches have their own rule (see `learn`, `ties`).
        """
        counted = CountedTable(self.table.with_missing_level())
        return tuple(tuple(counted.names[column] for column in group) for group in counted.counts.copies)

    @property
    def overfull(self) -> tuple[FamilyExplanation, ...]:
        """Families with more cells than half the number of rows (see :class:`FamilyExplanation`)."""
        return self.explanation.overfull

    @property
    def _parameters(self) -> dict[str, float | str]:
        return self.bound_score.parameters

    def sentence(self) -> str:
        """The certificate in one sentence; what is known about bins and missing cells comes first."""
        parts = [] if self.binning is None else [self.binning.sentence()]
        if self.structural_em is not None:
            parts.append(self.structural_em.sentence())
        return " ".join([*parts, self.certificate_sentence()])

    def certificate_sentence(self) -> str:
        """The certificate in one sentence, with what it is conditional on."""
        given = []
        if self.structural_em is not None:
            given.append("For the completed rows")
        elif self.binning is not None:
            given.append("For these bins")
        if self.prior != "uniform":
            given.append(f"with the {self.prior} prior")
        if not given:
            return self.certificate.sentence()
        condition = " ".join(given)
        return f"{condition[0].upper()}{condition[1:]}: {self.certificate.sentence()}"

    def fit(self, parameters: str = "snml", **options: float) -> Network:
        """The network with parameters estimated from the same table, and with `mpdag`; see :func:`qnml.fit`."""
        from qnml.model import fit
        from qnml.model.fit import fit_from
        from qnml.model.parameters import chosen_rule

        # Only the options of rules pass: the table says how its missing cells are treated.
        chosen_rule("fit", parameters, options)
        if self.structural_em is not None:
            net = fit_from(self.table, self.dag, self.structural_em.completed, parameters, options)
        else:
            net = fit(self.table, self.dag, parameters=parameters, missing=None, n_jobs=None, **options)
        return net.with_mpdag(self.mpdag)

    def plot(self, path: str | PathLike[str] | None = None) -> Picture:
        """Draw the equivalence class, as far as the background knowledge admits it, arcs as thick as they are strong.

        Parameters
        ----------
        path : a file to save the picture to, ending in ``.svg``, ``.png``, ``.pdf`` or ``.dot``; ``.save(path)`` does
            the same.
        """
        # The one place where a result knows its looks: notebooks ask objects how they show themselves.
        from qnml.reports.notebook import Picture

        picture = Picture(self)
        if path is not None:
            picture.save(path)
        return picture

    def _repr_html_(self) -> str:
        return f"{self.plot()._repr_html_()}<p>{self.score_name} {self.score:.4f} nats. {self.sentence()}</p>"

    def __repr__(self) -> str:
        gap = f"gap {self.certificate.gap:.4g}" if self.certificate.is_bound_worth_reading else "not proven"
        proven = "optimal" if self.certificate.optimal else gap
        if self.structural_em is not None:
            proven += " for the completed rows"
        elif self.binning is not None:
            proven += " for these bins"
        return f"SearchResult({self.dag}, {self.score_name}={self.score:.4f}, {proven})"
