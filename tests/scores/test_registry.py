"""Names, flags and parameters of the scores."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qnml import _core
from qnml._api.scoring import local_score, score
from qnml.data import Table
from qnml.errors import InputError, UnknownNameError
from qnml.graph import Dag
from qnml.scores import SCORES, bind_score, find_score

ROWS = np.random.default_rng(0).integers(0, (2, 3), (50, 2))
TABLE = Table.from_codes(ROWS, names=["a", "b"], levels=[2, 3])
ARC = Dag.from_arcs(["a", "b"], [("a", "b")])


def counts() -> tuple[np.ndarray, np.ndarray]:
    """N_jk and N_j of b given a."""
    joint = np.zeros((2, 3))
    np.add.at(joint, (ROWS[:, 0], ROWS[:, 1]), 1)
    return joint, joint.sum(axis=1)


def log_likelihood() -> float:
    joint, marginal = counts()
    return float(np.sum(joint * np.log(joint / marginal[:, None])))


def test_registry_is_keyed_by_name() -> None:
    assert all(name == entry.name for name, entry in SCORES.items())
    assert {entry.parameter.name for entry in SCORES.values() if entry.parameter} == {"ess", "alpha", "gamma"}
    assert {name for name, entry in SCORES.items() if not entry.is_decomposable} == {"nml"}


def test_only_the_penalty_of_qnml_saturates() -> None:
    assert [name for name, entry in SCORES.items() if entry.penalty_saturates] == ["qnml"]


def test_every_set_function_is_equivalent() -> None:
    assert {name for name, entry in SCORES.items() if entry.is_set_function} == {
        *("aic", "bdeu", "bdq", "bic", "ebic", "hqc", "loglik", "qnml")
    }
    assert {name for name, entry in SCORES.items() if not entry.is_equivalent} == {"bdj", "bds", "fnml", "k2"}


def test_the_core_has_the_decomposable_scores() -> None:
    decomposable = {name for name, entry in SCORES.items() if entry.is_decomposable}
    switched = {f"{name}_switched" for name, entry in SCORES.items() if entry.takes_regret}
    assert {kind.name for kind in _core.ScoreKind} == decomposable | switched


def test_traits_of_the_core() -> None:
    assert {name for name, entry in SCORES.items() if entry.has_own_configurations} == {"bdj", "fnml", "k2"}
    assert {name for name, entry in SCORES.items() if not entry.has_cell_sums} == {"bds", "nml"}
    assert {name for name, entry in SCORES.items() if entry.has_price_of_arcs} == {"ebic"}
    assert {name for name, entry in SCORES.items() if entry.price_ignores_counts} == {
        *("aic", "bic", "ebic", "hqc", "loglik", "qnml")
    }
    assert {name for name, entry in SCORES.items() if entry.has_price_of_levels} == {
        *("aic", "bdq", "bic", "ebic", "hqc", "qnml")
    }


def test_hannan_quinn_by_hand() -> None:
    assert local_score(TABLE, "b", ["a"], "hqc") == pytest.approx(
        log_likelihood() - 4 * math.log(math.log(50)), rel=1e-14
    )


def test_extended_bic_by_hand() -> None:
    bic = log_likelihood() - 4 * math.log(50) / 2
    assert local_score(TABLE, "b", ["a"], "bic") == pytest.approx(bic, rel=1e-14)
    for gamma in (0, 0.5, 1):
        value = local_score(TABLE, "b", ["a"], "ebic", gamma=gamma)
        assert value == pytest.approx(bic - gamma * math.log(2), rel=1e-14)
    assert local_score(TABLE, "b", [], "ebic", gamma=9) == local_score(TABLE, "b", [], "bic")


@pytest.mark.parametrize(
    ("given", "alpha"),
    [
        (0.2, 0.2),
        ("0.2", 0.2),
        ("jeffreys", 1 / 2),
        ("jaasaari", 1 / 3),
        ("watanabe-roos", 1 / 2 - math.log(2) / (2 * math.log(50))),
        (None, 1 / 2),
    ],
)
def test_dirichlet_quotient_by_hand(given: float | str | None, alpha: float) -> None:
    def code(cells: np.ndarray, levels: int) -> float:
        # Probability of a column under a Dirichlet(alpha, ..., alpha) prior on all its levels.
        seen = sum(math.lgamma(alpha + n) - math.lgamma(alpha) for n in cells.flat)
        return seen + math.lgamma(alpha * levels) - math.lgamma(alpha * levels + 50)

    joint, marginal = counts()
    parameters = {} if given is None else {"alpha": given}
    expected = code(joint, 6) - code(marginal, 2)
    assert local_score(TABLE, "b", ["a"], "bdq", **parameters) == pytest.approx(expected, rel=1e-13)
    bound = bind_score("score", SCORES["bdq"], 50, parameters)
    assert bound.value == pytest.approx(alpha, rel=1e-15)
    assert bound.label == f"bdq(alpha={alpha:g})"


def test_label_without_parameter() -> None:
    assert bind_score("score", SCORES["qnml"], 50, {}).label == "qnml"


def test_named_alpha_needs_enough_rows() -> None:
    # 1/2 - log 2 / (2 log N) is not positive below three observations.
    for total in (1, 2):
        with pytest.raises(InputError, match="Give a number instead"):
            bind_score("score", SCORES["bdq"], total, {"alpha": "watanabe-roos"})
    assert bind_score("score", SCORES["bdq"], 3, {"alpha": "watanabe-roos"}).value > 0


@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    [
        ("bdeu", "ess", 0),
        ("bdeu", "ess", -1),
        ("bdeu", "ess", math.nan),
        ("bdeu", "ess", math.inf),
        ("bdeu", "ess", "jeffreys"),
        ("bdeu", "ess", None),
        ("bdeu", "ess", [1]),
        ("bds", "ess", 0),
        ("bdq", "alpha", 0),
        ("bdq", "alpha", "perks"),
        ("bdq", "alpha", "nan"),
        ("ebic", "gamma", -0.1),
    ],
)
def test_bad_values_are_named(name: str, parameter: str, value: object) -> None:
    with pytest.raises(InputError, match="must be a number from") as caught:
        score(TABLE, ARC, name, **{parameter: value})
    assert parameter in str(caught.value)
    assert str(value) in str(caught.value)


def test_words_are_listed_where_there_are_any() -> None:
    with pytest.raises(InputError, match="jeffreys, jaasaari, watanabe-roos"):
        score(TABLE, ARC, "bdq", alpha="perks")


@pytest.mark.parametrize(
    ("name", "parameters", "says"),
    [
        ("qnml", {"ess": 1}, "takes no parameter"),
        ("bdeu", {"alpha": 1}, "It takes ess"),
        ("nml", {"ess": 1}, "takes no parameter"),
    ],
)
def test_parameters_of_other_scores(name: str, parameters: dict[str, float], says: str) -> None:
    with pytest.raises(InputError, match=says):
        score(TABLE, ARC, name, **parameters)


@pytest.mark.parametrize(
    ("given", "nearest"), [("qmnl", "qnml"), ("BIC", None), ("bde", "bdeu"), ("log-lik", "loglik"), (7, None)]
)
def test_unknown_scores(given: object, nearest: str | None) -> None:
    with pytest.raises(UnknownNameError) as caught:
        find_score("score", given)
    text = str(caught.value)
    assert text.startswith(f"score(score={given!r}): unknown. Known: qnml")
    assert (f"Did you mean '{nearest}'?" in text) == (nearest is not None)
    with pytest.raises(UnknownNameError):
        score(TABLE, ARC, given)
    with pytest.raises(UnknownNameError):
        local_score(TABLE, "a", [], given)
