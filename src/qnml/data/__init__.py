"""Reading data: `Table`, `read_table`, and `Discretizer` for real-valued columns."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

# Imported with the package, so that it also notices a fork before the first data frame is used.
from qnml.data import forks as _forks  # noqa: F401
from qnml.data.columnwise import Columnwise
from qnml.data.engine_sources import open_source, plan_reading, source_rows
from qnml.data.labels import MOST_LEVELS, Label
from qnml.data.read import inspect_table, read_table
from qnml.data.table import Table

if TYPE_CHECKING:
    from qnml.data.bene import read_bene, write_bene
    from qnml.data.discretizer import Discretizer
    from qnml.data.engines.plan import ReadingPlan
    from qnml.data.file_options import FileOptions
    from qnml.data.files import open_file, read_frame
    from qnml.data.opened_file import OpenedFile
    from qnml.data.paths import is_bene
    from qnml.data.preparation import ColumnPreparation, Preparation
    from qnml.data.words import MISSING_WORDS

__all__ = [
    "MISSING_WORDS",
    "MOST_LEVELS",
    "ColumnPreparation",
    "Columnwise",
    "Discretizer",
    "FileOptions",
    "Label",
    "OpenedFile",
    "Preparation",
    "ReadingPlan",
    "Table",
    "inspect_table",
    "is_bene",
    "open_file",
    "open_source",
    "plan_reading",
    "read_bene",
    "read_frame",
    "read_table",
    "source_rows",
    "write_bene",
]

# Imported on first use: importing scikit-learn takes a second, Polars a tenth of a second.
_LATER = {
    "ColumnPreparation": "qnml.data.preparation",
    "Discretizer": "qnml.data.discretizer",
    "FileOptions": "qnml.data.file_options",
    "MISSING_WORDS": "qnml.data.words",
    "OpenedFile": "qnml.data.opened_file",
    "Preparation": "qnml.data.preparation",
    "ReadingPlan": "qnml.data.engines.plan",
    "is_bene": "qnml.data.paths",
    "open_file": "qnml.data.files",
    "read_bene": "qnml.data.bene",
    "read_frame": "qnml.data.files",
    "write_bene": "qnml.data.bene",
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(importlib.import_module(_LATER[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
