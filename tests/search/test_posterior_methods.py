"""The choice of a method for structure posteriors."""

from __future__ import annotations

from dataclasses import replace

import pytest
from reference.structure_problems import four_column_problem, widened

from qnml.errors import InputError, TooLargeError
from qnml.search import Plan, posterior_methods


@pytest.fixture(scope="module")
def problem():
    return four_column_problem()


class Method:
    """A method with a given forecast."""

    def __init__(self, name, fits):
        self.answer = Plan(4, 60, name, 16.0, 32.0, 2e9, 1e9, 3.0, fits, "" if fits else f"{name} is too much.")

    def forecast(self, problem):
        return self.answer


@pytest.fixture
def methods(monkeypatch):
    def set_up(**fits):
        monkeypatch.setattr(
            posterior_methods, "_RUNNERS", {name: Method(name, fits[name]) for name in ("enumerate", "exact", "mcmc")}
        )

    return set_up


@pytest.mark.parametrize(
    ("n", "fits", "expected"),
    [
        (5, {"enumerate": True, "exact": True, "mcmc": True}, "enumerate"),
        (6, {"enumerate": True, "exact": True, "mcmc": True}, "exact"),
        (6, {"enumerate": True, "exact": False, "mcmc": False}, "enumerate"),
        (9, {"enumerate": False, "exact": True, "mcmc": True}, "exact"),
        (40, {"enumerate": False, "exact": False, "mcmc": True}, "mcmc"),
    ],
)
def test_auto_takes_the_first_that_fits(n, fits, expected, problem, methods):
    methods(**fits)
    assert posterior_methods.choose(widened(problem, n), "auto").method == expected


def test_a_time_limit_leads_to_chains(problem, methods):
    methods(enumerate=False, exact=True, mcmc=True)
    wide = widened(problem, 9)
    # Three seconds are forecast; sums may have half of the time.
    assert posterior_methods.choose(wide, "auto", 7.0).method == "exact"
    assert posterior_methods.choose(wide, "auto", 5.0).method == "mcmc"
    assert posterior_methods.choose(wide, "exact", 2.0).method == "exact"
    methods(enumerate=False, exact=True, mcmc=False)
    assert posterior_methods.choose(wide, "auto", 2.0).method == "exact"


def test_refusals_say_what_would_fit(problem, methods):
    methods(enumerate=False, exact=False, mcmc=True)
    with pytest.raises(TooLargeError, match=r"exact is too much\. method='mcmc' would fit \(about 3 s, 1\.9 GiB"):
        posterior_methods.choose(problem, "exact")
    methods(enumerate=False, exact=False, mcmc=False)
    with pytest.raises(TooLargeError, match=r"mcmc is too much\. Select fewer columns"):
        posterior_methods.choose(problem, "auto")
    with pytest.raises(TooLargeError, match=r"enumerate is too much\. With prior='uniform'"):
        posterior_methods.choose(replace(problem, prior="classes"), "auto")


@pytest.mark.parametrize(
    ("method", "prior"), [("mcmc", "order"), ("enumerate", "order"), ("exact", "classes"), ("mcmc", "classes")]
)
def test_methods_and_priors_that_do_not_go_together(method, prior, problem):
    with pytest.raises(InputError, match=f"method='{method}', prior='{prior}'"):
        posterior_methods.choose(replace(problem, prior=prior), method)
