"""The methods of a network that answer questions, besides `query` and `marginals`; `Network` inherits them."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from qnml._types import Label
    from qnml.model.inference import CausalEffect, Marginals
    from qnml.model.inference.given import EvidenceOf, LikelihoodOf
    from qnml.model.inference.identification import OnUnidentified
    from qnml.model.inference.information import Informative
    from qnml.model.inference.sensitivity import Sensitivity
    from qnml.model.network import Network
    from qnml.model.sampled_marginals import SampledMarginals

__all__ = ["QuestionMethods"]


class QuestionMethods:
    """Evidence, interventions and effects, explanations, information and sensitivity."""

    __slots__ = ()

    def log_evidence(
        self,
        evidence: EvidenceOf = None,
        do: Mapping[str, Label] | None = None,
        *,
        likelihood: LikelihoodOf = None,
        on_unidentified: OnUnidentified = "warn",
        memory_limit: float | None = None,
    ) -> float:
        """The log-probability of evidence; arguments are those of :meth:`query`.

        A likelihood counts as it is given: as the probability of an observation.
        """
        from qnml.model.inference import log_evidence, require_identified

        net = cast("Network", self)
        given = (evidence, likelihood, do)
        require_identified("Network.log_evidence", net, (), given, on_unidentified, memory_limit)
        return log_evidence(net, evidence, do, likelihood=likelihood, memory_limit=memory_limit)

    def do(self, settings: Mapping[str, Label], *, on_unidentified: OnUnidentified = "warn") -> Network:
        """The network under an intervention: the given variables keep their label whatever their parents are.

        Parameters
        ----------
        settings
            Labels by name. The arcs into these variables are removed.
        on_unidentified
            As for :meth:`query`, if what follows for any variable depends on arbitrary directions. The result has no
            `mpdag`.
        """
        from qnml.model.inference import intervened, require_identified

        net = cast("Network", self)
        require_identified("Network.do", net, None, (None, None, settings), on_unidentified)
        return intervened(net, settings)

    def effect(self, cause: str, target: str, *, memory_limit: float | None = None) -> CausalEffect:
        """The distribution of a variable if another is set to each of its labels, in all members of the class.

        Members of :attr:`mpdag` have the same probabilities but may have other effects. The effect is one value where
        it is identified; otherwise the result has its range, and each value with the share of the members that have it.
        A network without `mpdag` is its only member. Only the sets of parents that the cause can have are looked at,
        so a hundred variables are no obstacle; :doc:`causal-effects` has the method.

        Parameters
        ----------
        cause, target
            Names of two variables.
        memory_limit
            As for :meth:`query`.

        Examples
        --------
        >>> import qnml
        >>> net = qnml.learn(qnml.datasets.sample("asia", 1000, seed=1)).fit()
        >>> net.effect("smoke", "lung")
        CausalEffect(smoke on lung: 3 variants)
        """
        from qnml.model.inference import effect

        return effect(cast("Network", self), cause, target, memory_limit=memory_limit)

    def class_marginals(
        self,
        evidence: EvidenceOf = None,
        do: Mapping[str, Label] | None = None,
        *,
        memory_limit: float | None = None,
    ) -> list[Marginals]:
        """All marginals under an intervention, in every member of the class; the smallest and largest are the range.

        Members of :attr:`mpdag` differ by the parents of the variables in `do` alone, so the list has one entry for
        each choice of these parents, that of this network first. It has a single one if the parents are known, without
        an intervention, and for a network whose arcs are taken at their word.

        Parameters
        ----------
        evidence, do, memory_limit
            As for :meth:`query`.

        Raises
        ------
        TooLargeError
            If there are more than 64 choices, or as for :meth:`marginals`.
        UnidentifiedEffectError
            If the effect is not defined in a member: labels are set that never occur with some parents.

        Examples
        --------
        >>> import qnml
        >>> net = qnml.learn(qnml.datasets.sample("asia", 1000, seed=1)).fit()
        >>> [round(one["lung"]["yes"], 3) for one in net.class_marginals(do={"smoke": "yes"})]
        [0.048, 0.087, 0.087]
        """
        from qnml.model.inference import class_marginals

        return class_marginals(cast("Network", self), evidence, do, memory_limit=memory_limit)

    def most_probable(
        self,
        evidence: EvidenceOf = None,
        do: Mapping[str, Label] | None = None,
        *,
        targets: str | Iterable[str] | None = None,
        likelihood: LikelihoodOf = None,
        on_unidentified: OnUnidentified = "warn",
        memory_limit: float | None = None,
    ) -> tuple[dict[str, Label], float]:
        """The most probable levels of all variables together, and their log-probability together with the evidence.

        Parameters
        ----------
        evidence, do
            As for :meth:`query`.
        targets
            The variables to explain; all by default. The others are summed out, so that the answer may differ from
            the most probable row. This needs more memory.
        likelihood, on_unidentified, memory_limit
            As for :meth:`query`.
        """
        from qnml.model.inference import most_probable, require_identified

        net = cast("Network", self)
        require_identified("Network.most_probable", net, targets, (evidence, likelihood, do), on_unidentified)
        return most_probable(net, evidence, do, targets=targets, likelihood=likelihood, memory_limit=memory_limit)

    def k_most_probable(
        self,
        k: int,
        evidence: EvidenceOf = None,
        do: Mapping[str, Label] | None = None,
        *,
        targets: str | Iterable[str] | None = None,
        likelihood: LikelihoodOf = None,
        on_unidentified: OnUnidentified = "warn",
        memory_limit: float | None = None,
    ) -> list[tuple[dict[str, Label], float]]:
        """The k most probable explanations, each as :meth:`most_probable` returns it, best first.

        Parameters
        ----------
        k
            How many, from 1 to a million; fewer are returned if no more are possible.
        evidence, do
            As for :meth:`query`.
        targets, likelihood, on_unidentified, memory_limit
            As for :meth:`most_probable`.

        Examples
        --------
        >>> from qnml.datasets import load_network
        >>> found = load_network("asia").k_most_probable(2, {"dysp": "yes"}, targets=["lung", "bronc"])
        >>> [labels for labels, _ in found]
        [{'lung': 'no', 'bronc': 'yes'}, {'lung': 'no', 'bronc': 'no'}]
        """
        from qnml.model.inference import k_most_probable, require_identified

        net = cast("Network", self)
        require_identified("Network.k_most_probable", net, targets, (evidence, likelihood, do), on_unidentified)
        return k_most_probable(net, k, evidence, do, targets=targets, likelihood=likelihood, memory_limit=memory_limit)

    def sampled_marginals(
        self,
        evidence: EvidenceOf = None,
        do: Mapping[str, Label] | None = None,
        *,
        targets: str | Iterable[str] | None = None,
        likelihood: LikelihoodOf = None,
        samples: int = 100_000,
        seed: int | None = None,
        on_unidentified: OnUnidentified = "warn",
        n_jobs: int | None = None,
    ) -> SampledMarginals:
        """Estimates of :meth:`marginals` with standard errors, for networks in which exact answers do not fit.

        Rows are drawn with the evidence held fixed and weighed by its probability. The rarer the evidence, the fewer
        rows carry the weight; ``effective_samples`` says how many.

        Parameters
        ----------
        evidence, do
            As for :meth:`query`.
        targets
            The variables; all by default.
        likelihood
            As for :meth:`query`.
        samples
            How many rows to draw, at least 100.
        seed
            As for :meth:`sample`.
        on_unidentified
            As for :meth:`query`.
        n_jobs
            Number of threads; all processors by default. The result does not depend on it.

        Raises
        ------
        InputError
            If no row agrees with the evidence.
        """
        from qnml.model.sampled_marginals import sampled_marginals

        net = cast("Network", self)
        found = sampled_marginals(net, evidence, do, targets, likelihood, samples, seed, on_unidentified, n_jobs)
        return found._in_frames(net._frame_kind)

    def entropy(
        self,
        targets: str | Iterable[str],
        evidence: EvidenceOf = None,
        do: Mapping[str, Label] | None = None,
        *,
        likelihood: LikelihoodOf = None,
        on_unidentified: OnUnidentified = "warn",
        memory_limit: float | None = None,
    ) -> float:
        """The entropy of one variable, or the joint entropy of several, given the evidence, in nats.

        Arguments are those of :meth:`query`.
        """
        from qnml.model.inference import entropy, require_identified

        net = cast("Network", self)
        require_identified("Network.entropy", net, targets, (evidence, likelihood, do), on_unidentified)
        return entropy(net, targets, evidence, do, likelihood=likelihood, memory_limit=memory_limit)

    def mutual_information(
        self,
        first: str | Iterable[str],
        second: str | Iterable[str],
        evidence: EvidenceOf = None,
        do: Mapping[str, Label] | None = None,
        *,
        likelihood: LikelihoodOf = None,
        on_unidentified: OnUnidentified = "warn",
        memory_limit: float | None = None,
    ) -> float:
        """The mutual information of two variables, or of two groups, given the evidence, in nats.

        Parameters
        ----------
        first, second
            A variable each, or several; none may be in both.
        evidence, do, likelihood, on_unidentified, memory_limit
            As for :meth:`query`.
        """
        from qnml.model.inference import mutual_information, require_identified

        net = cast("Network", self)
        found = mutual_information(net, first, second, evidence, do, likelihood=likelihood, memory_limit=memory_limit)
        asked = [*_several(first), *_several(second)]
        require_identified("Network.mutual_information", net, asked, (evidence, likelihood, do), on_unidentified)
        return found

    def value_of_information(
        self,
        target: str,
        evidence: EvidenceOf = None,
        do: Mapping[str, Label] | None = None,
        *,
        candidates: str | Iterable[str] | None = None,
        likelihood: LikelihoodOf = None,
        on_unidentified: OnUnidentified = "warn",
        memory_limit: float | None = None,
    ) -> list[Informative]:
        """Which variable to look at next to learn most about a target.

        Parameters
        ----------
        target
            The variable of interest; not observed.
        evidence, do
            As for :meth:`query`.
        candidates
            The variables that may be looked at; all that are not known by default.
        likelihood, on_unidentified, memory_limit
            As for :meth:`query`.

        Returns
        -------
        list
            For each candidate what it tells about the target, most informative first.

        Examples
        --------
        >>> from qnml.datasets import load_network
        >>> best, *_ = load_network("asia").value_of_information("lung", candidates=["xray", "dysp", "smoke"])
        >>> best.variable, round(best.information, 4)
        ('xray', 0.1281)
        """
        from qnml.model.inference import require_identified, value_of_information

        net = cast("Network", self)
        found = value_of_information(
            net, target, evidence, do, candidates=candidates, likelihood=likelihood, memory_limit=memory_limit
        )
        asked = None if candidates is None else [target, *_several(candidates)]
        require_identified("Network.value_of_information", net, asked, (evidence, likelihood, do), on_unidentified)
        return found

    def sensitivity(
        self,
        target: str,
        level: Label,
        evidence: EvidenceOf = None,
        do: Mapping[str, Label] | None = None,
        *,
        most: int = 20,
        likelihood: LikelihoodOf = None,
        on_unidentified: OnUnidentified = "warn",
        memory_limit: float | None = None,
    ) -> list[Sensitivity]:
        """The probabilities in the tables on which P(target = level | evidence) depends most.

        Probabilities of 0 and 1 are taken as certain and left out.

        Parameters
        ----------
        target, level
            The answer in question; there must be no evidence on the target.
        evidence, do
            As for :meth:`query`.
        most
            How many probabilities to return.
        likelihood, on_unidentified, memory_limit
            As for :meth:`query`.

        Returns
        -------
        list
            Derivatives of the answer, the largest first. If the probability changes, the others of its distribution
            share the rest in proportion.
        """
        from qnml.model.inference import require_identified, sensitivity

        net = cast("Network", self)
        require_identified("Network.sensitivity", net, target, (evidence, likelihood, do), on_unidentified)
        return sensitivity(
            net, target, level, evidence, do, most=most, likelihood=likelihood, memory_limit=memory_limit
        )


def _several(names: str | Iterable[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)
