"""Other packages to compare results with."""

import importlib
import warnings
from types import ModuleType

__all__ = ["peer"]


def peer(name: str) -> ModuleType:
    """Import another package without its warnings (in pyAgrum's compiled part they would end the process)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(name)
