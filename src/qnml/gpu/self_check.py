"""Checks that a card computes what the CPU computes: once before it is used, and on a sample of every problem."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from qnml import _core
from qnml.errors import QnmlError
from qnml.gpu.card import open_card
from qnml.gpu.child import MOST_SPREAD, THREADS
from qnml.gpu.learning import find_candidates
from qnml.gpu.runtime import blocks_for
from qnml.gpu.streaming import Stream, stream_candidates

if TYPE_CHECKING:
    from qnml.gpu.runtime import Runtime

__all__ = ["check_runtime", "checked_card"]

# One score of each form: a set function, one with terms of configurations, one with packed terms.
_SCORES = (_core.ScoreKind.qnml, _core.ScoreKind.fnml, _core.ScoreKind.bdeu)
_VARIABLES = 15  # the transform takes tiles and passes
_ROWS = 300
_FIELDS = ("optimal", "parents", "score", "bound", "ties_examined", "has_ties", "candidates", "states")


@cache
def checked_card() -> Runtime:
    """The first card, once it has solved small problems as the CPU does.

    Raises
    ------
    NoCardError
        If there is no card that can be used.
    QnmlError
        If it gives other answers.
    """
    card = open_card()
    check_runtime(card)
    return card


def check_runtime(runtime: Runtime, variables: int = _VARIABLES) -> None:
    """Solve small problems on a card and on the CPU; raise an error where the answers differ in any bit.

    Parameters
    ----------
    runtime
        The card.
    variables
        The size of the problems.
    """
    levels = [2 + (place % 3) for place in range(variables)]
    generator = np.random.default_rng(20)
    columns = [generator.integers(0, levels[0], _ROWS)]
    for place, arity in enumerate(levels[1:], start=1):
        source = columns[int(generator.integers(place))]
        noise = generator.integers(0, arity, _ROWS)
        columns.append(np.where(generator.random(_ROWS) < 0.3, noise, source % arity))
    weights = generator.integers(1, 4, _ROWS).astype(np.uint64)
    table = _core.Columns([np.ascontiguousarray(one, np.uint8) for one in columns], levels, weights)
    everyone = 2**variables - 1
    allowed = np.array([[everyone ^ 1 << child] for child in range(variables)], np.uint64)
    rules = _core.Rules(allowed, np.zeros_like(allowed), [variables] * variables, np.inf)
    _check_transform(runtime)
    cut = partial(stream_candidates, stream=Stream(high_bits=2, together=variables // 2))
    searches = [(kind, find_candidates) for kind in _SCORES] + [(_SCORES[0], cut)]
    for kind, find in searches:
        problem = _core.SearchProblem(table, kind, 1.0, rules, np.inf, 1, 0, 1, _core.PriorKind.uniform)
        options = _core.ExactOptions(_core.TieRule.simplest, True, [], np.inf, np.inf)
        expected = _core.learn_exact(problem, options, _core.Control())
        found = _core.learn_exact_from(problem, options, _core.Control(), partial(find, runtime))
        wrong = [name for name in _FIELDS if getattr(found, name) != getattr(expected, name)]
        if wrong:
            raise _wrong(runtime, f"with {kind.name}, {', '.join(wrong)} differ on a problem solved as a check.")


def _check_transform(runtime: Runtime) -> None:
    """Compare all passes of the transform: problems of this size do not take every one of them."""
    bit = 3
    for together in range(1, MOST_SPREAD + 1):
        size = 2 ** (bit + together + 2)
        gains = np.random.default_rng(together).integers(-1, 1000, size).astype(np.int32)
        mine = runtime.upload(gains)
        columns = size >> together
        kernel = runtime.kernel(f"spread_{together}")
        kernel(blocks_for(columns, THREADS), THREADS, 0, np.uint32(bit), np.uint64(columns), mine)
        expected = gains.copy()
        sets = np.arange(size)
        for one in range(bit, bit + together):
            expected = np.where(sets >> one & 1, np.maximum(expected, expected[sets & ~(1 << one)]), expected)
        if (runtime.download(mine, 0, size) != expected).any():
            raise _wrong(runtime, f"the largest gains inside sets differ after a pass of {together} bits.")


def _wrong(runtime: Runtime, what: str) -> QnmlError:
    return QnmlError(
        f"The card {runtime.name} does not compute what the CPU computes: {what} Nothing was learned on it. Say "
        "device='cpu', and please report the card and the versions of its driver and of CuPy."
    )
