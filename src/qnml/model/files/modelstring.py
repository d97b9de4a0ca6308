"""Files with a model string such as ``[A][B|A]``, bnlearn's one-line notation of a structure."""

from __future__ import annotations

from qnml.errors import CycleError, FileFormatError
from qnml.graph import Dag

__all__ = ["looks_like_modelstring", "read_modelstring"]


def looks_like_modelstring(text: str) -> bool:
    """Whether a text begins like a model string, and so is not a file name."""
    return text.lstrip().startswith("[")


def read_modelstring(text: str, source: str) -> Dag:
    """Build the structure described by the text of a model string file.

    Parameters
    ----------
    text
        The content.
    source
        The file it came from, for error messages.
    """
    try:
        dag = Dag.from_modelstring(text)
    except CycleError as error:
        raise FileFormatError(source, f"the arcs form a cycle: {' -> '.join(error.cycle)}") from error
    except FileFormatError as error:
        problem = str(error).partition(": ")[2]
        raise FileFormatError(source, problem, error.line or 1, error.column) from error
    if not dag.names:
        raise FileFormatError(source, "no variable in the file; a model string looks like [A][B|A]", 1, 1)
    return dag
