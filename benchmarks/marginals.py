"""All marginals of published networks, compared with pyAgrum's junction tree, and many rows of evidence.

    python benchmarks/marginals.py [--networks alarm,andes] [--longest 60]

Both programs run in turn on the same network and the same evidence: none, or every tenth variable observed at the
levels of a drawn row. A fresh answer includes all that a first question costs but reading the network: compiling
tables, making the tree, computing, and reading every marginal. A next answer is for other levels of the same variables.
pyAgrum runs in a process of its own that is given up after `--longest` seconds. The answers are compared.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from importlib import metadata
from typing import TYPE_CHECKING, Any

import numpy as np

import qnml
from qnml.errors import DataFolderError, TooLargeError
from qnml.model.inference import marginals

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NETWORKS = (
    "asia cancer earthquake sachs survey alarm barley child insurance mildew water hailfinder hepar2 win95pts "
    "andes diabetes link munin munin1 munin2 munin3 munin4 pathfinder pigs"
)
PASSES = 3
LONG = 2.0
Answers = list[np.ndarray[Any, Any]]


def evidence_of(net: qnml.Network, seed: int, share: float) -> dict[str, Any]:
    """Levels of some variables from a drawn row; the variables do not depend on the seed."""
    count = round(share * len(net.names))
    chosen = np.random.default_rng(0).permutation(net.names)[:count].tolist()
    row = net.sample(1, seed=seed)
    return {name: row.labels(name)[0] for name in chosen}


def best_of(work: Callable[[], tuple[float, float, Answers]]) -> tuple[float, float, Answers]:
    """Shortest times of several passes; a single pass if it takes long."""
    first = work()
    if first[0] > LONG:
        return first
    rest = [work() for _ in range(PASSES - 1)]
    return min(first[0], *(one[0] for one in rest)), min(first[1], *(one[1] for one in rest)), first[2]


def ours(net: qnml.Network, evidence: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[float, float, Answers]:
    """Times of a fresh and of a next answer, and the fresh one."""
    tables = {name: net.conditional(name) for name in net.names}
    unused = qnml.Network(net.dag, net.levels, tables)
    start = time.perf_counter()
    found = marginals(unused, evidence)
    answers = [found.values_of(name) for name in net.names]
    fresh = time.perf_counter() - start
    start = time.perf_counter()
    after = marginals(unused, other, impossible="nan")
    for name in net.names:
        after.values_of(name)
    return fresh, time.perf_counter() - start, answers


def as_agrum(net: qnml.Network) -> Any:
    """The same network, its rounded rows made to sum to one as ours are."""
    import pyagrum

    made = pyagrum.BayesNet()
    for name in net.names:
        made.add(pyagrum.LabelizedVariable(name, "", [str(label) for label in net.levels[name]]))
    for parent, child in net.dag.arcs:
        made.addArc(parent, child)
    for name in net.names:
        table, own = made.cpt(name), (*net.dag.parents(name), name)
        values = net.table(name)
        values = values / values.sum(axis=-1, keepdims=True)
        table.fillWith(values.transpose([own.index(axis) for axis in reversed(table.names)]).reshape(-1).tolist())
    return made


def agrum(made: Any, evidence: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[float, float, Answers]:
    """As `ours`; a next answer needs evidence, since without it everything is known already."""
    import pyagrum

    def asked(engine: Any, given: Mapping[str, Any]) -> tuple[float, Answers]:
        engine.setEvidence({name: str(label) for name, label in given.items()})
        engine.makeInference()
        return time.perf_counter(), [engine.posterior(name) for name in made.names()]

    order = sorted(made.names(), key=made.idFromName)
    start = time.perf_counter()
    engine = pyagrum.LazyPropagation(made)
    _, found = asked(engine, evidence)
    fresh = time.perf_counter() - start
    start = time.perf_counter()
    asked(engine, other)
    after = time.perf_counter() - start
    by_name = dict(zip(made.names(), found, strict=True))
    return fresh, after, [by_name[name].toarray() for name in order]


def apart(name: str, share: float, results: Any) -> None:
    """The work of the other process."""
    net = qnml.datasets.load_network(name)
    made = as_agrum(net)
    results.send(best_of(lambda: agrum(made, evidence_of(net, 1, share), evidence_of(net, 2, share))))


def given_up(name: str, share: float, longest: float) -> tuple[float, float, Answers] | None:
    """What pyAgrum does, or None if it ran out of time or memory."""
    receiving, sending = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=apart, args=(name, share, sending))
    process.start()
    sending.close()
    try:
        return receiving.recv() if receiving.poll(longest) else None
    except EOFError:
        return None
    finally:
        process.kill()
        process.join()


def shown(seconds: float) -> str:
    """Milliseconds."""
    return f"{1000 * seconds:,.2f}"


def compared(name: str, share: float, longest: float) -> None:
    """One row of the table."""
    net = qnml.datasets.load_network(name)
    evidence, other = evidence_of(net, 1, share), evidence_of(net, 2, share)
    what = f"{name:<11} {'a tenth observed' if share else 'no evidence':<17}"
    try:
        fresh, after, answers = best_of(lambda: ours(net, evidence, other))
    except TooLargeError as error:
        print(f"{what} {error}")
        return
    theirs = given_up(name, share, longest)
    if theirs is None:
        print(f"{what} {shown(fresh):>10} {shown(after):>10}   pyAgrum: no answer in {longest:.0f} s", flush=True)
        return
    gap = max(float(np.abs(a - b).max()) for a, b in zip(answers, theirs[2], strict=True))
    print(
        f"{what} {shown(fresh):>10} {shown(after):>10} {shown(theirs[0]):>12} {shown(theirs[1]) if share else '':>12}"
        f" {theirs[0] / fresh:>8.1f} {gap:>9.0e}",
        flush=True,
    )


def many_rows(name: str, rows: int = 10_000) -> None:
    """Marginals of all variables given each of many rows with every third cell missing."""
    net = qnml.datasets.load_network(name)
    drawn, chance = net.sample(rows, seed=1), np.random.default_rng(1)
    holed = {
        one: [None if gone else label for label, gone in zip(drawn.labels(one), chance.random(rows) < 0.3, strict=True)]
        for one in net.names
    }
    start = time.perf_counter()
    net.row_marginals(holed)
    seconds = time.perf_counter() - start
    print(f"{name}: all marginals given each of {rows:,} rows, 30 % of the cells missing: {seconds:.2f} s")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", default=NETWORKS.replace(" ", ","))
    parser.add_argument("--longest", type=float, default=60.0)
    options = parser.parse_args()
    try:
        version = metadata.version("pyagrum")
    except metadata.PackageNotFoundError:
        print("pyAgrum is not installed; nothing to compare with.")
        return
    print(f"milliseconds for all marginals: qnml {qnml.__version__} fresh and next, pyAgrum {version} fresh and next,")
    print("fresh pyAgrum / fresh qnml, largest difference of a probability")
    for name in options.networks.split(","):
        try:
            for share in (0.0, 0.1):
                compared(name, share, options.longest)
        except DataFolderError:
            print(f"{name} needs the data folder, which is absent.")
    many_rows("asia")


if __name__ == "__main__":
    main()
