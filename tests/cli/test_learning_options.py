"""The options that all learning commands share."""

import inspect
from dataclasses import fields

import pytest
import typer

from qnml.cli.app import app
from qnml.cli.learning_options import LearningOptions, learning_command, time_limit
from qnml.cli.reading_options import ReadingOptions

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
SHARED = {field.name for bundle in (LearningOptions, ReadingOptions) for field in fields(bundle)} - {"file"}
OWN = {
    "learn": {"device", "method", "effort", "shape", "target", "ties", "seed", "start", "output", "plot", "plan"},
    "posterior": {"method", "samples", "seed", "top", "least", "output", "plot", "heat_map"},
    "bootstrap": {"replicates", "method", "effort", "seed", "threshold"},
    "k-best": {"k", "dags"},
}


@pytest.mark.parametrize("command", OWN)
def test_a_learning_command_has_the_shared_options_and_its_own(command):
    names = [one.name for one in COMMANDS[command].params if one.name != "help"]
    assert set(names) == SHARED | OWN[command]
    assert len(names) == len(set(names))
    assert names[:2] == ["data", "score"]
    assert names[-2:] == ["quiet", "as_json"]


def test_shared_options_stand_where_the_command_has_them_and_may_be_changed():
    taken = {}

    @learning_command(time=time_limit("Tea."), guard=(str, "off"))
    def command(*, before: int = 1, options: LearningOptions, after: int = 2) -> None:
        taken.update(before=before, options=options, after=after)

    parameters = inspect.signature(command).parameters
    names = list(parameters)
    assert names.index("before") < names.index("max_parents") < names.index("bins") < names.index("after")
    assert parameters["data"].default is inspect.Parameter.empty
    assert parameters["guard"].default == "off"
    given = {name: one.default for name, one in parameters.items()} | {"data": "t.csv", "after": 5}
    command(**given)
    assert (taken["before"], taken["after"]) == (1, 5)
    assert taken["options"] == LearningOptions("t.csv", guard="off")


def test_arguments_are_those_of_the_library():
    options = LearningOptions("t.csv", score="bdeu:ess=10", memory=2.0, jobs=3, time=4.0, quiet=True)
    assert options.arguments() == {
        "score": "bdeu",
        "prior": "auto",
        "ess": 10.0,
        "knowledge": None,
        "max_parents": None,
        "guard": "warn",
        "memory_limit": 2e9,
        "n_jobs": 3,
    }
    assert options.running() == {"time_limit": 4.0, "progress": False}
