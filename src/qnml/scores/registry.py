"""All scores in one table: names, properties and hyperparameters.

A score is one class of the C++ core, with its formula, prices and bounds (``docs/add-a-score.md``). What a search
needs to know is asked from that class: ``is_set_function``, ``has_own_configurations``, ``has_cell_sums``,
``has_price_of_arcs``, ``price_ignores_counts`` and ``has_price_of_levels``. The table has what the core does not need:
where the score comes from, its hyperparameter, and what is known about it.

``is_set_function`` means local(i | P) = f(P ∪ {i}) − f(P) for some function f of sets: the score of a network then
depends only on its equivalence class, and 2^n values of f serve all n·2^(n−1) families.
``is_regular`` means proved to be regular in the sense of Suzuki (2017): more parents that do not fit the data
better never score better. BDeu is known to violate it, and so does bdq when declared levels go unseen (four
rows suffice: see ``tests/properties/test_regularity.py``); for bds, bdj and k2 we claim nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from qnml import _core
from qnml._checks import checked_number
from qnml.errors import InputError, bad_argument, unknown_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["SCORES", "BoundScore", "Parameter", "Score", "bind_score", "find_score"]


@dataclass(frozen=True)
class Parameter:
    """The hyperparameter of a score, if it has one.

    `named` maps words a user may give to a function of the sample size. Within `lowest` and `highest` no formula
    leaves the range of doubles, whatever the table.
    """

    name: str
    default: float
    meaning: str
    lowest: float
    highest: float
    named: Mapping[str, Callable[[int], float]] | None = None

    def resolve(self, score: str, value: float | str, total: int) -> float:
        """Resolve the value given by the user to a number, for a number of observations."""
        words = list(self.named or {})
        bound = f"a number from {self.lowest:g} to {self.highest:g}"
        allowed = bound + (f", or one of {', '.join(words)}" if words else "")
        if isinstance(value, str):
            if value in words and self.named is not None:
                number = self.named[value](total)
                if not self.lowest <= number <= self.highest:
                    raise InputError(
                        f"score '{score}' ({self.name}='{value}'): is {number:g} for {total} observations, "
                        f"which is not {bound}. Give a number instead."
                    )
                return number
            try:
                value = float(value)
            except ValueError:
                raise bad_argument(f"score '{score}'", self.name, value, allowed) from None
        return checked_number(f"score '{score}'", self.name, value, allowed, self.lowest, self.highest)


@dataclass(frozen=True)
class Score:
    """One score: its name, its properties, its hyperparameter and where its formula comes from.

    `is_bayesian` and `is_normalized_likelihood` say what exp(score) is: a marginal likelihood, or a likelihood that is
    normalised over data. `regret` is the formula of its regrets, see `bind_score`. `penalty_saturates` says that the
    penalty levels off in families with more cells than half the rows, where parents can win without any dependence.
    """

    name: str
    title: str
    reference: str
    is_regular: bool = False
    is_decomposable: bool = True
    parameter: Parameter | None = None
    is_bayesian: bool = False
    is_normalized_likelihood: bool = False
    penalty_saturates: bool = False
    regret: str = "exact"

    @property
    def takes_regret(self) -> bool:
        """Whether it has regrets, which can be approximated as in the paper's experiments."""
        return self.is_normalized_likelihood and self.is_decomposable

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """The arguments that belong to the score."""
        if self.takes_regret:
            return ("regret",)
        return () if self.parameter is None else (self.parameter.name,)

    @property
    def is_set_function(self) -> bool:
        """Whether local(i | P) = f(P ∪ {i}) − f(P) for some function f of sets."""
        return self._holds("is_set_function")

    @property
    def has_cell_sums(self) -> bool:
        """Whether the score adds up over cells."""
        return self._holds("has_cell_sums")

    @property
    def has_own_configurations(self) -> bool:
        """Whether configurations of the parents have terms that depend on the child."""
        return self._holds("has_own_configurations")

    @property
    def has_price_of_arcs(self) -> bool:
        """Whether an arc has a price of its own."""
        return self._holds("has_price_of_arcs")

    @property
    def price_ignores_counts(self) -> bool:
        """Whether it is a fit minus a price that follows from the levels and the number of observations alone."""
        return self._holds("price_ignores_counts")

    @property
    def has_price_of_levels(self) -> bool:
        """Whether a variable on its own costs more the more levels it has, whatever the counts."""
        return self._holds("has_price_of_levels")

    @property
    def is_equivalent(self) -> bool:
        """Whether equivalent networks get equal scores."""
        return self.is_set_function or not self.is_decomposable

    @property
    def kind(self) -> _core.ScoreKind:
        """The class in the core. Only decomposable scores have one."""
        name = self.name if self.regret == "exact" else f"{self.name}_switched"
        return getattr(_core.ScoreKind, name)  # type: ignore[no-any-return]

    def _holds(self, trait: str) -> bool:
        return self.is_decomposable and bool(getattr(_core.score_traits(self.kind), trait))


@dataclass(frozen=True)
class BoundScore:
    """A score with its parameter resolved for a sample size, ready for the core.

    Attributes
    ----------
    score : the score.
    value : its parameter; 0 if it has none.
    scale : how many counts of the table make one observation: others than 1 where observations are spread over several
        rows, which takes a score with `Score.price_ignores_counts`. Scores remain those of the observations.
    """

    score: Score
    value: float
    scale: int = 1

    @property
    def label(self) -> str:
        """The name, with the parameter where there is one: ``bdeu(ess=1)``; exact regrets go without saying."""
        shown = ", ".join(
            f"{name}={value if isinstance(value, str) else format(value, 'g')}"
            for name, value in self.parameters.items()
        )
        return f"{self.score.name}({shown})" if shown else self.score.name

    @property
    def parameters(self) -> dict[str, float | str]:
        """The arguments that give this score again."""
        if self.score.regret != "exact":
            return {"regret": self.score.regret}
        return {} if self.score.parameter is None else {self.score.parameter.name: self.value}


