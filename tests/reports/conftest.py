"""A page as a terminal shows it, and data for several reports."""

import io

import pytest
from rich.console import Console

import qnml


@pytest.fixture(scope="session")
def printed():
    """Print as the command line does, but with markup enabled: pages must escape it themselves."""

    def text(page, width=80):
        console = Console(file=io.StringIO(), width=width, force_terminal=False)
        for part in page:
            console.print(part)
        return console.file.getvalue()

    return text


@pytest.fixture(scope="session")
def table():
    """Two hundred rows of a bundled network."""
    return qnml.datasets.sample("asia", 200, seed=3)


@pytest.fixture(scope="session")
def network():
    """The network they were drawn from."""
    return qnml.datasets.load_network("asia")
