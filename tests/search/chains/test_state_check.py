"""States of chains: after any edit, one error that names the entry, or a run that works."""

from __future__ import annotations

import copy
import json
import math
import random
import warnings
from dataclasses import replace

import numpy as np
import pytest
from reference.edited_documents import edited
from reference.structure_problems import make_problem, small_table

import qnml
from qnml.errors import InputError, MixingWarning, QnmlError, TooLargeError
from qnml.search.chains.partition_mcmc import run
from qnml.search.chains.settings import ChainSettings
from qnml.search.posterior.method import RunOptions

FEW = ChainSettings(chains=2, candidates=2, sweeps_per_draw=1)
ALL = ChainSettings(chains=2, sweeps_per_draw=1)


def go_on(problem, state, settings=FEW):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MixingWarning)
        return run(replace(problem, seed=1), RunOptions(8, state=state), settings)


@pytest.fixture(scope="module")
def problem():
    return make_problem(small_table(6, 100, seed=1))


@pytest.fixture(scope="module")
def states(problem):
    """With two candidates for each column, and others outside; and with all parents as candidates."""
    return {settings: json.loads(json.dumps(go_on(problem, None, settings).state)) for settings in (FEW, ALL)}


@pytest.fixture
def state(states):
    return copy.deepcopy(states[FEW])


def test_a_state_is_taken_as_it_is(problem, states):
    for settings, state in states.items():
        before = copy.deepcopy(state)
        assert go_on(problem, state, settings).draws.words.shape[:2] == (2, 4)
        assert state == before


def edit(place, value):
    """Put a value in a place such as ("chains", 0, "dag")."""

    def change(state):
        holder = state
        for step in place[:-1]:
            holder = holder[step]
        if value is DELETED:
            del holder[place[-1]]
        else:
            holder[place[-1]] = value

    return change


DELETED = object()
EDITS = [
    (("version",), DELETED, r"state\.version=absent\): must be 3"),
    (("version",), 2, r"state\.version=2\): must be 3: states of other versions"),
    (("version",), True, r"state\.version=True\): must be 3"),
    (("names",), ["a"], r"state\.names=\['a'\]\): must be \['a', 'b'.*the same variables"),
    (("names", 0), 3, r"state\.names\[0\]=3\): must be a text"),
    (("names",), DELETED, r"state\.names=absent\): must be a list"),
    (("prior",), "sparse", r"state\.prior='sparse'\): must be 'uniform': the state of a run with the same prior"),
    (("prior",), ["uniform"], r"state\.prior=\['uniform'\]\): must be 'uniform' or"),
    (("candidates",), DELETED, r"state\.candidates=absent\)"),
    (("candidates",), [], r"state\.candidates=\[\]\): must be a list of 6"),
    (("candidates", 3), [3, 4], r"state\.candidates\[3\]\[0\]=3\): must be one of \[0, 1, 2, 4, 5\], parents that"),
    (("candidates", 3), [4, 1], r"state\.candidates\[3\]\[1\]=1\): must be above the entry before it, which is 4"),
    (("candidates", 3), [4, 4], r"state\.candidates\[3\]\[1\]=4\): must be above"),
    (("candidates", 3, 1), 6, r"state\.candidates\[3\]\[1\]=6\): must be a whole number from 0 to 5"),
    (("candidates", 3, 1), 1.0, r"state\.candidates\[3\]\[1\]=1\.0\): must be a whole number"),
    (("odds",), None, r"state\.odds=None\): must be given, as crowding is"),
    (("odds",), [], r"state\.odds=\[\]\): must be null or a list of 6"),
    (("odds", 1), [1.0] * 5, r"state\.odds\[1\]=\[.*must be a list of 6, each a number from 1e-09 to 1e\+12"),
    (("odds", 1, 2), math.nan, r"state\.odds\[1\]\[2\]=nan\): must be a number from"),
    (("odds", 1, 2), -0.1, r"state\.odds\[1\]\[2\]=-0\.1\): must be a number from"),
    (("odds", 1, 2), 0, r"state\.odds\[1\]\[2\]=0\): must be a number from"),
    (("crowding",), None, r"state\.crowding=None\): must be given, as odds is"),
    (("crowding", 0), math.inf, r"state\.crowding\[0\]=inf\)"),
    (("log_totals", 2), "x", r"state\.log_totals\[2\]='x'\): must be a finite number"),
    (("log_totals", 2), 0.0, r"state\.log_totals\[2\]=0\.0\): must be -.*belongs to other data.*Start new chains"),
    (("chains",), [], r"state\.chains=\[\]\): must be a list of 2"),
    (("chains", 1), DELETED, r"state\.chains=\[.*must be a list of 2"),
    (("chains", 0, "note"), "mine", r"state\.chains\[0\]\.note='mine'\): must be left out: entries are random, dag"),
    (("chains", 0, "random"), [0, 0, 0, 0], r"chains\[0\]\.random=\[0, 0, 0, 0\]\): must be other than four zeros"),
    (("chains", 0, "random", 3), 2**64, r"chains\[0\]\.random\[3\]=18446744073709551616\): must be a whole number"),
    (("chains", 0, "random", 3), -1, r"chains\[0\]\.random\[3\]=-1\)"),
    (("chains", 0, "dag", 0), 4, r"chains\[0\]\.dag\[0\]=4\): must be a whole number from 0 to 3"),
    (("chains", 0, "outside", 0), [0], r"chains\[0\]\.outside\[0\]\[0\]=0\): must be one of .* not candidates"),
    (("chains", 0, "sweeps"), DELETED, r"chains\[0\]\.sweeps=absent\): must be a whole number"),
    (("chains", 0, "sweeps"), 10**5000, r"chains\[0\]\.sweeps=<int>\): must be a whole number"),
    (("chains", 0, "tried"), [1] * 6, r"chains\[0\]\.tried=\[1.*must be a list of 7"),
    (("chains", 0, "changed", 0), 2**53, r"chains\[0\]\.changed\[0\]=\d+\): must be at most tried\[0\], which is"),
]


