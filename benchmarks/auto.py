"""``method="auto"`` compared with ``method="order"`` under a limit on parents: it must never score lower.

    python benchmarks/auto.py [--networks child,alarm,...] [--scores bic,...] [--limits 2,3,4] [--markdown]

Each table is a sample of 1,000 rows. Both searches have the same seed and the default effort. Times are CPU seconds
over all cores. The last column gives the outcome of the exact search that ``"auto"`` starts after order search, if it
fits. The networks are read from the data folder, which is required.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass

import qnml

__all__ = ["Line", "compare"]

NETWORKS = "child,insurance,alarm,hailfinder,hepar2,win95pts"
_ROWS = 1000
_SEED = 1


@dataclass(frozen=True)
class Line:
    """One table, score and limit: the scores and times of both searches, and what the first could prove."""

    title: str
    auto: float
    order: float
    auto_seconds: float
    order_seconds: float
    outcome: str

    @property
    def is_worse(self) -> bool:
        """Whether order search alone would have been better."""
        return self.auto < self.order - 1e-9 * abs(self.order)


def compare(table: qnml.Table, title: str, score: str, limit: int) -> Line:
    """Run both searches."""
    scores, seconds = [], []
    outcome = ""
    for method in ("auto", "order"):
        began = time.process_time()
        result = qnml.learn(table, score, method, max_parents=limit, prior="uniform", guard="off", seed=_SEED)
        seconds.append(time.process_time() - began)
        scores.append(result.score)
        if method == "auto":
            certificate = result.certificate
            outcome = "proven" if certificate.optimal else certificate.stop_reason or "not proven"
    return Line(f"{title}, {score}, {limit}", *scores, *seconds, outcome)


def report(networks: list[str], scores: list[str], limits: list[int], markdown: bool) -> int:
    """Print a line for each case; return how many are worse."""
    worse = 0
    if markdown:
        print("| case | auto | order | auto, CPU s | order, CPU s | the exact search |\n|---|---|---|---|---|---|")
    else:
        print(f"{'case':<28}{'auto':>14}{'order':>14}{'CPU s':>9}{'CPU s':>9}  the exact search")
    for name in networks:
        table = qnml.datasets.sample(name, _ROWS, seed=_SEED)
        for score in scores:
            for limit in limits:
                line = compare(table, name, score, limit)
                worse += line.is_worse
                flag = "  WORSE" if line.is_worse else ""
                cells = (
                    f"{line.auto:.2f}",
                    f"{line.order:.2f}",
                    f"{line.auto_seconds:.2f}",
                    f"{line.order_seconds:.2f}",
                )
                if markdown:
                    print(f"| {line.title} | {' | '.join(cells)} | {line.outcome}{flag} |", flush=True)
                else:
                    auto, order, ours, theirs = cells
                    print(
                        f"{line.title:<28}{auto:>14}{order:>14}{ours:>9}{theirs:>9}  {line.outcome}{flag}", flush=True
                    )
    return worse


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--networks", default=NETWORKS, help="names, separated by commas")
    parser.add_argument("--scores", default="bic,bdeu,qnml", help="names, separated by commas")
    parser.add_argument("--limits", default="2,3,4", help="maximum numbers of parents, separated by commas")
    parser.add_argument("--markdown", action="store_true", help="as a table for the documentation")
    given = parser.parse_args()
    limits = [int(limit) for limit in given.limits.split(",")]
    try:
        worse = report(given.networks.split(","), given.scores.split(","), limits, given.markdown)
    except qnml.DataFolderError as absent:
        print(absent)
        return
    if worse:
        sys.exit(f"{worse} worse than order search alone")


if __name__ == "__main__":
    _main()
