"""How often the verdicts of `qnml.independence` are wrong, beside a G test on the same tables.

Prints the tables of docs/independence.md; a minute or two.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

import qnml

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS = (50, 200, 1000, 5000)
LEVELS = ((2, 2, 1), (3, 3, 1), (5, 5, 1), (2, 2, 3), (3, 3, 3))
STRENGTHS = (0.1, 0.2, 0.3)

Table = dict[str, np.ndarray]


def drawn(generator: np.random.Generator, rows: int, levels: tuple[int, int, int], strength: float) -> Table:
    """X and y given z: with the probability `strength` y follows x, else both are random with uneven probabilities."""
    x_levels, y_levels, z_levels = levels
    z = generator.integers(0, z_levels, rows)
    x = generator.choice(x_levels, rows, p=uneven(x_levels))
    y = generator.choice(y_levels, rows, p=uneven(y_levels))
    y = np.where(generator.random(rows) < strength, (x + z) % y_levels, (y + z) % y_levels)
    return {"x": x, "y": y, "z": z}


def uneven(levels: int) -> np.ndarray:
    """Probabilities that fall by a third from one level to the next."""
    weights = 0.67 ** np.arange(levels)
    return weights / weights.sum()


def g_test(table: Table, levels: tuple[int, int, int], alpha: float) -> bool:
    """Whether the likelihood ratio test rejects independence given z at the level alpha."""
    statistic, freedom = 0.0, 0
    for value in range(levels[2]):
        counts = np.zeros(levels[:2])
        chosen = table["z"] == value
        np.add.at(counts, (table["x"][chosen], table["y"][chosen]), 1)
        counts = counts[counts.sum(1) > 0][:, counts.sum(0) > 0]
        if min(counts.shape) > 1:
            found = stats.chi2_contingency(counts, lambda_="log-likelihood", correction=False)
            statistic, freedom = statistic + found.statistic, freedom + found.dof
    return freedom > 0 and bool(stats.chi2.sf(statistic, freedom) < alpha)


def by_code(table: Table, levels: tuple[int, int, int]) -> bool:
    """Whether the qNML code with the dependence is shorter."""
    declared = {name: range(count) for name, count in zip("xyz", levels, strict=True)}
    given = ["z"] if levels[2] > 1 else []
    return qnml.independence(qnml.read_table(table, levels=declared), "x", "y", given=given).is_dependent


def shares(repetitions: int, rows: int, levels: tuple[int, int, int], strength: float) -> list[float]:
    """The share of tables in which each test finds a dependence."""
    generator = np.random.default_rng([rows, *levels, int(100 * strength)])
    tests: tuple[Callable[[Table], bool], ...] = (
        lambda table: by_code(table, levels),
        lambda table: g_test(table, levels, 0.05),
        lambda table: g_test(table, levels, 0.01),
    )
    tables = [drawn(generator, rows, levels, strength) for _ in range(repetitions)]
    return [float(np.mean([test(table) for table in tables])) for test in tests]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=400)
    repetitions = parser.parse_args().repetitions
    for strength in (0.0, *STRENGTHS):
        print(f"\n{'Independent' if not strength else f'y follows x in {strength:.0%} of the rows'}\n")
        heads = " | ".join(f"N = {rows:,}" for rows in ROWS)
        print(f"| levels of x, y, z | {heads} |\n|---|{'---:|' * len(ROWS)}")
        for levels in LEVELS:
            cells = []
            for rows in ROWS:
                code, five, one = shares(repetitions, rows, levels, strength)
                cells.append(f"{code:.3f} / {five:.3f} / {one:.3f}")
            print(f"| {levels[0]}, {levels[1]}, {levels[2] if levels[2] > 1 else '–'} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
