"""Makes wrong calls in a separate process; the process that started it reports a crash or a hang.

``python -m misuse.run GROUP FOLDER SEED PAIRS FIRST`` writes a line of JSON for every finding to ``findings``, and the
number of the current call to ``place``, both in the folder.
"""

from __future__ import annotations

import faulthandler
import inspect
import json
import os
import random
import re
import sys
import traceback
import warnings
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import qnml
import qnml.errors
from misuse.calls import Call, every_call
from misuse.pool import WRONG

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Wrong", "every_wrong_call"]

# A call that still runs then hangs: valid ones take milliseconds.
LONGEST_SECONDS = 60
MOST_MEMORY = 8 * 2**30
DEEPEST = 3
BINDING = re.compile(r"missing \d+ required|unexpected keyword|positional argument|multiple values|takes no arguments")


class Wrong(NamedTuple):
    """A call with a wrong argument.

    Attributes
    ----------
    call : the right one.
    what : what is wrong, in words.
    positional, named : the arguments.
    must_fail : whether success would be a mistake, too.
    """

    call: Call
    what: str
    positional: tuple[Any, ...]
    named: dict[str, Any]
    must_fail: bool = False


def every_wrong_call(calls: list[Call], seed: int, pairs: int) -> Iterator[Callable[[], Wrong]]:
    """One wrong argument at a time, then unknown, missing and surplus ones, then random pairs of wrong ones."""
    chance = random.Random(seed)
    for call in calls:
        for place in _places(call.arguments):
            for value in WRONG:
                yield lambda call=call, place=place, value=value: _replaced(call, {place: value})
        yield from _misnamed(call)
        inside = list(_places(call.arguments))
        for _ in range(pairs if len(inside) > 1 else 0):
            chosen = {place: chance.choice(list(WRONG)) for place in chance.sample(inside, 2)}
            yield lambda call=call, chosen=chosen: _replaced(call, chosen)


def _places(value: Any, depth: int = 0) -> Iterator[tuple[Any, ...]]:
    """Paths into nested containers: every entry of a dict, the first of a list or tuple; keys as ("key", name)."""
    if isinstance(value, dict):
        for number, (key, entry) in enumerate(value.items()):
            if depth and number:
                break
            yield (key,)
            if depth:
                yield (("key", key),)
            if depth < DEEPEST:
                yield from ((key, *rest) for rest in _places(entry, depth + 1))
    elif type(value) in (list, tuple) and value and depth:
        yield (0,)
        if depth < DEEPEST:
            yield from ((0, *rest) for rest in _places(value[0], depth + 1))


def _replaced(call: Call, chosen: dict[tuple[Any, ...], str]) -> Wrong:
    arguments: Any = dict(call.arguments)
    for place, value in chosen.items():
        arguments = _with(arguments, place, WRONG[value]())
    shown = ", ".join(f"{'/'.join(map(str, place))}={value}" for place, value in chosen.items())
    return Wrong(call, shown, (), arguments)


def _with(container: Any, place: tuple[Any, ...], value: Any) -> Any:
    first, *rest = place
    if isinstance(first, tuple) and first[0] == "key":
        try:
            hash(value)
            return {(value if key is first[1] else key): entry for key, entry in container.items()}
        except Exception:  # unhashable values cannot be keys
            return container
    if isinstance(container, dict):
        entry = container.get(first)
        return {**container, first: _with(entry, tuple(rest), value) if rest else value}
    if type(container) not in (list, tuple) or not container:  # replaced by the other of two wrong values
        return container
    changed = [_with(container[0], tuple(rest), value) if rest else value, *container[1:]]
    return type(container)(changed)


