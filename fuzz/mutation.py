"""Structure-aware mutations: of the tokens of a text, the nodes of a JSON tree, the text inside a gzip file.

libFuzzer's mutations of single bytes seldom get past the first check of a format with a grammar. These mutations cut
and join at token boundaries instead. Half of all mutations remain libFuzzer's.
"""

from __future__ import annotations

import copy
import gzip
import json
import random
import re
import zlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from fuzz.reader import Reader

__all__ = ["mutated"]

_PIECES = re.compile(rb"[A-Za-z]+|[0-9.+-]+|\s+|.", re.DOTALL)
_LONGEST_RUN = 12
_ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 63, 64, 255, 2**31, 2**63, 2**64, 10**400, -0.0, 0.5, 1e308, float("nan"),
    float("inf"), "", "a", "A", "\0", "\ud800", "1", [], {}, [[]], [None], {"": None},
)  # fmt: skip
_MOST_UNPACKED = 1 << 16
_MOST_HALVED = 1e300  # larger integers do not fit into a double


def mutated(reader: Reader, content: bytes, most: int, seed: int, by_bytes: Callable[[bytes, int], bytes]) -> bytes:
    """Return a mutated input.

    Parameters
    ----------
    reader : the reader of the input.
    content : the input.
    most : maximum size of the result in bytes.
    seed : seed of the random choices.
    by_bytes : libFuzzer's own mutation.
    """
    chance = random.Random(seed)
    if reader.kind == "bytes" or chance.random() < 0.5:
        return by_bytes(content, most)
    if reader.kind == "gzip":
        return _repacked(reader, content, chance)[:most]
    if reader.kind == "json" and chance.random() < 0.8:
        return _grafted(reader, content, chance, by_bytes, most)[:most]
    return _respelled(reader, content, chance)[:most]


def _respelled(reader: Reader, content: bytes, chance: random.Random) -> bytes:
    """Remove, repeat, swap or insert tokens, a few times."""
    pieces = _PIECES.findall(content)
    for _ in range(chance.choice((1, 1, 2, 4))):
        start = chance.randint(0, len(pieces))
        stop = min(len(pieces), start + chance.randint(1, _LONGEST_RUN))
        run = pieces[start:stop]
        what = chance.randrange(5)
        if what == 0:
            pieces[start:stop] = []
        elif what == 1:
            pieces[start:start] = run * chance.choice((1, 1, 2, 20))
        elif what == 2:
            place = chance.randint(0, len(pieces))
            pieces[place:place] = run
        else:
            pieces[start : start + what - 3] = [chance.choice(reader.tokens)]
    return b"".join(pieces)


def _grafted(
    reader: Reader,
    content: bytes,
    chance: random.Random,
    by_bytes: Callable[[bytes, int], bytes],
    most: int,
) -> bytes:
    """Replace, remove, repeat or swap nodes of the tree; if the input is not a tree, mutate the text."""
    words = [token.decode("utf-8", "surrogatepass") for token in reader.tokens]
    try:
        tree = [json.loads(content)]
    except (ValueError, RecursionError):
        return by_bytes(content, most)
    for _ in range(chance.choice((1, 1, 2, 4))):
        places = _places(tree)
        holder, key = chance.choice(places)
        other, other_key = chance.choice(places)
        what = chance.randrange(6)
        if what == 0 and holder is not tree:
            del holder[key]
        elif what == 1 and isinstance(holder, list) and holder is not tree:
            holder.insert(key, holder[key])
        elif what == 2 and isinstance(holder, dict):
            holder[chance.choice(words)] = holder[key]
        elif what == 3:
            holder[key] = json.loads(json.dumps(other[other_key]))
        elif what == 4 and isinstance(holder[key], int | float):
            holder[key] = chance.choice(
                (
                    holder[key] + 1,
                    holder[key] - 1,
                    -holder[key],
                    holder[key] * 0.5 if abs(holder[key]) < _MOST_HALVED else 0.5,
                )
            )
        else:
            # A copy: lists shared by several trees would grow, and could end up inside themselves.
            holder[key] = copy.deepcopy(chance.choice((*_ODD_VALUES, *words)))
    return json.dumps(tree[0]).encode()


def _places(tree: Any) -> list[tuple[Any, Any]]:
    """Return the position of every node: its list or dictionary, and its index or key."""
    found = []
    waiting = [tree]
    while waiting:
        holder = waiting.pop()
        for key, value in holder.items() if isinstance(holder, dict) else enumerate(holder):
            found.append((holder, key))
            if isinstance(value, list | dict):
                waiting.append(value)
    return found


def _repacked(reader: Reader, content: bytes, chance: random.Random) -> bytes:
    try:
        text = zlib.decompressobj(31).decompress(content, _MOST_UNPACKED)
    except zlib.error:
        text = b""
    return gzip.compress(_respelled(reader, text, chance), compresslevel=1, mtime=0)
