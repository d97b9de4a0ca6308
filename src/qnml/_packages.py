"""Packages that are imported when they are first needed.

Importing qnml stays quick, and arrays, mappings and pandas frames do not depend on what only files or frames need.
"""

from __future__ import annotations

import importlib
from typing import Any

from qnml.errors import MissingExtraError

__all__ = ["needed"]


def needed(package: str, call: str, purpose: str, otherwise: str = "") -> Any:
    """Import a package, or raise an error that says who needs it and how to install it.

    Parameters
    ----------
    package : the name under which it is imported and installed.
    call : the function that needs it.
    purpose : what for, in a few words that follow "which".
    otherwise : a sentence about how to do without it.

    Examples
    --------
    >>> needed("math", "area", "has pi").pi
    3.141592653589793
    """
    try:
        return importlib.import_module(package)
    except ImportError as error:
        advice = f" {otherwise}" if otherwise else ""
        raise MissingExtraError(
            f"{call}: needs {package}, which {purpose}. Install it (pip install {package}).{advice}"
        ) from error
