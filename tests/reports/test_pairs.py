"""Every command has its pair of functions, in a file of its name."""

import importlib

import pytest
import typer

from qnml.cli.app import app

COMMANDS = sorted(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


def test_the_commands_are_known():
    assert {"learn", "k-best", "paper"} <= set(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_facts_and_a_page(command):
    name = command.replace("-", "_")
    package = "qnml.paper.report" if name == "paper" else "qnml.reports"
    module = importlib.import_module(f"{package}.{name}")
    for function in (f"{name}_facts", f"{name}_page"):
        assert function in module.__all__
        assert getattr(module, function).__module__ == module.__name__
