"""Checks of the arguments that several public calls share."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qnml._api.search_choice import METHODS
from qnml._checks import check_choice, checked_flag, checked_number, checked_whole_number
from qnml.data import Table, read_table
from qnml.errors import InputError, UnknownNameError, bad_argument, unknown_argument
from qnml.scores import SCORES, LocalScores
from qnml.search import Knowledge
from qnml.search.exact.exact import TIE_RULES
from qnml.search.local import local_search

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = [
    "MOST_SEED",
    "MOST_STRUCTURES",
    "as_table",
    "check_knowledge",
    "check_progress",
    "check_search_arguments",
    "check_time_limit",
    "check_whole_number",
    "refuse_unknown_arguments",
]

MOST_SEED = 2**64 - 1
# Networks that one call draws or lists: a few gigabytes of them.
MOST_STRUCTURES = 1_000_000


def as_table(data: Any) -> Table:
    """The table itself, or the table that `read_table` makes of the data."""
    if isinstance(data, Table):
        return data
    if isinstance(data, LocalScores) or (isinstance(data, str | Path) and str(data).lower().endswith(".jkl")):
        raise InputError(
            "local scores hold no data, and only learn and k_best take them. Give the table that they came from."
        )
    return read_table(data)


def check_whole_number(
    call: str, argument: str, value: object, lowest: int = 0, highest: int | None = None
) -> int | None:
    """Refuse what is neither None nor a whole number in range."""
    return None if value is None else checked_whole_number(call, argument, value, lowest, highest, or_none=True)


def check_time_limit(call: str, time_limit: object) -> float | None:
    """Refuse what is not a number of seconds."""
    if time_limit is None:
        return None
    return checked_number(call, "time_limit", time_limit, "a number of seconds, at least 0, or None", lowest=0.0)


def check_progress(call: str, progress: object) -> bool:
    """Whether to show a progress bar; None is no."""
    return progress is not None and checked_flag(call, "progress", progress)


def check_search_arguments(call: str, method: str, effort: str, ties: str, seed: object) -> int | None:
    """Check the arguments that choose a search; the seed is returned as a plain integer."""
    check_choice(call, "method", method, METHODS)
    check_choice(call, "effort", effort, local_search.EFFORTS)
    check_choice(call, "ties", ties, TIE_RULES)
    checked = check_whole_number(call, "seed", seed, 0, MOST_SEED)
    if ties != "canonical" and method in local_search.LOCAL_METHODS:
        raise bad_argument(
            call, "ties", ties, f"'canonical' with method='{method}'", "Only exact searches know of ties."
        )
    return checked


def check_knowledge(call: str, knowledge: object) -> Knowledge:
    """Background knowledge as given; None is none."""
    if knowledge is None:
        return Knowledge()
    if not isinstance(knowledge, Knowledge):
        advice = "Write Knowledge(**knowledge)." if isinstance(knowledge, Mapping) else ""
        raise bad_argument(call, "knowledge", knowledge, "a qnml.Knowledge, or None", advice)
    return knowledge


def refuse_unknown_arguments(
    function: Callable[..., object], scores: Iterable[str], parameters: Mapping[str, object]
) -> None:
    """Refuse keyword arguments that are neither the function's own nor a parameter of one of its scores.

    Functions that take the parameter of a score as ``**parameters`` would otherwise take any misspelt argument for one.

    Parameters
    ----------
    function : who was called.
    scores : names of the scores it is to use; those that are not known are refused elsewhere.
    parameters : the keyword arguments that are not in its signature.
    """
    call = function.__name__
    chosen = [SCORES[name] for name in scores if isinstance(name, str) and name in SCORES]
    taken = {taken for one in chosen for taken in one.parameter_names}
    for name in parameters:
        if name in taken:
            continue
        takers = [f"'{one.name}'" for one in SCORES.values() if name in one.parameter_names]
        if takers and chosen:
            listed = " and ".join(f"'{one.name}'" for one in chosen)
            own = f" It takes {' and '.join(sorted(taken))}." if taken else ""
            raise UnknownNameError(
                f"{call}({name}=…): score {listed} takes no parameter '{name}'; {' and '.join(takers)} "
                f"{'do' if len(takers) > 1 else 'does'}.{own}"
            )
        if not takers:
            first, *known = inspect.signature(function).parameters
            reading = [*inspect.signature(read_table).parameters][1:]
            elsewhere = f"It belongs to read_table: {call}(read_table({first}, {name}=…))."
            raise unknown_argument(call, name, [*known[:-1], *taken], elsewhere if name in reading else "")
