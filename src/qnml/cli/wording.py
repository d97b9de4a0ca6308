"""Messages of the library in the words of the shell: options in place of arguments, no names of functions.

The library words its messages for Python: ``learn(guard='loud'): unknown``, ``Use missing='drop'``. An argument becomes
an option if the command that runs has an option of that name, or one that turns it off (``--no-header``), so a new
option needs nothing here. Arguments that the library names differently are in `_NAMES`.
"""

from __future__ import annotations

import ast
import re
import shlex
from typing import TYPE_CHECKING, Any

import qnml

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["in_shell_words", "speak_for"]

_NAMES = {"columns": "column", "memory_limit": "memory", "n_jobs": "jobs", "targets": "target", "time_limit": "time"}
_NAMES_OF_CALL = {"Discretizer": {"method": "discretize"}, "Network.k_most_probable": {"k": "best"}}
_POSITIONAL = frozenset({"data", "dag", "name", "network", "path", "source"})

_LITERAL = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|-?[0-9][\w.+-]*|-?inf|nan|True|False|…"
_ARGUMENT = rf"(\w+)=({_LITERAL})"
# One entry of a mapping, as in evidence['age']='old'.
_ENTRY = re.compile(rf"(?<![\w.])(\w+)\[({_LITERAL})\]=({_LITERAL})")
# What a message begins with: a call and the arguments that it is about, with or without a colon.
_CALL = re.compile(
    rf"(?P<call>[A-Za-z_]\w*(?:\.\w+)?)(?:\((?P<arguments>{_ARGUMENT}(?:, {_ARGUMENT})*)\)(?P<colon>:?)|:) "
)
# Inside a sentence: an argument with its value, or without one at the end of a word.
_SAID = re.compile(rf"(?<![\w:.=\-'\"])(\w+)=(?:({_LITERAL})|(?=[\s.,;:)]|$))")
# A column and what to do with it, as `columns=` takes them.
_COLUMN = re.compile(rf"columns=\{{({_LITERAL}): ({_LITERAL})\}}")
# What can only be done in Python, beside an option that does the same.
_PYTHON_ONLY = re.compile(
    r", by table\.with_missing_level\(\)(?=, or)|table\.with_missing_level\(\) or (?=missing=)"
    r"|, and so does qnml\.Discretizer"
)
_NAME = re.compile(r"(?<![\w'\"=.-])([a-z]+(?:_[a-z]+)+)(?![\w='\"(.]\w)")


class _Speaker:
    options: Mapping[str, Any] = {}


def speak_for(command: Any) -> None:
    """Word messages for a command, by the options that it has.

    Parameters
    ----------
    command
        The command of typer, or None.
    """
    parameters = [] if command is None else command.params
    _Speaker.options = {one.name: one for one in parameters if _flags(one)}


def in_shell_words(text: str) -> str:
    """Return a message of the library as it is worded in the shell."""
    head, rest = _without_call(_ENTRY.sub(_entry_said, text))
    if _flag("column"):
        rest = _COLUMN.sub(_column_said, _PYTHON_ONLY.sub("", rest))
    rest = _SAID.sub(_option_said, rest)
    rest = _NAME.sub(lambda found: _flag(found[1]) or found[0], rest)
    return head + (rest.replace(", or None", "") if head.startswith("-") else rest)


def _without_call(text: str) -> tuple[str, str]:
    """The beginning of a message in the words of the shell, and the rest of it."""
    found = _CALL.match(text)
    if found is None:
        return "", text
    rest = text[found.end() :]
    if found["arguments"] is None:
        begun = rest if _SAID.match(rest) else rest[:1].upper() + rest[1:]
        return ("", begun) if _is_call(found["call"]) else ("", text)
    names = _NAMES_OF_CALL.get(found["call"], {})
    said = [_argument_said(names.get(name, name), value) for name, value in re.findall(_ARGUMENT, found["arguments"])]
    return (found[0], rest) if None in said else (f"{' '.join(map(str, said))}{found['colon']} ", rest)


def _is_call(name: str) -> bool:
    first, _, method = name.partition(".")
    known = first in qnml.__all__ or first == "read_frame"
    return known and (not method or hasattr(getattr(qnml, first), method))


def _argument_said(name: str, value: str) -> str | None:
    if _flag(name):
        return _with_value(name, value)
    return str(_evaluated(value)) if name in _POSITIONAL else None


def _entry_said(found: re.Match[str]) -> str:
    if _flag(found[1]) is None:
        return found[0]
    key, value = (_evaluated(part) for part in found.groups()[1:])
    return f"{found[1]}={f'{key}={value}'!r}"


def _column_said(found: re.Match[str]) -> str:
    name, what = (str(_evaluated(part)) for part in found.groups())
    return f"{_flag('column')} {shlex.quote(f'{name}={what}')}"


def _option_said(found: re.Match[str]) -> str:
    flag = _flag(found[1])
    if flag is None:
        return found[0]
    return flag if found[2] is None else _with_value(found[1], found[2]) or found[0]


def _with_value(name: str, value: str) -> str | None:
    option, given = _option(name), _evaluated(value)
    if value == "…":  # several values, or none that can be shown
        return _flag(name)
    if isinstance(given, bool):
        is_on = given if option.name == name else not given
        return next(iter(option.opts if is_on else option.secondary_opts), None)
    shown = "tab" if given == "\t" else shlex.quote(given) if isinstance(given, str) else value
    return f"{_flag(name)} {shown}"


def _evaluated(value: str) -> Any:
    try:
        return ast.literal_eval(value)
    except (SyntaxError, ValueError):  # a number such as inf
        return value


def _option(name: str) -> Any:
    known = _Speaker.options
    return known.get(_NAMES.get(name, name)) or known.get(f"no_{name}")


def _flag(name: str) -> str | None:
    option = _option(name)
    return None if option is None else _flags(option)[0]


def _flags(parameter: Any) -> list[str]:
    """How an option is written; nothing for an argument without a name."""
    return [text for text in (*parameter.opts, *parameter.secondary_opts) if text.startswith("-")]
