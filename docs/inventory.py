"""Links into the documentation of other packages, without the network.

Sphinx would fetch each package's whole list of names when the pages are built. Here are the few that our pages mention;
`make docs` writes them in the form that Sphinx reads.
"""

import zlib
from pathlib import Path

__all__ = ["NAMES", "write_inventories"]

# By package: where its documentation is, and the place there of each name.
NAMES = {
    "python": (
        "https://docs.python.org/3/",
        {
            "collections.abc.Iterable": "library/collections.abc.html#collections.abc.Iterable",
            "collections.abc.Mapping": "library/collections.abc.html#collections.abc.Mapping",
            "collections.abc.Sequence": "library/collections.abc.html#collections.abc.Sequence",
            "os.PathLike": "library/os.html#os.PathLike",
            "ValueError": "library/exceptions.html#ValueError",
            "KeyError": "library/exceptions.html#KeyError",
            "UserWarning": "library/exceptions.html#UserWarning",
        },
    ),
    "numpy": (
        "https://numpy.org/doc/stable/",
        {"numpy.ndarray": "reference/generated/numpy.ndarray.html"},
    ),
    "networkx": (
        "https://networkx.org/documentation/stable/",
        {"networkx.DiGraph": "reference/classes/digraph.html#networkx.DiGraph"},
    ),
    "polars": (
        "https://docs.pola.rs/api/python/stable/",
        {"polars.DataFrame": "reference/dataframe/index.html"},
    ),
    "sklearn": (
        "https://scikit-learn.org/stable/",
        {
            "sklearn.base.BaseEstimator": "modules/generated/sklearn.base.BaseEstimator.html",
            "sklearn.base.ClassifierMixin": "modules/generated/sklearn.base.ClassifierMixin.html",
        },
    ),
}


def write_inventories(folder: Path) -> dict[str, tuple[str, str]]:
    """Write the lists of names, and return the setting of Sphinx that finds them."""
    folder.mkdir(parents=True, exist_ok=True)
    found = {}
    for package, (address, names) in NAMES.items():
        head = f"# Sphinx inventory version 2\n# Project: {package}\n# Version: \n"
        head += "# The remainder of this file is compressed using zlib.\n"
        body = "".join(f"{name} py:class 1 {place} -\n" for name, place in names.items())
        path = folder / f"{package}.inv"
        path.write_bytes(head.encode() + zlib.compress(body.encode()))
        found[package] = (address, str(path))
    return found
