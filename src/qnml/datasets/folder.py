"""The optional data folder: data sets and networks that are too large to bundle, or not ours to distribute."""

from __future__ import annotations

import os
from pathlib import Path

from qnml.errors import DataFolderError

__all__ = ["data_file", "data_folder"]

_VARIABLE = "QNML_DATA"


def data_folder() -> Path | None:
    """Find the data folder.

    The environment variable ``QNML_DATA`` names it. If it is not set, ``../shared/data`` beside a checkout of the
    project is used, if it exists.

    Returns
    -------
    Path or None
        None if the folder does not exist.
    """
    for place in _places():
        if place.is_dir():
            return place
    return None


def data_file(call: str, relative: str, provider: str) -> Path:
    """Find a file of the data folder, or raise an error that says where to get it.

    Parameters
    ----------
    call
        The call to name in the error, with its arguments.
    relative
        The file, relative to the data folder. A compressed file with ``.gz`` added is accepted.
    provider
        Where the file can be obtained.
    """
    folder = data_folder()
    if folder is not None:
        for path in (folder / relative, folder / f"{relative}.gz"):
            if path.is_file():
                return path
    places = [folder] if folder is not None else _places()
    looked = f"It is not in {' or '.join(map(str, places))}" if places else f"{_VARIABLE} is not set"
    raise DataFolderError(
        f"{call}: needs the file {relative} of the data folder, which is not part of the package. {looked}. "
        f"Get it from {provider} and set the environment variable {_VARIABLE} to the folder that holds "
        f"{relative}."
    )


def _places() -> list[Path]:
    named = os.environ.get(_VARIABLE)
    if named:
        return [Path(named).expanduser()]
    roots = [Path(__file__).resolve().parents[3], Path.cwd()]
    return [root.parent / "shared" / "data" for root in dict.fromkeys(roots) if _is_checkout(root)]


def _is_checkout(root: Path) -> bool:
    return (root / "pyproject.toml").is_file() and (root / "src" / "qnml").is_dir()
