"""The command line. One file for each command: parse, call the library, print."""

from qnml.cli.app import main

__all__ = ["main"]
