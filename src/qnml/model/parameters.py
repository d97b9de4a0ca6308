"""Rules that turn counts into probabilities.

N is the number of times a value occurs with one parent configuration, r the number of levels of the variable, and q
the number of configurations of its parents. Each rule assigns a weight to every value; the weights of one
configuration, divided by their sum, are its probabilities.

=========== ============================== ===============================================================
``snml``    e(N)·(N + 1)                   e(n) = ((n + 1)/n)^n and e(0) = 1: the sequential normalized
                                           maximum likelihood of Rissanen and Roos (2007), used by Silander
                                           et al. (2018). Up to a factor, it is the maximized likelihood
                                           of the observed rows and one more with this value.
``bpp``     N + ess/(r·q)                  the Bayesian predictive of the BDeu score; ess = 1 unless given
``ml``      N                              maximum likelihood
``laplace`` N + 1
``jeffreys`` N + 1/2
=========== ============================== ===============================================================

Rows with missing cells give expected counts (:mod:`qnml.model.em`), which need not be whole numbers: every weight is a
continuous function of N >= 0.

A configuration that does not occur has N = 0 throughout, so every rule but ``ml`` makes its values equally probable;
for ``ml``, where 0/0 is undefined, this is the convention.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from qnml._checks import checked_mapping
from qnml.errors import UnknownNameError, bad_argument, did_you_mean, plain, shown, unknown_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from qnml._types import FloatArray

__all__ = ["RULES", "ParameterRule", "Parameters", "chosen_rule", "probabilities"]

_Weights = Callable[["FloatArray", float, int], "FloatArray"]


@dataclass(frozen=True)
class ParameterRule:
    """How counts become probabilities.

    Attributes
    ----------
    name : its name in ``parameters=``.
    title : a short description.
    weights : function of the counts (some parent configurations × levels of the variable), the rule's option, and the
        number of cells of the whole table, r·q.
    option : name of the option, or None for a rule without options.
    default : default value of the option.
    """

    name: str
    title: str
    weights: _Weights
    option: str | None = None
    default: float = math.nan


@dataclass(frozen=True)
class Parameters:
    """How the probabilities of a network were estimated.

    Attributes
    ----------
    rule : name of the rule, one of :data:`RULES`.
    options : its option by name, if it has one.
    """

    rule: str
    options: Mapping[str, float]

    def __post_init__(self) -> None:
        rule, value = chosen_rule("Parameters", self.rule, self.options)
        object.__setattr__(self, "options", {rule.option: value} if rule.option else {})

    @property
    def value(self) -> float:
        """The option's value, NaN for a rule without one."""
        return next(iter(self.options.values()), math.nan)

    def __hash__(self) -> int:
        return hash((self.rule, *self.options.items()))

    def __str__(self) -> str:
        shown = ", ".join(f"{name}={value:g}" for name, value in self.options.items())
        return f"{self.rule}({shown})" if shown else self.rule


def _snml(counts: FloatArray, _: float, __: int) -> FloatArray:
    # log1p keeps full precision in e(n) when (n + 1)/n is close to one; e(0) = 1 is the limit. Expected counts may be
    # any positive numbers.
    seen = np.where(counts > 0.0, counts, 1.0)
    power = np.where(counts > 0.0, np.exp(seen * np.log1p(1.0 / seen)), 1.0)
    weights: FloatArray = power * (counts + 1.0)
    return weights


def _bpp(counts: FloatArray, ess: float, cells: int) -> FloatArray:
    # Unobserved configurations are treated apart: a tiny ess / cells could underflow there and give 0/0.
    return np.where(_never_seen(counts), 1.0, counts + _divided(ess, cells))


def _ml(counts: FloatArray, _: float, __: int) -> FloatArray:
    return np.where(_never_seen(counts), 1.0, counts)


def _laplace(counts: FloatArray, _: float, __: int) -> FloatArray:
    return counts + 1.0


def _jeffreys(counts: FloatArray, _: float, __: int) -> FloatArray:
    return counts + 0.5


# To add a rule, write a function above and add a line here.
RULES: Mapping[str, ParameterRule] = MappingProxyType(
    {
        rule.name: rule
        for rule in (
            ParameterRule("snml", "sequential normalized maximum likelihood", _snml),
            ParameterRule("bpp", "Bayesian predictive probabilities of BDeu", _bpp, "ess", 1.0),
            ParameterRule("ml", "maximum likelihood; unobserved configurations uniform", _ml),
            ParameterRule("laplace", "one added to every count", _laplace),
            ParameterRule("jeffreys", "one half added to every count", _jeffreys),
        )
    }
)


def chosen_rule(call: str, parameters: object, options: Mapping[str, float]) -> tuple[ParameterRule, float]:
    """Find a rule by name and check its option; return the rule and the value of the option or its default."""
    rule = RULES.get(parameters) if isinstance(parameters, str) else None
    if rule is None:
        raise unknown_name(call, "parameters", parameters, RULES)
    for name, given in checked_mapping(call, "options", options, "options by name").items():
        if not isinstance(name, str) or name != rule.option:
            raise _unknown_option(call, name, given, rule)
    value = options.get(rule.option, rule.default) if rule.option else rule.default
    if rule.option and not _is_positive(value):
        raise bad_argument(call, rule.option, value, "a positive finite number")
    return rule, float(value)


def _unknown_option(call: str, name: object, given: object, rule: ParameterRule) -> UnknownNameError:
    # Users mistake the name of the rule as often as that of the option, so say which rule takes which option.
    takes = f"takes {rule.option}" if rule.option else "takes no option"
    others = [f"'{one.name}' takes {one.option}" for one in RULES.values() if one.option and one is not rule]
    known = "; ".join([f"the rule '{rule.name}' {takes}", *others])
    near = did_you_mean(name, ["parameters", *(one.option for one in RULES.values() if one.option)])
    return UnknownNameError(f"{call}({plain(name)}={shown(given)}): {known}.{near}")


def probabilities(counts: FloatArray, rule: ParameterRule, option: float, cells: int | None = None) -> FloatArray:
    """Conditional probabilities of one variable.

    Parameters
    ----------
    counts
        The last axis runs over the levels of the variable, the others over configurations of its parents.
    rule
        One of :data:`RULES`.
    option
        The rule's option, as returned by :func:`chosen_rule`.
    cells
        Number of cells of the whole table, if `counts` is a part of it; by default the size of `counts`.

    Examples
    --------
    >>> probabilities(np.array([1.0, 0.0]), RULES["snml"], math.nan).tolist()
    [0.8, 0.2]
    """
    weights = rule.weights(counts, option, counts.size if cells is None else cells)
    shares: FloatArray = weights / weights.sum(axis=-1, keepdims=True)
    return shares


def _divided(ess: float, cells: int) -> float:
    try:
        return ess / cells
    except OverflowError:  # more cells than the largest double: the amount added to a count underflows
        return 0.0


def _never_seen(counts: FloatArray) -> NDArray[np.bool_]:
    empty: NDArray[np.bool_] = counts.sum(axis=-1, keepdims=True) == 0.0
    return empty


def _is_positive(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        return False
    try:
        return math.isfinite(value) and bool(value > 0)
    except OverflowError:  # an integer too large for a double
        return False
