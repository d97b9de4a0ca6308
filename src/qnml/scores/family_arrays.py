"""Local scores as arrays, checked: what searches look up."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml._checks import checked_list, checked_name
from qnml.errors import InputError, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from qnml._types import CountArray, FloatArray, IndexArray
    from qnml.scores.local_score_lists import LocalScores

__all__ = ["LARGEST_LOCAL_SCORE", "checked_parent_set", "checked_score", "family_arrays"]

# Sums of thousands of such scores are still doubles.
LARGEST_LOCAL_SCORE = 1e300


def checked_score(call: str, child: str, parents: Iterable[str], score: Any) -> float:
    """A local score as a float; minus infinity for a family that no network may have.

    Parameters
    ----------
    call
        Who asks, for error messages.
    child, parents
        The family.
    score
        What is given as its score.

    Raises
    ------
    InputError
        If it is not a number, or too large.
    """
    try:
        value = float(score)
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if not (abs(value) <= LARGEST_LOCAL_SCORE or value == -math.inf):
        given = f" given {', '.join(map(plain, sorted(parents)))}" if parents else " without parents"
        raise InputError(
            f"{call}: the score of {plain(child)}{given} must be a number of at most 1e300 in size, or minus infinity "
            f"for a family that is not admitted; it is {score!r:.60}."
        )
    return value


def checked_parent_set(
    call: str, child: str, parents: Any, names: frozenset[str], argument: str = "families"
) -> frozenset[str]:
    """The parents of a family as a set of names.

    Parameters
    ----------
    call
        Who asks, for error messages.
    child
        The variable.
    parents
        What is given as its parents.
    names
        All variables.
    argument
        Where they are given.

    Raises
    ------
    InputError
        If they are not names of other variables.
    """
    given = checked_list(call, argument, parents, f"a set of names of parents for {plain(child)}")
    for parent in given:
        checked_name(call, argument, parent, names)
    found = frozenset(given)
    if child in found:
        raise InputError(f"{call}: {plain(child)} is among its own parents.")
    return found


def family_arrays(
    call: str, scores: LocalScores, names: Sequence[str]
) -> tuple[CountArray, CountArray, IndexArray, FloatArray]:
    """Where the families of each child begin, where the parents of each family begin, the parents, and the scores.

    Families with a score of minus infinity are left out.

    Parameters
    ----------
    call
        Who asks, for error messages.
    scores
        The local scores.
    names
        The variables in the order in which they are numbered.
    """
    number = {name: place for place, name in enumerate(names)}
    everyone = frozenset(names)
    first, offsets, parents, values = [0], [0], [], []
    for child in names:
        for given, score in scores[child].items():
            found = checked_parent_set(call, child, given, everyone)
            value = checked_score(call, child, found, score)
            if value == -math.inf:
                continue
            parents += [number[parent] for parent in found]
            offsets.append(len(parents))
            values.append(value)
        first.append(len(values))
    return (
        np.array(first, dtype=np.int64),
        np.array(offsets, dtype=np.int64),
        np.array(parents, dtype=np.int32),
        np.array(values, dtype=np.float64),
    )
