"""One process, several, or a cluster give identical results; killed workers lose nothing."""

import os
import signal
import time
from dataclasses import replace

import distributed
import pytest

from qnml.errors import QnmlError
from qnml.paper.execute import ChunkError, Serial, execute, perform
from qnml.paper.processes import Processes
from qnml.paper.run import run
from qnml.paper.store import Store
from qnml.paper.wanted import Settings
from qnml.paper.work import Chunk, Task, WorkList

SMALL = Settings(seed=5, repetitions=3, networks=("cancer",))


@pytest.fixture(scope="module")
def cluster():
    """A real cluster on this machine: a scheduler and two worker processes."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as made:
        yield made


def test_processes_give_the_same_bits(tmp_path, assert_same_bits):
    seen = []
    outcome = run(["figure2"], SMALL, tmp_path, workers=2, chunk_seconds=60, watch=seen.append)
    assert_same_bits(tmp_path)
    assert (outcome.workers, outcome.learnings, outcome.kept) == (2, 3 * 28 * 4 * 2, 0)
    # The totals were correct throughout.
    assert {progress.total for progress in seen} == {outcome.learnings}
    assert [progress.done for progress in seen] == sorted(progress.done for progress in seen)
    assert (seen[-1].done, seen[-1].seconds_left) == (outcome.learnings, 0.0)


def test_a_cluster_gives_the_same_bits(tmp_path, cluster, assert_same_bits):
    outcome = run(["figure2"], SMALL, tmp_path, scheduler=cluster.scheduler_address)
    assert_same_bits(tmp_path)
    assert outcome.workers == 2


def test_a_cluster_outlives_a_killed_worker(tmp_path, cluster, assert_same_bits):
    before = {worker.pid for worker in cluster.workers.values()}

    def kill(progress):
        if progress.done == 28 * 4 * 2:
            os.kill(cluster.workers[0].pid, signal.SIGKILL)

    run(["figure2"], SMALL, tmp_path, scheduler=cluster.scheduler_address, chunk_seconds=0, watch=kill)
    assert_same_bits(tmp_path)
    deadline = time.monotonic() + 30
    while {worker.pid for worker in cluster.workers.values()} == before and time.monotonic() < deadline:
        time.sleep(0.1)
    assert {worker.pid for worker in cluster.workers.values()} != before


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL on Windows")
def test_killed_processes_lose_nothing(tmp_path, assert_same_bits):
    crew = Processes(2)
    store = Store(tmp_path)
    store.prepare(5, ["structure"], resume=False)
    killed = []

    def keep(chunk, frame):
        store.save(chunk, frame)
        if not killed:
            # One worker has work, or is about to get it; the other has just returned its own.
            killed.extend(crew.process_ids)
            for process in killed:
                os.kill(process, signal.SIGKILL)

    execute(WorkList([Task("structure", "cancer", [range(3)])], 5, 0.0), crew, keep)
    store.write_tidy("structure", store.frame("structure", ["cancer"]))
    assert len(killed) == 2
    assert_same_bits(tmp_path)


class Deadly:
    """A chunk that ends the process that unpickles it."""

    title = "a deadly chunk"

    def __reduce__(self):
        return os._exit, (3,)


def test_a_chunk_that_ends_every_worker_is_given_up_with_a_word():
    crew = Processes(2)
    try:
        crew.start(Deadly())
        with pytest.raises(ChunkError, match=r"a deadly chunk: 3 worker processes were lost.*exit code 3.*--resume"):
            crew.wait()
    finally:
        crew.close()
    assert crew.process_ids == []


def test_failures_in_a_worker_name_the_chunk():
    work = WorkList([Task("structure", "nowhere", [range(2)])], 1)
    with pytest.raises(ChunkError, match=r"structure on nowhere, repetitions 0 to 0: UnknownNameError"):
        execute(work, Serial(), lambda *_: None)
    crew = Processes(1)
    work = WorkList([Task("structure", "nowhere", [range(2)])], 1)
    with pytest.raises(ChunkError, match=r"structure on nowhere, repetitions 0 to 0: UnknownNameError"):
        execute(work, crew, lambda *_: None)
    assert crew.process_ids == []


def test_results_of_another_version_are_refused(drawn, monkeypatch):
    monkeypatch.setattr("qnml.paper.execute.perform", lambda chunk: _old(perform(chunk)))
    with pytest.raises(ChunkError, match=r"a worker with qnml 0\.0\.1, but this is"):
        execute(WorkList([Task("structure", "asia", [range(1)])], 1), Serial(), lambda *_: None)


def _old(done):
    return replace(done, version="0.0.1")


def test_no_scheduler_is_one_clear_error(tmp_path, monkeypatch):
    monkeypatch.setattr("qnml.paper.cluster._CONNECT_SECONDS", 0.2)
    with pytest.raises(QnmlError, match=r"no Dask scheduler answers there"):
        run(["figure2"], SMALL, tmp_path, scheduler="tcp://127.0.0.1:9")
    assert list(tmp_path.iterdir()) == []


def test_a_chunk_says_what_it_is():
    assert Chunk("structure", "asia", 3, 6, 1).title == "structure on asia, repetitions 3 to 5"
    assert Chunk("regret", "all", 0, 1, 1).title == "regret"