def _misnamed(call: Call) -> Iterator[Callable[[], Wrong]]:
    """Unknown names, similar ones and those of other functions; then each argument omitted; then too many."""
    given = call.arguments
    if getattr(call.function, "__name__", "<lambda>") == "<lambda>":
        return
    takes_any = any(one.kind is one.VAR_KEYWORD for one in inspect.signature(call.function).parameters.values())
    for name in ("no_such_argument", "missing", "max_parent", "ess", "Score", *(key[:-1] + "q" for key in given)):
        if name not in given and name not in inspect.signature(call.function).parameters:
            yield lambda name=name: Wrong(call, f"unknown {name}", (), {**given, name: 1.0}, must_fail=True)
    for name in given:
        lacking = {key: value for key, value in given.items() if key != name}
        yield lambda name=name, lacking=lacking: Wrong(call, f"without {name}", (), lacking)
    yield lambda: Wrong(call, "too many", (None,) * 30, {}, must_fail=True)
    if takes_any:
        yield lambda: Wrong(call, "positional twice", (1,), given, must_fail=True)


def problem_with(wrong: Wrong) -> str | None:
    """Make a call; None if it succeeded or failed as it should, else what happened."""
    try:
        wrong.call.function(*wrong.positional, **wrong.named)
    except qnml.QnmlError as error:
        return _badly_worded(error)
    except Exception as error:
        return None if _is_accepted(error, wrong.call) else _described(error)
    except BaseException as error:  # pyo3's PanicException is not an Exception
        return _described(error)
    return "was accepted" if wrong.must_fail else None


def _badly_worded(error: qnml.QnmlError) -> str | None:
    text = str(error)
    if not text or "\n" in text or len(text) > 2000:
        return f"{type(error).__name__} is not one line: {text[:300]!r} ({len(text)} characters)"
    return None


def _is_accepted(error: Exception, call: Call) -> bool:
    frames = traceback.extract_tb(error.__traceback__)
    if isinstance(error, TypeError):
        # Raised while arguments were bound to the names of the function itself, before its first line.
        own = [frame for frame in frames if not frame.filename.endswith(("run.py", "calls.py"))]
        if not own and BINDING.search(str(error)):
            return True
        if str(error).startswith(call.name.split(".")[0]):
            return True
    if "__eq__" in call.name and not any("/qnml/" in frame.filename for frame in frames):
        return True  # the other operand's comparison, which Python calls when ours returns NotImplemented
    if call.follows_sklearn:
        # Its own checks let what an argument itself raises through.
        is_theirs = any("/sklearn/utils/" in frame.filename for frame in frames)
        return isinstance(error, ValueError) or (
            is_theirs and (isinstance(error, TypeError) or frames[-1].filename.endswith("pool.py"))
        )
    return False


def _described(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "/qnml/" in frame.filename]
    where = f"{'/'.join(ours[-1].filename.split('/qnml/')[-1:])}:{ours[-1].lineno}" if ours else "?"
    first = (str(error).splitlines() or [""])[0][:160]
    return f"{type(error).__name__} at {where} ({frames[-1].name}): {first}"


def main(group: str, folder: Path, seed: int, pairs: int, first: int) -> None:
    """Make all calls of a group, starting with the given one."""
    import resource

    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    warnings.simplefilter("ignore")
    calls = every_call(folder)[group]
    os.chdir(folder)
    for call in calls:
        if not first:
            with suppress(qnml.errors.DataFolderError, qnml.errors.MissingExtraError):
                call.function(**call.arguments)
    number = -1
    # Standard streams may be written to, but closing them would lose findings.
    with (
        open(folder / "findings", "a", encoding="utf-8") as findings,
        open(folder / "place", "r+b", buffering=0) as place,
    ):
        for number, make in enumerate(every_wrong_call(calls, seed, pairs)):
            if number < first:
                continue
            wrong = make()
            os.pwrite(place.fileno(), f"{number:12d} {wrong.call.name}({wrong.what})"[:400].ljust(400).encode(), 0)
            faulthandler.dump_traceback_later(LONGEST_SECONDS, exit=True)
            found = problem_with(wrong)
            faulthandler.cancel_dump_traceback_later()
            if found:
                findings.write(json.dumps([wrong.call.name, wrong.what, found]) + "\n")
                findings.flush()
    (folder / "done").write_text(str(number + 1))


if __name__ == "__main__":
    _group, _folder, *_numbers = sys.argv[1:]
    main(_group, Path(_folder), *map(int, _numbers))
