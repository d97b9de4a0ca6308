"""Data in: `Table`, `read_table`, and `Discretizer` for real-valued columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qnml.data.bene import read_bene, write_bene
from qnml.data.columnwise import Columnwise
from qnml.data.files import read_frame
from qnml.data.labels import MOST_LEVELS, Label
from qnml.data.read import read_table
from qnml.data.table import Table

if TYPE_CHECKING:
    from qnml.data.discretizer import Discretizer

__all__ = [
    "MOST_LEVELS",
    "Columnwise",
    "Discretizer",
    "Label",
    "Table",
    "read_bene",
    "read_frame",
    "read_table",
    "write_bene",
]


def __getattr__(name: str) -> Any:
    # scikit-learn takes a second to import; only those who discretize wait for it
    if name == "Discretizer":
        from qnml.data.discretizer import Discretizer

        return Discretizer
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
