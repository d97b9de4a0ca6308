"""Fixtures shared by all tests: the locations of the optional data and the reference values."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes says more about the machine than about the code.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

# A shell starts background commands with Ctrl-C ignored. Tests that press it would then wait forever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

_CHECKOUT = Path(__file__).resolve().parent.parent


def _folder(variable: str, default: Path) -> Path:
    folder = Path(os.environ.get(variable) or default)
    if not folder.is_dir():
        pytest.skip(f"the folder {folder} is not there; set {variable} to run this test")
    return folder


def _data_default() -> Path:
    return _CHECKOUT.parent / "shared" / "data"


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The benchmark data: ``QNML_DATA``, else ``../shared/data`` beside the checkout."""
    return _folder("QNML_DATA", _data_default())


@pytest.fixture(scope="session")
def oracles_folder() -> Path:
    """Values computed by other programs: ``QNML_ORACLES``, else ``oracles`` next to the data folder."""
    data = Path(os.environ.get("QNML_DATA") or _data_default())
    return _folder("QNML_ORACLES", data.parent / "oracles")


@pytest.fixture
def many_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let more threads run than this machine has cores: results must not depend on their number."""
    monkeypatch.setattr("qnml._jobs.available_cores", lambda: 8)
