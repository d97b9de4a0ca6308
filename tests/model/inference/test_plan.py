"""Orders of contraction: correct, narrow, with correct forecasts, cached, and refused in time."""

import itertools
import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qnml.errors import TooLargeError
from qnml.graph import Dag
from qnml.model import Network
from qnml.model.inference import answers
from qnml.model.inference.contraction import contract, contract_logs, logarithms
from qnml.model.inference.plan import make_plan, require_feasible


@st.composite
def contractions(draw):
    """Scopes, sizes and an output, every variable of the output in some scope."""
    sizes = tuple(draw(st.lists(st.integers(1, 3), min_size=1, max_size=7)))
    numbers = st.sampled_from(range(len(sizes)))
    scopes = draw(st.lists(st.lists(numbers, unique=True, max_size=4), min_size=1, max_size=9))
    present = sorted({variable for scope in scopes for variable in scope})
    output = draw(st.lists(st.sampled_from(present), unique=True, max_size=3)) if present else []
    return tuple(map(tuple, scopes)), sizes, tuple(output), draw(st.integers(0, 1000))


def by_einsum(factors, scopes, output):
    operands = [part for factor, scope in zip(factors, scopes, strict=True) for part in (factor, list(scope))]
    return np.einsum(*operands, list(output), optimize=False)


@settings(max_examples=200)
@given(contractions())
def test_contraction_is_that_of_einsum(case):
    scopes, sizes, output, seed = case
    generator = np.random.default_rng(seed)
    factors = [generator.random([sizes[variable] for variable in scope]) for scope in scopes]
    expected = by_einsum(factors, scopes, output)
    plan = make_plan(scopes, sizes, output)
    done = contract(plan, factors, output)
    np.testing.assert_allclose(done.values * math.exp(done.log_scale), expected, rtol=1e-11)
    logs = contract_logs(plan, [logarithms(factor) for factor in factors], output)
    np.testing.assert_allclose(np.exp(logs.values), expected, rtol=1e-11)


@settings(max_examples=100)
@given(contractions())
def test_the_largest_term_in_the_place_of_the_sum(case):
    scopes, sizes, output, seed = case
    generator = np.random.default_rng(seed)
    factors = [generator.random([sizes[variable] for variable in scope]) for scope in scopes]
    everything = tuple(sorted({variable for scope in scopes for variable in scope}))
    table = by_einsum(factors, scopes, everything)
    others = tuple(axis for axis, variable in enumerate(everything) if variable not in output)
    expected = np.max(table, axis=others).transpose([sorted(output).index(variable) for variable in output])
    logs = contract_logs(make_plan(scopes, sizes, output), list(map(logarithms, factors)), output, reduce="max")
    np.testing.assert_allclose(np.exp(logs.values), expected, rtol=1e-11)


def grid(side):
    places = range(side)
    pairs = [((row, column), (row, column + 1)) for row in places for column in range(side - 1)]
    pairs += [((row, column), (row + 1, column)) for row in range(side - 1) for column in places]
    return tuple(tuple(row * side + column for row, column in pair) for pair in pairs)


@pytest.mark.parametrize(
    ("scopes", "width"),
    [
        (tuple((number, number + 1) for number in range(500)), 1),
        (tuple((number, (number + 1) % 60) for number in range(60)), 2),
        (tuple(((number - 1) // 3, number) for number in range(1, 300)), 1),
        (tuple(itertools.combinations(range(9), 2)), 8),
        (grid(3), 3),
        (grid(5), 5),
    ],
    ids=["chain", "cycle", "tree", "complete", "grid of 3", "grid of 5"],
)
def test_width_is_the_treewidth_where_that_is_known(scopes, width):
    """With enough levels that a wider order would be costly."""
    levels = (4000,) * (1 + max(map(max, scopes)))
    assert make_plan(scopes, levels).width == width
    # If every order is cheap, the order may be wider. No order is narrower.
    assert make_plan(scopes, (2,) * len(levels)).width >= width


def test_a_parent_with_thousands_of_children_is_planned_at_once():
    """Comparing all pairs of its factors would take minutes."""
    children = 20_000
    plan = make_plan(tuple((0, number) for number in range(1, children + 1)), (3,) + (2,) * children)
    assert plan.width == 1
    assert plan.largest_entries == 6


def test_forecast_of_memory_is_true():
    generator = np.random.default_rng(1)
    scopes = tuple(tuple(range(number, number + 4)) for number in range(12))
    sizes = (14,) * 15
    plan = make_plan(scopes, sizes)
    factors = [generator.random([14] * 4) for _ in scopes]
    given_bytes = sum(factor.nbytes for factor in factors)
    tracemalloc.start()
    contract(plan, factors, ())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Ours counts the factors, which were there before.
    assert 0.2 * 8 * plan.peak_entries < peak + given_bytes < 1.3 * 8 * plan.peak_entries


def net_of_cliques():
    """Eight roots with one common child: everything meets once the child is observed."""
    roots = [f"r{number}" for number in range(8)]
    dag = Dag.from_arcs([*roots, "c"], [(root, "c") for root in roots])
    tables = {root: [0.25] * 4 for root in roots} | {"c": np.full((4,) * 8 + (2,), 0.5)}
    return Network(dag, {root: range(4) for root in roots} | {"c": ["no", "yes"]}, tables)


def test_too_large_is_refused_before_any_array_is_made(monkeypatch):
    net = net_of_cliques()
    assert net.query("r0", {"c": "yes"})[0] == pytest.approx(0.25)

    def fail(*_):
        raise AssertionError("a table was made")

    monkeypatch.setattr(Network, "factor", fail)
    for ask in (
        lambda: net.query("r0", {"c": "yes"}, memory_limit=1e5),
        lambda: net.log_evidence({"c": "yes"}, memory_limit=1e5),
        lambda: net.most_probable({"c": "yes"}, memory_limit=1e5),
        lambda: net.sample(10, 1, evidence={"c": "yes"}, memory_limit=1e5),
    ):
        with pytest.raises(TooLargeError, match=r"97\.7 KiB may be used.*Induced width 7.*65,536 entries.*r0, r1"):
            ask()


def test_too_long_is_refused_with_the_figures():
    plan = make_plan(grid(40), (2,) * 1600)
    with pytest.raises(TooLargeError, match=r"q: .*multiplications, at most 2\^36.*Induced width \d\d; .*Ask less\."):
        require_feasible("q", plan, [f"v{number}" for number in range(1600)], 1, None, "Ask less.")


def test_other_evidence_on_the_same_variables_plans_nothing(monkeypatch):
    monkeypatch.setattr(answers, "MOST_BY_TREE", 0)
    net = net_of_cliques()
    net.query("r0", {"c": "yes", "r1": 0})
    before = make_plan.cache_info().misses
    net.query("r0", {"r1": 3, "c": "no"})
    assert make_plan.cache_info().misses == before
    net.query("r1", {"r0": 3, "c": "no"})
    assert make_plan.cache_info().misses > before
