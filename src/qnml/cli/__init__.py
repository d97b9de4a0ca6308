"""The command line, with one module for each command: parse, call the library, print."""

from qnml.cli.app import main

__all__ = ["main"]
