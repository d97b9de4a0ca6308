"""Running chains: seeds, threads, stopping, continuing, and more than 64 columns."""

from __future__ import annotations

import json
import threading
import time
import warnings
from _thread import interrupt_main
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from reference.structure_problems import make_problem, small_table

import qnml
from qnml.errors import InputError, MixingWarning
from qnml.search.chains.partition_mcmc import forecast, run
from qnml.search.chains.settings import ChainSettings
from qnml.search.posterior.method import RunOptions


def quiet(*arguments, **options):
    """Without the warning about short chains."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MixingWarning)
        return run(*arguments, **options)


@pytest.fixture(scope="module")
def problem():
    return make_problem(small_table(8, 100, seed=1))


@pytest.fixture(scope="module")
def wide():
    """Seventy columns, each a noisy copy of the one before it."""
    generator = np.random.default_rng(2)
    columns = [generator.integers(0, 2, 300)]
    for _ in range(69):
        columns.append(np.where(generator.random(300) < 0.15, 1 - columns[-1], columns[-1]))
    return qnml.Table.from_codes(columns, names=[f"v{k:02}" for k in range(70)], levels=[2] * 70)


def test_draws_depend_on_the_seed_alone(problem):
    first = quiet(replace(problem, seed=1), RunOptions(200))
    assert np.array_equal(first.draws.words, quiet(replace(problem, n_jobs=3, seed=1), RunOptions(200)).draws.words)
    assert not np.array_equal(first.draws.words, quiet(replace(problem, seed=2), RunOptions(200)).draws.words)
    chains = first.draws.words.reshape(4, -1)
    assert len({chain.tobytes() for chain in chains}) == 4


def test_the_largest_seed(problem):
    """The start networks of later chains are searched for with seeds that begin again at 0."""
    settings = ChainSettings(candidates=2)
    draws = quiet(replace(problem, seed=2**64 - 1), RunOptions(40), settings).draws
    assert np.array_equal(draws.words, quiet(replace(problem, seed=2**64 - 1), RunOptions(40), settings).draws.words)


@pytest.mark.parametrize("candidates", [None, 2])
def test_going_on_is_not_stopping(problem, candidates):
    """With the state as JSON, the further draws are the same as without the interruption."""
    settings = ChainSettings(burn_in=0, candidates=candidates)
    whole = quiet(replace(problem, seed=3), RunOptions(240), settings)
    first = quiet(replace(problem, seed=3), RunOptions(160), settings)
    state = json.loads(json.dumps(first.state))
    second = quiet(replace(problem, seed=99), RunOptions(80, state=state), settings)
    for name in ("words", "log_weights"):
        both = np.concatenate([getattr(run.draws, name) for run in (first, second)], axis=1)
        assert np.array_equal(both, getattr(whole.draws, name))
    assert second.state == whole.state


def test_states_of_other_problems_are_refused(problem):
    state = quiet(replace(problem, seed=1), RunOptions(40)).state
    with pytest.raises(InputError, match="other data"):
        quiet(make_problem(small_table(8, 100, seed=9), seed=1), RunOptions(40, state=state))
    with pytest.raises(InputError, match="same variables"):
        quiet(make_problem(small_table(7, 100, seed=1), seed=1), RunOptions(40, state=state))
    with pytest.raises(InputError, match="same prior"):
        quiet(replace(problem, prior="sparse", seed=1), RunOptions(40, state=state))
    knowledge = qnml.Knowledge(forbidden=[("a", "b")])
    with pytest.raises(InputError, match="parents that the knowledge allows"):
        quiet(make_problem(small_table(8, 100, seed=1), knowledge=knowledge, seed=1), RunOptions(40, state=state))


def test_a_time_limit_leaves_what_was_drawn(problem):
    started = time.perf_counter()
    result = quiet(replace(problem, seed=1), RunOptions(10**7, time_limit=0.3))
    assert time.perf_counter() - started < 20
    assert result.draws.stop_reason == "time limit"
    draws = result.draws.words.shape[1]
    assert draws >= 4
    assert result.draws.burn_in == pytest.approx((draws + result.draws.burn_in) / 3, abs=1)
    whole = quiet(replace(problem, seed=1), RunOptions(4 * (draws + result.draws.burn_in)), ChainSettings(burn_in=0))
    assert np.array_equal(result.draws.words, whole.draws.words[:, result.draws.burn_in :])


def test_no_time_at_all_still_gives_draws(problem):
    result = quiet(replace(problem, seed=1), RunOptions(10**7, time_limit=0.0))
    assert result.draws.words.shape[1] >= 4
    assert result.concerns() != []


def test_an_interrupt_leaves_what_was_drawn(problem):
    timer = threading.Timer(0.7, interrupt_main)
    timer.start()
    try:
        result = quiet(replace(problem, seed=1), RunOptions(10**7))
    finally:
        timer.join()
    assert result.draws.stop_reason == "interrupted"
    assert result.draws.words.shape[1] >= 4


def test_short_chains_are_warned_of(problem):
    with pytest.warns(MixingWarning, match="There are only 20 draws. Draw more samples"):
        run(replace(problem, seed=1), RunOptions(20))
    slow = ChainSettings(sweeps_per_draw=1, moves=(0, 0, 0, 0, 0.1, 0.1, 0))
    with pytest.warns(MixingWarning, match="effective sample size of"):
        run(replace(problem, seed=1), RunOptions(200), slow)


def test_chains_without_a_way_between_two_places_are_warned_of():
    """Without moves between equivalent DAGs long chains of copies stay as they started."""
    table = qnml.datasets.sample("sachs", 3000, seed=1)
    settings = ChainSettings(moves=(0, 0, 0, 0, 1, 0, 0))
    with pytest.warns(MixingWarning, match="always present in some chains and never in others"):
        result = run(make_problem(table, seed=1), RunOptions(400), settings)
    assert result.diagnostics["arcs_stuck"] > 0
    assert json.loads(json.dumps(result.diagnostics, allow_nan=False)) == result.diagnostics


def test_more_variables_than_a_word_has_bits(wide):
    names = wide.names
    knowledge = qnml.Knowledge(
        required=[("v69", "v00"), ("v68", "v69")], forbidden=[("v30", "v31")], max_parents={"v66": 1}
    )
    settings = ChainSettings(candidates=5)
    result = quiet(make_problem(wide, knowledge=knowledge, seed=1), RunOptions(80), settings)
    assert result.diagnostics["arcs_outside_candidates"] > 1
    assert 30 not in result.draws.others[31]
    for masks in result.draws.dags[::7]:
        dag = qnml.Dag.from_masks(names, masks)  # refuses cycles
        assert knowledge.admits(dag)
    shares = result.edges.values
    assert shares[69, 0] == shares[68, 69] == 1
    joined = result.adjacencies.values
    assert np.allclose(joined, shares + shares.T, rtol=0, atol=1e-12)
    assert all(joined[k, k + 1] > 0.9 for k in range(69))
    above = result.ancestors.values
    assert above[68, 0] == 1
    assert (above >= shares).all()
    assert [mask.bit_length() for mask in result.draws.dags[0]][69] == 69
    first = [sum(mask >> k & 1 for masks in result.draws.dags for mask in masks[1:2]) for k in range(70)]
    assert np.allclose(shares[:, 1], np.array(first) / len(result.draws.dags))


def test_what_it_takes_is_known_before(wide):
    problem = make_problem(wide)
    plan = forecast(problem)
    assert plan.fits
    assert plan.method == "mcmc"
    tight = forecast(replace(problem, memory_limit=plan.memory_bytes / 20))
    assert not tight.fits
    assert "memory" in tight.sentence()
    assert forecast(problem, RunOptions(400)).seconds < plan.seconds


@pytest.mark.parametrize(
    ("name", "value"), [("chains", 0), ("sweeps_per_draw", 0), ("candidates", 21), ("burn_in", 1.0)]
)
def test_bad_settings_are_refused(name, value):
    with pytest.raises(InputError, match=rf"ChainSettings\({name}={value}\)"):
        ChainSettings(**{name: value})


def test_priors_without_families_weigh_the_draws_of_the_uniform_one(problem):
    plain, weighted = (quiet(replace(problem, prior=prior, seed=1), RunOptions(400)) for prior in ("uniform", "order"))
    assert np.array_equal(plain.draws.words, weighted.draws.words)
    assert plain.draws.weights is None
    assert plain.diagnostics["weights_effective_size"] is None
    assert 1 < weighted.diagnostics["weights_effective_size"] < 400
    # The number of copies of each draw follows its weight, to less than one.
    counts = Counter(weighted.draws.dags)
    total = weighted.draws.weights.sum() / len(plain.draws.dags)
    for dag in set(plain.draws.dags):
        share = sum(
            w for w, one in zip(weighted.draws.weights.reshape(-1), plain.draws.dags, strict=True) if one == dag
        )
        assert abs(counts[dag] - share / total) <= plain.draws.dags.count(dag)
    assert sum(counts.values()) == len(plain.draws.dags)
