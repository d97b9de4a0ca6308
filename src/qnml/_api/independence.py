"""`independence` and `mutual_information`: how much some variables tell about others.

Examples
--------
>>> import qnml
>>> table = qnml.datasets.sample("asia", 1000, seed=1)
>>> found = qnml.independence(table, "smoke", "bronc")
>>> found.is_dependent, round(found.bits)
(True, 56)
>>> qnml.independence(table, "smoke", "dysp", given=["bronc", "either"]).is_dependent
False
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from qnml._api.arguments import as_table
from qnml._checks import checked_list, checked_name
from qnml._jobs import resolve_jobs
from qnml.counts import MemoryCounts
from qnml.data.interventions import refuse_interventions
from qnml.data.missing import refuse_incomplete
from qnml.errors import InputError, bad_argument
from qnml.scores import bind_score, find_score, local_scores

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from qnml.data import Table

__all__ = ["Independence", "independence", "mutual_information"]

_NATS_PER_BIT = math.log(2)


@dataclass(frozen=True)
class Independence:
    """The verdict of a test of conditional independence.

    Attributes
    ----------
    x, y, given : names of the variables.
    bits : how much shorter the qNML code of the data is with the dependence than without, in bits. Positive: the
        dependence pays for its parameters.
    mutual_information : what x and y tell about each other given the others, as estimated from the frequencies, in
        nats for each row.
    n_rows : number of observations.
    """

    x: tuple[str, ...]
    y: tuple[str, ...]
    given: tuple[str, ...]
    bits: float
    mutual_information: float
    n_rows: int

    @property
    def is_dependent(self) -> bool:
        """Whether the code with the dependence is shorter."""
        return self.bits > 0.0

    def sentence(self) -> str:
        """The verdict in words."""
        left, right = ", ".join(self.x), ", ".join(self.y)
        condition = f" given {', '.join(self.given)}" if self.given else ""
        verb = "depends" if len(self.x) == 1 else "depend"
        if self.is_dependent:
            return f"{left} {verb} on {right}{condition}: the dependence saves {self.bits:.2f} bits."
        return (
            f"{left} and {right} look independent{condition}: a dependence would cost {-self.bits:.2f} bits more than "
            f"it saves in {self.n_rows:,} rows."
        )


def independence(
    data: Any,
    x: str | Iterable[str],
    y: str | Iterable[str],
    given: Iterable[str] = (),
    *,
    n_jobs: int | None = None,
) -> Independence:
    """Test whether variables are independent given others, by the lengths of two qNML codes.

    With f(S) the qNML code length of a set of variables, the difference f(x, given) + f(y, given) − f(x, y, given) −
    f(given) is what the dependence saves. It is the score that an arc between x and y gains in a network in which
    `given` are the other parents; x and y may be swapped. There is no significance level: see :doc:`independence` for
    how often the verdict is wrong.

    Parameters
    ----------
    data
        A table, or anything :func:`read_table` takes without options.
    x, y
        A variable, or several that are taken together.
    given
        The variables to condition on.
    n_jobs
        Threads; all cores by default.

    Returns
    -------
    Independence
    """
    call = "independence"
    table, sides = _checked(call, data, x, y, given)
    quotient, fit = (_gain(table, sides, name, resolve_jobs(call, n_jobs)) for name in ("qnml", "loglik"))
    named = [tuple(table.names[place] for place in side) for side in sides]
    return Independence(
        named[0], named[1], named[2], quotient / _NATS_PER_BIT, max(fit / table.total, 0.0), table.total
    )


def mutual_information(
    data: Any,
    x: str | Iterable[str],
    y: str | Iterable[str],
    given: Iterable[str] = (),
    *,
    n_jobs: int | None = None,
) -> float:
    """What x and y tell about each other given other variables, in nats for each row, from the frequencies.

    This estimate is too high for independent variables, by about half the degrees of freedom over the number of rows;
    :func:`independence` takes that into account. Parameters are those of :func:`independence`.
    """
    call = "mutual_information"
    table, sides = _checked(call, data, x, y, given)
    return max(_gain(table, sides, "loglik", resolve_jobs(call, n_jobs)) / table.total, 0.0)


def _checked(
    call: str, data: Any, x: object, y: object, given: object
) -> tuple[Table, tuple[list[int], list[int], list[int]]]:
    """The table, and the columns of x, y and the condition."""
    table = as_table(data)
    refuse_incomplete(call, table)
    refuse_interventions(call, table, "A dependence in such rows says nothing about rows that were only observed.")
    allowed = "a variable, or a list of variables"
    sides = [
        [value] if isinstance(value, str) and argument != "given" else checked_list(call, argument, value, allowed)
        for argument, value in (("x", x), ("y", y), ("given", given))
    ]
    places = [
        [table.index(checked_name(call, argument, name, table.names)) for name in side]
        for argument, side in zip(("x", "y", "given"), sides, strict=True)
    ]
    for argument, side in (("x", places[0]), ("y", places[1])):
        if not side:
            raise bad_argument(call, argument, [], "at least one variable")
    everyone = [place for side in places for place in side]
    repeated = sorted({table.names[place] for place in everyone if everyone.count(place) > 1})
    if repeated:
        raise InputError(f"{call}: among x, y and given {', '.join(repeated)} is named twice. Name each variable once.")
    return table, (places[0], places[1], places[2])


def _gain(table: Table, sides: tuple[Sequence[int], Sequence[int], Sequence[int]], score: str, n_jobs: int) -> float:
    """What the score of y gains by x as further parents, one variable of y after the other."""
    x, y, given = sides
    before: list[int] = []
    families: list[tuple[int, list[int]]] = []
    for child in y:
        families += [(child, [*given, *before, *x]), (child, [*given, *before])]
        before.append(child)
    bound = bind_score("independence", find_score("independence", score), table.total, {})
    values = local_scores(
        MemoryCounts(table), families, bound, n_variables=len(table.names), n_jobs=n_jobs, names=table.names
    )
    return math.fsum(values[0::2]) - math.fsum(values[1::2])
