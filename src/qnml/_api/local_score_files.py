"""Local scores of all families in JKL files, for and from other exact solvers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qnml._api.arguments import as_table, refuse_unknown_arguments
from qnml._checks import check_choice, checked_path, checked_whole_number
from qnml._jobs import resolve_jobs
from qnml._memory import resolve_memory_limit
from qnml._reading import read_file
from qnml._writing import write_file
from qnml.counts import MemoryCounts
from qnml.errors import FileFormatError, bad_argument
from qnml.scores import BoundScore, LocalScores, best_families, bind_score, find_score, read_jkl, write_jkl
from qnml.scores.jkl import JKL_STYLES

if TYPE_CHECKING:
    import os

__all__ = ["read_local_scores", "write_local_scores"]

# What is made of a letter of a file of local scores, at most: measured, and rounded up.
_BYTES_PER_LETTER = 50.0


def write_local_scores(
    data: Any,
    path: str | os.PathLike[str],
    score: str | None = None,
    *,
    max_parents: int | None = None,
    style: str = "names",
    n_jobs: int | None = None,
    **parameters: float | str,
) -> LocalScores:
    """Score all families and write them as a JKL file, for other exact solvers to find the best network.

    Families are left out where a subset of the parents scores at least as much: no best network needs them.

    Parameters
    ----------
    data : a :class:`Table`, anything :func:`read_table` takes without options, or the result of :func:`qnml.learn`,
        whose table and score are taken. Its background knowledge is not.
    path : where to, usually ending in ``.jkl``. An existing file is replaced.
    score : name of a decomposable score; ``"qnml"``, or that of the result, when left out.
    max_parents : limit for every variable; none by default.
    style : how variables are written: ``"names"`` (for GOBNILP) or ``"indices"`` counted from 0 (for BLIP).
    n_jobs : threads; all cores by default.
    **parameters : the score's own parameter, as for :func:`score`.

    Returns
    -------
    LocalScores
        What was written.

    Raises
    ------
    TooLargeError
        Before any work, when there are more than 30 million families.
    """
    call = "write_local_scores"
    if max_parents is not None:
        max_parents = checked_whole_number(call, "max_parents", max_parents, or_none=True)
    if score is not None or not isinstance(getattr(data, "bound_score", None), BoundScore):
        refuse_unknown_arguments(write_local_scores, ["qnml" if score is None else score], parameters)
    check_choice(call, "style", style, JKL_STYLES)
    checked_path(call, "path", path)
    bound = getattr(data, "bound_score", None)
    table = as_table(data.table if isinstance(bound, BoundScore) else data)
    if score is not None or not isinstance(bound, BoundScore):
        chosen = find_score(call, "qnml" if score is None else score)
        if not chosen.is_decomposable:
            raise bad_argument(call, "score", score, "a decomposable score; 'nml' has no local scores")
        bound = bind_score(call, chosen, table.total, parameters)
    elif parameters:
        raise bad_argument(call, next(iter(parameters)), next(iter(parameters.values())), "given with score=")
    jobs = resolve_jobs(call, n_jobs)
    found = best_families(call, MemoryCounts(table), table.names, bound, max_parents=max_parents, n_jobs=jobs)
    write_file(call, "path", path, write_jkl(found, style).encode("utf-8"))
    return found


def read_local_scores(path: str | os.PathLike[str]) -> LocalScores:
    """Read local scores from a JKL file, whoever wrote it.

    Parameters
    ----------
    path : the file.

    Raises
    ------
    FileFormatError
        The file does not follow the format; line and column say where.
    """
    path = checked_path("read_local_scores", "path", path)
    most = resolve_memory_limit("read_local_scores", None) / _BYTES_PER_LETTER
    try:
        text = read_file("read_local_scores", "path", path, most).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileFormatError(str(path), f"not UTF-8 text: {error}") from error
    return read_jkl(text, str(path))
