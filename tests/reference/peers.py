"""Other packages that judge ours."""

import importlib
import warnings
from types import ModuleType

__all__ = ["peer"]


def peer(name: str) -> ModuleType:
    """Import another package; its warnings are not ours (and in pyAgrum's compiled part they would end the process)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(name)
