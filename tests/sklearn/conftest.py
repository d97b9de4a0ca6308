"""Data for the estimators: a class, two features that depend on it, and one that depends on nothing.

Names are in alphabetical order, because that order decides which member of an equivalence class is shown: so do the
names of the columns of an array, and the same network is found in both.
"""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest


@pytest.fixture(scope="session")
def frame() -> pl.DataFrame:
    """300 rows of one integer column and three of text."""
    generator = np.random.default_rng(8)
    tree = generator.integers(0, 3, 300)
    shade = np.where(generator.random(300) < 0.8, tree, generator.integers(0, 3, 300))
    size = np.where(generator.random(300) < 0.7, tree > 0, generator.integers(0, 2, 300) == 1)
    return pl.DataFrame(
        {
            "coin": generator.integers(0, 2, 300),
            "shade": np.array(["dark", "middle", "pale"])[shade],
            "size": np.where(size, "large", "small"),
            "tree": np.array(["ash", "birch", "cedar"])[tree],
        }
    )
