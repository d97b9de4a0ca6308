"""Any argument to any public call gives a result or one clear line; never a raw error, a crash or a hang."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from misuse.calls import every_call, public_names
from misuse.pool import WRONG

GROUPS = ("doors", "estimators", "files", "graphs", "networks", "results", "tables")
MOST_DEATHS = 5


def findings(group: str, folder: Path, seed: int, pairs: int) -> tuple[int, list[str]]:
    """Make the wrong calls of a group; return their number, and those that did not fail as they should."""
    (folder / "place").write_bytes(b" " * 400)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1]), "OMP_NUM_THREADS": "1"}
    first, deaths = 0, []
    while not (folder / "done").exists() and len(deaths) < MOST_DEATHS:
        command = [sys.executable, "-m", "misuse.run", group, str(folder), *map(str, (seed, pairs, first))]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if ended.returncode or not (folder / "done").exists():
            place = (folder / "place").read_text(errors="replace").strip()
            deaths.append(f"{place}: the process ended with {ended.returncode}: {ended.stderr[-3000:]}")
            if not place:
                break
            first = int(place.split()[0]) + 1
    lines = (folder / "findings").read_text().splitlines() if (folder / "findings").exists() else []
    found = [f"{name}({what}): {problem}" for name, what, problem in map(json.loads, lines)]
    return int((folder / "done").read_text()) if (folder / "done").exists() else 0, [*deaths, *found]


@pytest.mark.filterwarnings("ignore::qnml.errors.MixingWarning")
def test_everything_public_is_called(tmp_path):
    called = {call.name for calls in every_call(tmp_path).values() for call in calls}
    assert public_names() - called == set()


@pytest.mark.filterwarnings("ignore::qnml.errors.MixingWarning")
def test_every_argument_is_given(tmp_path):
    """All valid calls of a function together."""
    given, known = {}, {}
    for call in (call for calls in every_call(tmp_path).values() for call in calls):
        given.setdefault(call.name, set()).update(call.arguments)
        if getattr(call.function, "__name__", "<lambda>") != "<lambda>":
            of_function = inspect.signature(call.function).parameters.values()
            known[call.name] = {one.name for one in of_function if one.kind is not one.VAR_KEYWORD}
    lacking = {name: names - given[name] for name, names in known.items() if names - given[name]}
    assert lacking == {}


@pytest.mark.parametrize("group", GROUPS)
def test_wrong_arguments_give_one_clear_line(group, tmp_path):
    number, found = findings(group, tmp_path, seed=0, pairs=20)
    assert found == []
    assert number > 500


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 5))
@pytest.mark.parametrize("group", GROUPS)
def test_two_wrong_arguments_at_once(group, seed, tmp_path):
    _, found = findings(group, tmp_path, seed=seed, pairs=1000)
    assert found == []


def test_the_pool_is_large():
    assert len(WRONG) > 60
