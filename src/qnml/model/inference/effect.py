"""The effect of setting one variable on another, in every member of the class that a network carries."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml._checks import checked_name
from qnml._html import html_table, paragraph
from qnml._packages import needed
from qnml.errors import InputError, UnidentifiedEffectError, bad_argument, unknown_name
from qnml.graph.masks import bits
from qnml.model.inference.answers import query
from qnml.model.inference.class_effects import Choice, answer_in, choices_of
from qnml.model.inference.distribution import Distribution
from qnml.model.inference.identification import is_identified

if TYPE_CHECKING:
    from qnml._types import FloatArray, Label
    from qnml.model.network import Network

__all__ = ["CausalEffect", "EffectVariant", "effect"]

_CALL = "Network.effect"
_SAME = 1e-9
_LARGEST = 1e300


@dataclass(frozen=True, eq=False)
class EffectVariant:
    """The effect in the members in which the cause has the same parents.

    Attributes
    ----------
    parents : the parents of the cause there.
    share : their share of all members; None if it is too much work to count them.
    distributions : the distribution of the target for every label of the cause.
    """

    parents: tuple[str, ...]
    share: float | None
    distributions: Mapping[Label, Distribution]

    @property
    def values(self) -> FloatArray:
        """The probabilities, levels of the cause × levels of the target."""
        return np.stack([one.values for one in self.distributions.values()])


@dataclass(frozen=True, eq=False)
class CausalEffect:
    """The effect of setting one variable on another, over all members of a class.

    Attributes
    ----------
    cause, target : names of the variables.
    is_identified : whether the effect is the same in all members, whatever the probabilities are.
    variants : the effect by what the parents of the cause are, the members of largest share first; a single one if the
        effect is identified.
    n_members : number of members of the class; None if it is too much work to count them.
    """

    cause: str
    target: str
    is_identified: bool
    variants: tuple[EffectVariant, ...]
    n_members: int | None

    @cached_property
    def low(self) -> FloatArray:
        """The smallest probabilities over the members, levels of the cause × levels of the target."""
        lowest: FloatArray = np.min([one.values for one in self.variants], axis=0)
        return lowest

    @cached_property
    def high(self) -> FloatArray:
        """The largest probabilities over the members, levels of the cause × levels of the target."""
        highest: FloatArray = np.max([one.values for one in self.variants], axis=0)
        return highest

    @property
    def is_single(self) -> bool:
        """Whether there is one value: the effect is identified, or all members agree on it with these probabilities."""
        return bool(np.all(self.high - self.low <= _SAME))

    def __getitem__(self, label: Label) -> Distribution:
        """The distribution of the target if the cause is set to a label; an error if the members disagree."""
        found = self.variants[0].distributions
        if not isinstance(label, str | int) or label not in found:
            raise unknown_name("CausalEffect", "label", label, map(str, found))
        if not self.is_single:
            raise UnidentifiedEffectError(
                f"CausalEffect[{label!r}]: the members of the class disagree. low and high have the range, and "
                "variants the effect in each member."
            )
        return found[label]

    def average(self, values: Mapping[Label, float] | None = None) -> tuple[FloatArray, FloatArray]:
        """The mean of the target for each label of the cause: its smallest and largest value over the members.

        Differences of these means are average effects, if taken within one member; :meth:`average_effect` has them.

        Parameters
        ----------
        values
            A number for each label of the target; by default the labels themselves, if they are numbers.

        Returns
        -------
        low, high
            One number for each label of the cause.
        """
        means = self._means("average", values)
        return means.min(axis=0), means.max(axis=0)

    def average_effect(
        self, to: Label, baseline: Label, values: Mapping[Label, float] | None = None
    ) -> tuple[float, float]:
        """The average effect: by how much the mean of the target differs if the cause is set to one label or another.

        Parameters
        ----------
        to, baseline
            Labels of the cause.
        values
            As for :meth:`average`.

        Returns
        -------
        low, high
            The range over the members; equal if they agree.
        """
        labels = list(self.variants[0].distributions)
        places = []
        for argument, label in (("to", to), ("baseline", baseline)):
            if not isinstance(label, str | int) or label not in labels:
                raise unknown_name("CausalEffect.average_effect", argument, label, map(str, labels))
            places.append(labels.index(label))
        means = self._means("average_effect", values)
        differences = means[:, places[0]] - means[:, places[1]]
        return float(differences.min()), float(differences.max())

    def _means(self, method: str, values: Mapping[Label, float] | None) -> FloatArray:
        labels = next(iter(self.variants[0].distributions.values())).levels[self.target]
        numbers_of = _numbers(f"CausalEffect.{method}", self.target, labels, values)
        return np.stack([one.values @ numbers_of for one in self.variants])

    def sentence(self) -> str:
        """What is known about the effect, in a sentence or two."""
        what = f"The effect of {self.cause} on {self.target}"
        if self.is_identified:
            same = "" if self.n_members == 1 else " in all members of the class"
            return f"{what} is identified{same}."
        if self.is_single:
            return f"{what} is the same in all members of the class, though their arcs alone do not imply it."
        of_members = "" if self.n_members is None else f" of {self.n_members:,} members"
        return (
            f"{what} is not identified: it depends on directions that neither data nor knowledge tell. "
            f"It takes {self._n_values()} different values in the class{of_members}."
        )

    def _n_values(self) -> int:
        distinct: list[FloatArray] = []
        for one in self.variants:
            if not any(np.all(np.abs(one.values - other) <= _SAME) for other in distinct):
                distinct.append(one.values)
        return len(distinct)

    def _rows(self) -> list[tuple[str, str, float, float]]:
        causes = self.variants[0].distributions
        targets = next(iter(causes.values())).levels[self.target]
        return [
            (str(cause), str(target), float(self.low[i, j]), float(self.high[i, j]))
            for i, cause in enumerate(causes)
            for j, target in enumerate(targets)
        ]

    def to_frame(self) -> Any:
        """A row for each label of the cause and each of the target, as a polars frame, with the range."""
        polars = needed("polars", "CausalEffect.to_frame", "makes the frame")
        heads = ("set_to", "level", "low", "high")
        return polars.DataFrame(dict(zip(heads, zip(*self._rows(), strict=True), strict=True)))

    def _repr_html_(self) -> str:
        heads = [(f"{self.cause} set to", False), (self.target, False), ("lowest", True), ("highest", True)]
        rows = [(cause, target, f"{low:.4g}", f"{high:.4g}") for cause, target, low, high in self._rows()]
        return paragraph(self.sentence()) + html_table(heads, rows)

    def __repr__(self) -> str:
        kind = "identified" if self.is_identified else f"{len(self.variants)} variants"
        return f"CausalEffect({self.cause} on {self.target}: {kind})"


def effect(net: Network, cause: str, target: str, *, memory_limit: float | None = None) -> CausalEffect:
    """The effect of setting one variable on another; see :meth:`qnml.model.Network.effect`."""
    a = net.dag.index(checked_name(_CALL, "cause", cause, net.names))
    b = net.dag.index(checked_name(_CALL, "target", target, net.names))
    if a == b:
        raise bad_argument(_CALL, "target", target, "another variable than the cause")
    mpdag = net.mpdag
    if mpdag is None:
        return CausalEffect(cause, target, True, (_by_surgery(net, a, b, 1.0, memory_limit),), 1)
    choices = choices_of(_CALL, mpdag, [a])
    counts = [choice.count for choice in choices]
    total = None if None in counts else sum(count for count in counts if count is not None)
    if is_identified(mpdag, [a], [b]):
        # Any member gives the answer; in this one it takes no sum over the parents of the cause.
        return CausalEffect(cause, target, True, (_by_surgery(net, a, b, 1.0, memory_limit),), total)
    variants = [_variant(net, choice, a, b, total, memory_limit) for choice in choices]
    variants.sort(key=lambda one: (-(one.share or 0.0), one.parents))
    return CausalEffect(cause, target, False, tuple(variants), total)


def _variant(
    net: Network, choice: Choice, a: int, b: int, total: int | None, memory_limit: float | None
) -> EffectVariant:
    share = None if total is None or choice.count is None else choice.count / total
    [parents] = choice.parents
    if parents == net.dag.parent_masks[a]:
        return _by_surgery(net, a, b, share, memory_limit)
    cause, target = net.names[a], net.names[b]
    names = tuple(net.names[node] for node in bits(parents))
    distributions = {}
    for code, label in enumerate(net.levels[cause]):
        values = answer_in(net, choice.parents, [b], {}, {a: code}, memory_limit)
        if values is None:
            raise InputError(
                f"{_CALL}: in members in which {cause!r} has the parents {', '.join(map(repr, names))}, the effect of "
                f"{cause}={label} is not defined: it never occurs with some of their labels. Rules that give every "
                "label a positive probability, such as 'snml', avoid this."
            )
        distributions[label] = Distribution({target: net.levels[target]}, values / values.sum())
    return EffectVariant(names, share, distributions)


def _by_surgery(net: Network, a: int, b: int, share: float | None, memory_limit: float | None) -> EffectVariant:
    """The effect with the parents that the cause has in the network itself."""
    cause, target = net.names[a], net.names[b]
    found = {label: query(net, target, None, {cause: label}, memory_limit=memory_limit) for label in net.levels[cause]}
    return EffectVariant(net.dag.parents(cause), share, found)


def _numbers(call: str, target: str, labels: tuple[Label, ...], values: Mapping[Label, float] | None) -> FloatArray:
    """A number for each label of the target."""
    advice = f"values={{label: number, …}} gives the labels of {target!r} numbers."
    given: list[Any] = []
    for label in labels:
        if values is None:
            try:
                given.append(float(label))
            except (ValueError, OverflowError):
                raise InputError(f"{call}: the label {label!r} of {target!r} is no number. {advice}") from None
        else:
            found = values.get(label) if isinstance(values, Mapping) else None
            if isinstance(found, bool) or not isinstance(found, numbers.Real) or abs(found) > _LARGEST:
                raise bad_argument(call, "values", values, f"a number for every label of {target!r}", advice)
            given.append(float(found))
    array = np.array(given, dtype=float)
    if not np.all(np.isfinite(array)):
        raise bad_argument(call, "values", values, "finite numbers")
    return array
