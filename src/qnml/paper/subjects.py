"""What the experiments are run on: the 20 data sets and five networks of the paper, and their sizes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from qnml import datasets
from qnml.paper.printed import SETS

if TYPE_CHECKING:
    from qnml.data import Table
    from qnml.model import Network

__all__ = [
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
"""The networks data are drawn from."""

SIZES = (*range(10, 100, 10), *range(100, 1000, 100), *range(1000, 10001, 1000))
"""The 28 sample sizes of the figures on structure."""

FRACTIONS = tuple(range(1, 10))
"""Training shares, in tenths of a data set."""

_BUNDLED = ("iris", "wine")


def is_bundled(dataset: str) -> bool:
    """Whether a data set is there without the data folder."""
    return dataset in _BUNDLED


def absent_datasets() -> tuple[str, ...]:
    """Those of the 20 data sets that cannot be loaded, for lack of the data folder."""
    if datasets.data_folder() is not None:
        return ()
    return tuple(name for name in DATASETS if not is_bundled(name))


@lru_cache(maxsize=4)
def load_dataset(name: str) -> Table:
    """Load one of the 20 data sets as the authors discretised it.

    Iris and Wine always come from scikit-learn. Their codes are those of the authors' files, so results are the
    same whether the data folder is there or not.

    Parameters
    ----------
    name
        One of :data:`DATASETS`.

    Raises
    ------
    DataFolderError
        When the data folder is needed and not there.
    """
    return datasets.load_table(name if is_bundled(name) else f"uci/{name}")


@lru_cache(maxsize=8)
def load_true_network(name: str) -> Network:
    """Load one of :data:`NETWORKS`."""
    return datasets.load_network(name)


def training_rows(n_rows: int, tenths: int) -> int:
    """Rows in the first tenths of a data set that is cut into ten parts.

    Where the rows do not divide by ten, the first parts have one row more. That is the rule behind the N of the
    paper's Table 3: it gives every one of them, for one tenth of ten sets and two tenths of the other ten.

    Parameters
    ----------
    n_rows
        Rows of the data set.
    tenths
        How many parts are used.

    Examples
    --------
    >>> training_rows(214, 2), training_rows(32561, 2), training_rows(345, 1)
    (44, 6513, 35)
    """
    return tenths * (n_rows // 10) + min(tenths, n_rows % 10)
