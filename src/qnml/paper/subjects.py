"""The subjects of the experiments: the 20 data sets and five networks of the paper, and their sizes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from qnml import datasets
from qnml.paper.printed import SETS

if TYPE_CHECKING:
    from qnml.data import Table
    from qnml.model import Network

__all__ = [
    "BEYOND_2000",
    "DATASETS",
    "FRACTIONS",
    "NETWORKS",
    "SIZES",
    "absent_datasets",
    "is_bundled",
    "load_dataset",
    "load_true_network",
    "training_rows",
]

DATASETS = tuple(SETS)
"""The data sets, in the order of the paper's Table 2."""

NETWORKS = ("asia", "cancer", "earthquake", "sachs", "survey")
"""The networks from which data are sampled."""

BEYOND_2000 = ("abalone", "page_blocks", "adult", "shuttle")
"""The data sets in which configurations of parents have more than 2000 observations, see :mod:`qnml.paper.slip`."""

SIZES = (*range(10, 100, 10), *range(100, 1000, 100), *range(1000, 10001, 1000))
"""The 28 sample sizes of Figures 2 and 3."""

FRACTIONS = tuple(range(1, 10))
"""Training shares, in tenths of a data set."""

_BUNDLED = ("iris", "wine")


def is_bundled(dataset: str) -> bool:
    """Whether a data set is available without the data folder."""
    return dataset in _BUNDLED


def absent_datasets() -> tuple[str, ...]:
    """Those of the 20 data sets that cannot be loaded because the data folder is missing."""
    if datasets.data_folder() is not None:
        return ()
    return tuple(name for name in DATASETS if not is_bundled(name))


@lru_cache(maxsize=4)
def load_dataset(name: str) -> Table:
    """Load one of the 20 data sets as discretized by the authors.

    Iris and Wine always come from scikit-learn. Their codes are those of the authors' files, so results are the same
    with and without the data folder.

    Parameters
    ----------
    name
        One of :data:`DATASETS`.

    Raises
    ------
    DataFolderError
        If the data folder is needed and missing.
    """
    return datasets.load_table(name if is_bundled(name) else f"uci/{name}")


@lru_cache(maxsize=8)
def load_true_network(name: str) -> Network:
    """Load one of :data:`NETWORKS`."""
    return datasets.load_network(name)


def training_rows(n_rows: int, tenths: int) -> int:
    """Number of rows in the first tenths of a data set that is divided into ten parts.

    If the number of rows is not divisible by ten, the first parts have one row more. This is the rule behind the N of
    the paper's Table 3: it gives all of them, for one tenth of ten sets and two tenths of the other ten.

    Parameters
    ----------
    n_rows
        Number of rows of the data set.
    tenths
        Number of parts used.

    Examples
    --------
    >>> training_rows(214, 2), training_rows(32561, 2), training_rows(345, 1)
    (44, 6513, 35)
    """
    return tenths * (n_rows // 10) + min(tenths, n_rows % 10)
