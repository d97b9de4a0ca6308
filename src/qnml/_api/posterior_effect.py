"""`Effect`: the effect of an intervention, averaged over structures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from qnml.errors import unknown_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from qnml._types import FloatArray, Label
    from qnml.model.inference import Distribution

__all__ = ["Effect"]


@dataclass(frozen=True, eq=False)
class Effect:
    """The effect of an intervention on one variable on another, averaged over structures.

    Attributes
    ----------
    cause, target : names of the variables.
    distributions : distribution of the target for every label to which the cause is set.
    standard_errors : of the probabilities (levels of the cause × levels of the target) if structures were drawn;
        None if the average is over listed structures.
    left_out : posterior probability of the structures that are not part of the average.
    path_probability : probability of a directed path from cause to target; without one the cause has no effect.
    """

    cause: str
    target: str
    distributions: Mapping[Label, Distribution]
    standard_errors: FloatArray | None
    left_out: float
    path_probability: float

    @property
    def values(self) -> FloatArray:
        """The probabilities, levels of the cause × levels of the target."""
        return np.stack([distribution.values for distribution in self.distributions.values()])

    def __getitem__(self, label: Label) -> Distribution:
        found = self.distributions.get(label) if isinstance(label, str | int) else None
        if found is None:
            raise unknown_name("Effect", "label", label, map(str, self.distributions))
        return found

    def sentence(self) -> str:
        """What is known about the effect, in a sentence or two."""
        path = f"A directed path leads from {self.cause} to {self.target} with probability {self.path_probability:.3g}"
        spread = "" if self.standard_errors is None else f" Standard errors reach {self.standard_errors.max():.2g}."
        left_out = f" Structures of probability {self.left_out:.2g} are left out." if self.left_out > 0.0 else ""
        return (
            f"The effect of {self.cause} on {self.target}, averaged over structures. {path}; the others, among them "
            f"members of the same classes, say that there is no effect.{spread}{left_out}"
        )

    def __repr__(self) -> str:
        return f"Effect({self.cause} on {self.target}: path with probability {self.path_probability:.3g})"
