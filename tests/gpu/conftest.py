"""The card of these tests: kernels on the CPU, compiled once for the session."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from gpu.emulated import EmulatedRuntime, find_compiler
from qnml.gpu import open_card

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from qnml.gpu import Runtime


@pytest.fixture(scope="session")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kernels")


@pytest.fixture(scope="session")
def make_card(kernels: Path) -> Callable[..., EmulatedRuntime]:
    """An emulated card with the options of `EmulatedRuntime`."""
    compiler = find_compiler()
    if compiler is None:
        pytest.skip("no C++ compiler with ucontext.h here, to run the kernels on the CPU")

    def make(**options: object) -> EmulatedRuntime:
        return EmulatedRuntime(compiler, kernels, **options)  # type: ignore[arg-type]

    return make


@pytest.fixture(scope="session")
def emulated(make_card: Callable[..., EmulatedRuntime]) -> EmulatedRuntime:
    """The emulated card, for tests that look inside."""
    return make_card()


@pytest.fixture(scope="session")
def card(request: pytest.FixtureRequest) -> Runtime:
    """The emulated card, or the real one with ``QNML_TEST_CARD=gpu``."""
    if os.environ.get("QNML_TEST_CARD") == "gpu":
        return open_card()
    emulated: EmulatedRuntime = request.getfixturevalue("emulated")
    return emulated
