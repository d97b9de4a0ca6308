"""Ctrl-C, once and more often: nothing that was found is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import qnml
from qnml._interrupts import held_interrupts

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends signals to itself")


@pytest.fixture(autouse=True)
def usual_handler():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


def press(times: int = 1) -> None:
    for _ in range(times):
        signal.raise_signal(signal.SIGINT)


def test_interrupts_are_counted_and_not_raised():
    with held_interrupts() as outer:
        press(2)
        with held_interrupts() as inner:
            press()
        assert inner is outer
        press()
        assert outer.count == 4
    with pytest.raises(KeyboardInterrupt):
        press()


def test_a_part_that_can_be_left_out_is_left():
    with held_interrupts() as interrupts:
        with pytest.raises(KeyboardInterrupt), interrupts.raised():
            press()
        told = []
        with interrupts.telling(lambda: told.append("what was raised")) as times:
            assert (told, times()) == ([], 0)
        press()
        assert interrupts.count == 2


def test_work_is_told_at_once_and_of_what_came_before():
    told = []
    with held_interrupts() as interrupts:
        with interrupts.telling(lambda: told.append("first")) as times:
            press(2)
        assert (told, times()) == (["first", "first"], 2)
        press()
        with interrupts.telling(lambda: told.append("second")) as times:
            assert (told[2:], times()) == (["second"], 1)


def test_the_fifth_gets_out():
    with held_interrupts() as interrupts:
        press(4)
        assert interrupts.count == 4
        with pytest.raises(KeyboardInterrupt):
            press()


def test_other_handlers_and_other_threads_are_left_alone():
    seen = []
    signal.signal(signal.SIGINT, lambda *_: seen.append(1))
    with held_interrupts() as interrupts:
        press()
    assert (seen, interrupts.count) == ([1], 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    counts = []

    def elsewhere() -> None:
        with held_interrupts() as found:
            counts.append(found.count)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert counts == [0]


# Four signals, the first once the core works and the others as soon as it has been told: whatever happens afterwards,
# counting the answer anew and warning of families, has to get through.
STORM = """
import signal, sys, threading
import numpy as np
import qnml
from qnml import _core

search = _core.learn_exact
main = threading.main_thread().ident

def interrupted_search(*given):
    threading.Timer(0.1, signal.pthread_kill, (main, signal.SIGINT)).start()
    return search(*given)

from qnml._api import run_search as front
scores = front.fresh_scores

def interrupted_scores(*given):
    for _ in range(3):
        signal.raise_signal(signal.SIGINT)
    return scores(*given)

front.fresh_scores = interrupted_scores
_core.learn_exact = interrupted_search
generator = np.random.default_rng(22)
source = generator.integers(0, 3, (1000, 1))
noise = generator.integers(0, 3, (1000, 22))
table = qnml.Table.from_codes(np.where(generator.random((1000, 22)) < 0.5, source, noise))
result = qnml.learn(table, "fnml", guard="off")
print(result.certificate.stop_reason, result.dag.n_arcs > 0)
"""


def test_a_storm_of_interrupts_returns_the_best_so_far():
    done = subprocess.run([sys.executable, "-c", STORM], capture_output=True, text=True, timeout=120)
    assert done.stdout == "interrupted True\n", done.stderr


# The picture never gets done; the second Ctrl-C comes while it is drawn, or together with the first.
COMMAND = """
import os, signal, sys, threading, time
from qnml import _core
import qnml.cli.result_files
from qnml.cli.app import main

search = _core.learn_exact

def interrupted_search(*given):
    main_thread = threading.main_thread().ident
    threading.Timer(0.1, signal.pthread_kill, (main_thread, signal.SIGINT)).start()
    found = search(*given)
    # The first has been heard; two at once could become one.
    if sys.argv[1] == "2":
        signal.pthread_kill(main_thread, signal.SIGINT)
        time.sleep(0.5)
    return found

def drawn(result, path):
    print("drawing", file=sys.stderr)
    signal.raise_signal(signal.SIGINT)
    time.sleep(60)

_core.learn_exact = interrupted_search
qnml.cli.result_files.write_picture = drawn
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.parametrize("times", [1, 2])
def test_the_second_one_leaves_out_the_picture_alone(times, tmp_path):
    generator = np.random.default_rng(22)
    mixed = np.where(
        generator.random((1000, 21)) < 0.5, generator.integers(0, 3, (1000, 1)), generator.integers(0, 3, (1000, 21))
    )
    header = ",".join(f"v{place:02}" for place in range(21))
    np.savetxt(tmp_path / "wide.csv", mixed, fmt="l%d", delimiter=",", header=header, comments="")
    words = ["learn", "wide.csv", "--score", "fnml", "--output", "net.json", "--plot", "net.svg", "--json"]
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, str(times), *words], capture_output=True, text=True, cwd=tmp_path, timeout=120
    )
    assert done.returncode == 130, done.stderr
    assert done.stderr.splitlines()[-1] == "qnml: interrupted: net.svg was not drawn; all other results are complete."
    assert ("drawing" in done.stderr) == (times == 1)
    facts = json.loads(done.stdout)
    assert facts["certificate"]["stop_reason"] == "interrupted"
    assert not (tmp_path / "net.svg").exists()
    assert qnml.read_network(tmp_path / "net.json").dag.n_arcs > 0
