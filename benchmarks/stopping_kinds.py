"""The kinds of work that ``stopping.py`` stops: each prepares its data, then runs until it finishes or is stopped.

They are large enough to be still running when they are stopped, so that every stage is hit by some of the stops.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from exact import random_table

import qnml
from qnml.paper.run import run as run_paper
from qnml.paper.wanted import Settings
from qnml.reports.picture import to_svg

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["KINDS", "Kind"]

Work: TypeAlias = "Callable[[float | None], str]"
MEMORY = 2e9


@dataclass(frozen=True)
class Kind:
    """One kind of work.

    Attributes
    ----------
    name : title of the line.
    prepare : creates the data, given the number of threads; returns a function that works, given a time limit or None.
    longest : seconds after which the work may have finished.
    has_limit : whether the work takes a time limit; all work can be stopped by Ctrl-C.
    """

    name: str
    prepare: Callable[[int | None], Work]
    longest: float = 60.0
    has_limit: bool = True


def _learning(make: Callable[[], qnml.Table], score: str, **options: Any) -> Callable[[int | None], Work]:
    def prepare(jobs: int | None) -> Work:
        table = make()

        def work(limit: float | None) -> str:
            found = qnml.learn(table, score, time_limit=limit, memory_limit=MEMORY, n_jobs=jobs, seed=1, **options)
            return f"{found.dag.n_arcs} arcs" + (", optimal" if found.certificate.optimal else "")

        return work

    return prepare


def _posterior(make: Callable[[], qnml.Table], score: str, method: str, **options: Any) -> Callable[[int | None], Work]:
    def prepare(jobs: int | None) -> Work:
        table = make()

        def work(limit: float | None) -> str:
            import warnings

            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = qnml.posterior(
                    table, score, method, time_limit=limit, n_jobs=jobs, memory_limit=MEMORY, **options
                )
            return f"{found.method}, {float(found.adjacencies.sum()) / 2:.1f} pairs"

        return work

    return prepare


def _bootstrap(make: Callable[[], qnml.Table], replicates: int, **options: Any) -> Callable[[int | None], Work]:
    def prepare(jobs: int | None) -> Work:
        table = make()

        def work(limit: float | None) -> str:
            found = qnml.bootstrap(
                table, replicates, "bic", seed=1, time_limit=limit, n_jobs=jobs, memory_limit=MEMORY, **options
            )
            return f"{found.replicates} replicates"

        return work

    return prepare


def _ranking(what: str, n: int, k: int) -> Callable[[int | None], Work]:
    def prepare(jobs: int | None) -> Work:
        table = random_table(n, 1000, seed=1)

        def work(limit: float | None) -> str:
            found = qnml.k_best(table, k, "qnml", what, time_limit=limit, memory_limit=MEMORY, n_jobs=jobs)
            return f"{found.proven} proven"

        return work

    return prepare


def _learning_many(jobs: int | None) -> Work:
    tables = [random_table(10, 100, seed=number) for number in range(3000)]

    def work(_: float | None) -> str:
        return f"{len(qnml.learn_many(tables, ['qnml', 'bdeu'], n_jobs=jobs))} tables"

    return work


def _local_scores(n: int, most: int | None) -> Callable[[int | None], Work]:
    def prepare(jobs: int | None) -> Work:
        table = random_table(n, 1000, seed=1)

        def work(_: float | None) -> str:
            with tempfile.TemporaryDirectory() as folder:
                qnml.write_local_scores(table, Path(folder) / "scores.jkl", "qnml", max_parents=most, n_jobs=jobs)
            return "written"

        return work

    return prepare


def _scoring(jobs: int | None) -> Work:
    table = random_table(300, 20000, seed=1)
    dag = qnml.learn(table, "bic", "hill-climbing", effort="quick", guard="off").dag

    def work(_: float | None) -> str:
        for _ in range(1000):
            qnml.explain(table, dag, "bdeu", n_jobs=jobs)
        return "explained"

    return work


def _sampling(jobs: int | None) -> Work:
    net = qnml.datasets.load_network("munin1")

    def work(_: float | None) -> str:
        return f"{net.sample(10_000_000, seed=1, n_jobs=jobs).n_rows} rows"

    return work


def _with_gaps(name: str, rows: int) -> tuple[qnml.Network, dict[str, list[Any]]]:
    """Rows of a network with a tenth of their cells missing."""
    net = qnml.datasets.load_network(name)
    drawn = net.sample(rows, seed=1)
    chance = np.random.default_rng(1)
    gaps: dict[str, list[Any]] = {}
    for name_, column in zip(drawn.names, drawn.columns, strict=True):
        labels = np.array(drawn.levels[drawn.index(name_)], dtype=object)[column]
        labels[chance.random(rows) < 0.1] = None
        gaps[name_] = labels.tolist()
    return net, gaps


def _predicting(jobs: int | None) -> Work:
    net, rows = _with_gaps("hailfinder", 400_000)
    target = net.names[len(net.names) // 2]

    def work(_: float | None) -> str:
        return f"{len(net.predict_proba(rows, target, n_jobs=jobs))} rows"

    return work


def _asking(name: str) -> Callable[[int | None], Work]:
    def prepare(_: int | None) -> Work:
        net = qnml.datasets.load_network(name)

        def work(_: float | None) -> str:
            for _ in range(20):
                for one in net.names:
                    net.query([one])
            return "all marginals"

        return work

    return prepare


def _dense_dag(n: int, share: float) -> qnml.Dag:
    chance = np.random.default_rng(1)
    names = [f"V{place:03}" for place in range(n)]
    arcs = [(names[i], names[j]) for i in range(n) for j in range(i + 1, n) if chance.random() < share]
    return qnml.Dag.from_arcs(names, arcs)


def _drawing(n: int, share: float, layout: str) -> Callable[[int | None], Work]:
    def prepare(_: int | None) -> Work:
        dag = _dense_dag(n, share)

        def work(_: float | None) -> str:
            return f"{len(to_svg(dag, layout=layout))} characters"  # type: ignore[arg-type]

        return work

    return prepare


def _reading(_: int | None) -> Work:
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name) / "wide.csv"
    chance = np.random.default_rng(1)
    cells = chance.integers(0, 4, size=(20_000, 1000))
    header = ",".join(f"c{place}" for place in range(cells.shape[1]))
    np.savetxt(path, cells, fmt="%d", delimiter=",", header=header, comments="")

    def work(_: float | None) -> str:
        with folder:
            for _ in range(20):
                qnml.read_table(path)
        return "read"

    return work


def _paper(jobs: int | None) -> Work:
    def work(_: float | None) -> str:
        with tempfile.TemporaryDirectory() as folder:
            run_paper(["figure2"], Settings(repetitions=100), folder, workers=jobs)
        return "done"

    return work


def _sampled(name: str, rows: int) -> Callable[[], qnml.Table]:
    return lambda: qnml.datasets.sample(name, rows, seed=1)


def _random(n: int, rows: int) -> Callable[[], qnml.Table]:
    return lambda: random_table(n, rows, seed=1)


KINDS: tuple[Kind, ...] = (
    Kind("exact, lattice, 25 variables", _learning(_random(25, 1000), "qnml", method="exact")),
    Kind("exact, lattice, fnml, 24 variables", _learning(_random(24, 1000), "fnml", method="exact")),
    Kind(
        "exact, 3 parents, alarm 1,000 rows", _learning(_sampled("alarm", 1000), "bic", method="exact", max_parents=3)
    ),
    Kind(
        "exact, 3 parents, hailfinder 20,000 rows",
        _learning(_sampled("hailfinder", 20000), "bic", method="exact", max_parents=3),
    ),
    Kind("order, munin1 1,000 rows, bdeu", _learning(_sampled("munin1", 1000), "bdeu", method="order")),
    Kind(
        "order, 1,000 variables, 10,000 rows",
        _learning(_random(1000, 10000), "qnml", method="order", effort="thorough"),
    ),
    Kind("order, 3,000 variables, 500 rows", _learning(_random(3000, 500), "bic", method="order", effort="thorough")),
    Kind(
        "hill climbing, 800 variables",
        _learning(_random(800, 5000), "qnml", method="hill-climbing", effort="thorough"),
    ),
    Kind("ges, 300 variables", _learning(_random(300, 5000), "bic", method="ges", effort="thorough")),
    Kind("ges, munin1 1,000 rows, bdeu", _learning(_sampled("munin1", 1000), "bdeu", method="ges")),
    Kind(
        "proof, insurance, thorough",
        _learning(_sampled("insurance", 1000), "qnml", method="order", effort="thorough"),
    ),
    Kind(
        "proof, hailfinder, thorough",
        _learning(_sampled("hailfinder", 1000), "bic", method="order", effort="thorough"),
    ),
    Kind("k best classes, 20 variables", _ranking("classes", 20, 300_000)),
    Kind("k best networks, 18 variables", _ranking("dags", 18, 1_000_000)),
    Kind("posterior, exact sums, 19 variables", _posterior(_random(19, 1000), "qnml", "exact")),
    Kind("posterior, order prior, 21 variables", _posterior(_random(21, 1000), "bdeu", "exact", prior="order")),
    Kind(
        "posterior, enumeration, 6 variables",
        _posterior(_random(6, 1000), "bdeu", "enumerate", prior="classes"),
        longest=1.5,
    ),
    Kind("posterior, chains, alarm", _posterior(_sampled("alarm", 1000), "bdeu", "mcmc", samples=200_000)),
    Kind("posterior, chains, 300 variables", _posterior(_random(300, 5000), "bdeu", "mcmc", samples=100_000)),
    Kind("bootstrap, exact, 17 variables", _bootstrap(_random(17, 1000), 20_000)),
    Kind(
        "bootstrap, exact, child, 2 parents", _bootstrap(_sampled("child", 1000), 1000, max_parents=2, method="exact")
    ),
    Kind("bootstrap, searched, alarm", _bootstrap(_sampled("alarm", 2000), 5000, method="order")),
    Kind("bootstrap, searched, 1,000 variables", _bootstrap(_random(1000, 5000), 500, method="order")),
    Kind("learn_many, 3,000 tables", _learning_many, 4.0, has_limit=False),
    Kind("local scores, 20 variables", _local_scores(20, None), has_limit=False),
    Kind("local scores, 60 variables, 4 parents", _local_scores(60, 4), has_limit=False),
    Kind("explain, 300 variables, 20,000 rows", _scoring, has_limit=False),
    Kind("sampling munin1", _sampling, has_limit=False),
    Kind("predictions, hailfinder with gaps", _predicting, has_limit=False),
    Kind("questions, munin", _asking("munin"), has_limit=False),
    Kind("questions, link", _asking("link"), has_limit=False),
    Kind("own layout, 500 nodes", _drawing(500, 0.2, "own"), has_limit=False),
    Kind("own layout, 200 nodes, dense", _drawing(200, 0.2, "own"), has_limit=False),
    Kind("Graphviz, 500 nodes", _drawing(500, 0.02, "auto"), has_limit=False),
    Kind("reading CSV", _reading, has_limit=False),
    Kind("experiments of the paper", _paper, has_limit=False),
)