@pytest.mark.parametrize(("place", "value", "said"), EDITS, ids=range(len(EDITS)))
def test_an_edit_is_refused_by_its_name(problem, state, place, value, said):
    edit(place, value)(state)
    with pytest.raises(InputError, match=rf"^posterior\({said}|^posterior\(state\.{said}"):
        go_on(problem, state)


@pytest.mark.parametrize("document", [None, [], "state", 3, {}, {"chains": []}])
def test_what_is_no_state(problem, document):
    table = small_table(6, 100, seed=1)
    if document is not None:
        with pytest.raises(InputError, match=r"^posterior\(state"):
            qnml.posterior(table, "bdeu", "mcmc", samples=8, state=document)


def test_a_list_that_is_too_short_for_the_core(problem, states):
    """Two edits that once crashed the process: a candidate removed, without odds for the former candidate."""
    shorter = copy.deepcopy(states[ALL])
    shorter["candidates"][0].pop(2)
    with pytest.raises(InputError, match=r"odds=None\): must be given: not all allowed parents .* candidates\[0\]"):
        go_on(problem, shorter, ALL)
    for empty in ([], [[]] * 6):
        with pytest.raises(InputError, match=r"state\.odds"):
            go_on(problem, {**states[FEW], "odds": empty})


def test_chains_with_the_same_numbers_are_one_chain(problem, state):
    state["chains"][1]["random"] = list(state["chains"][0]["random"])
    with pytest.raises(InputError, match=r"chains\[1\]\.random=.*must be other than that of chains\[0\]"):
        go_on(problem, state)


def test_dags_have_no_cycles(problem, states):
    state = copy.deepcopy(states[ALL])
    # Both have the other among their candidates: a is the first candidate of b, and b that of a.
    state["chains"][1]["dag"] = [1, 1, 0, 0, 0, 0]
    with pytest.raises(InputError, match=r"chains\[1\]\.dag=.*must be a graph without cycles: .*a -> b -> a"):
        go_on(problem, state, ALL)


def test_knowledge_and_limits_hold_for_states(states):
    table = small_table(6, 100, seed=1)
    forbidden = make_problem(table, knowledge=qnml.Knowledge(forbidden=[("b", "a")]))
    with pytest.raises(InputError, match=r"candidates\[0\]\[0\]=1\): must be one of \[2, 3, 4, 5\]"):
        go_on(forbidden, states[ALL], ALL)
    state = copy.deepcopy(states[ALL])
    state["chains"][0]["dag"] = [0b11111, 0, 0, 0, 0, 0]
    capped = make_problem(table)
    capped = replace(capped, compiled=replace(capped.compiled, max_parents=(2,) * 6))
    with pytest.raises(InputError, match=r"chains\[0\]\.dag\[0\]=31\): must be parents of 'a' within max_parents"):
        go_on(capped, state, ALL)


def test_candidates_that_do_not_fit_are_refused_before_the_work(problem, states):
    with pytest.raises(
        TooLargeError, match=r"posterior\(state\): sums over its candidates need .* larger memory_limit"
    ):
        go_on(replace(problem, memory_limit=1000.0), states[ALL], ALL)


@pytest.mark.parametrize("settings", [FEW, ALL], ids=["few", "all"])
def test_no_edit_breaks_anything(problem, states, settings):
    """Thousands of random edits: an error of ours that names the state, or draws that are DAGs."""
    rng = random.Random(11)
    worked = 0
    for number in range(1500):
        changed, said = edited(states[settings], rng)
        found, refused = None, None
        try:
            found = go_on(problem, changed, settings)
        except QnmlError as error:
            refused = str(error)
        if found is None:
            assert refused.startswith("posterior(state"), (number, said, refused)
            assert len(refused) < 1000, (number, said)
            continue
        worked += 1
        assert found.draws.words.shape[:2] == (2, 4), (number, said)
        assert np.isfinite(found.draws.log_weights).all(), (number, said)
        json.dumps(found.state, allow_nan=False)
    # Numbers of sweeps, odds and DAGs may be others; most edits are refused.
    assert 10 < worked < 500