def _watanabe_roos(total: int) -> float:
    # Appendix D, after Watanabe and Roos (2015): 1/2 - ln 2 / (2 ln N).
    return 0.5 - math.log(2) / (2 * math.log(total)) if total > 1 else 0.0


# Weights of a prior: the weight of a cell is at least the lowest one over the product of levels, kept as a logarithm
# below 1e-290, and that of all cells together is kept as one above 1e290. Scores are logarithms, and add up to at most
# N log(1e100) more than without.
_LOWEST_WEIGHT, _HIGHEST_WEIGHT = 1e-100, 1e100
# The literature has 0 to 1. At the highest an arc costs more than a million observations tell; sums of whole units
# still resolve 1e-9 nats on 64 variables.
_HIGHEST_GAMMA = 1e6

_ESS = Parameter("ess", 1.0, "equivalent sample size of the uniform prior", _LOWEST_WEIGHT, _HIGHEST_WEIGHT)
_ALPHA = Parameter(
    "alpha",
    0.5,
    "Dirichlet weight of each cell",
    _LOWEST_WEIGHT,
    _HIGHEST_WEIGHT,
    named={"jeffreys": lambda _: 0.5, "jaasaari": lambda _: 1 / 3, "watanabe-roos": _watanabe_roos},
)
_GAMMA = Parameter("gamma", 0.5, "extra price of an arc, in units of log n", 0.0, _HIGHEST_GAMMA)

_ALL = (
    Score(
        "qnml",
        "quotient normalized maximum likelihood",
        "Silander et al. 2018, eq. 8",
        is_regular=True,
        is_normalized_likelihood=True,
        penalty_saturates=True,
    ),
    Score(
        "fnml",
        "factorized normalized maximum likelihood",
        "Silander et al. 2008",
        is_regular=True,
        is_normalized_likelihood=True,
    ),
    Score("nml", "normalized maximum likelihood of the whole network", "Shtarkov 1987", is_decomposable=False),
    Score("bdeu", "Bayesian Dirichlet, equivalent uniform", "Buntine 1991", parameter=_ESS, is_bayesian=True),
    Score("bdq", "Bayesian Dirichlet quotient", "Suzuki 2017", parameter=_ALPHA),
    Score("bds", "Bayesian Dirichlet sparse", "Scutari 2016", parameter=_ESS, is_bayesian=True),
    Score("bdj", "Bayesian Dirichlet, Jeffreys prior", "Suzuki 2017", is_bayesian=True),
    Score("k2", "K2: Bayesian Dirichlet, uniform prior", "Cooper and Herskovits 1992", is_bayesian=True),
    Score("bic", "Bayesian information criterion", "Schwarz 1978", is_regular=True),
    Score("aic", "Akaike information criterion", "Akaike 1973", is_regular=True),
    Score("hqc", "Hannan–Quinn criterion", "Hannan and Quinn 1979", is_regular=True),
    Score("ebic", "extended BIC", "Chen and Chen 2008, for each variable", is_regular=True, parameter=_GAMMA),
    Score("loglik", "maximised log-likelihood, no penalty", "", is_regular=True),
)

# The formulas of regrets, as the core numbers them.
_FORMULAS = {"exact": 0.0, "szpankowski": 1.0, "szpankowski-weinberger": 2.0}

SCORES: Mapping[str, Score] = {score.name: score for score in _ALL}


def find_score(call: str, name: str) -> Score:
    """The score of that name, or an error that lists the known ones and the nearest."""
    if not isinstance(name, str) or name not in SCORES:
        raise unknown_name(call, "score", name, SCORES)
    return SCORES[name]


def bind_score(call: str, score: Score, total: int, parameters: Mapping[str, float | str]) -> BoundScore:
    """Check the hyperparameter given for a score, or take its default.

    qnml and fnml take ``regret="exact" | "szpankowski" | "szpankowski-weinberger"``. Other than exact, it is as in the
    program of the paper: qnml has exact regrets for families with fewer than 100 cells, fnml for configurations with up
    to 2000 observations, and eq. 6 or 7 of the paper beyond. The result is neither score equivalent nor regular.
    """
    known = score.parameter_names
    for name in parameters:
        if name not in known:
            takes = f"takes only {known[0]}" if known else "takes no parameter"
            raise InputError(f"{call}({name}={parameters[name]!r}): score '{score.name}' {takes}.")
    if score.takes_regret:
        chosen = parameters.get("regret", "exact")
        if not isinstance(chosen, str) or chosen not in _FORMULAS:
            raise bad_argument(f"score '{score.name}'", "regret", chosen, f"one of {', '.join(_FORMULAS)}")
        if chosen == "exact":
            return BoundScore(score, 0.0)
        return BoundScore(replace(score, regret=chosen, is_regular=False), _FORMULAS[chosen])
    if score.parameter is None:
        return BoundScore(score, 0.0)
    given = parameters.get(score.parameter.name, score.parameter.default)
    return BoundScore(score, score.parameter.resolve(score.name, given, total))
