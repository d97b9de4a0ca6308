"""``qnml report`` and ``qnml show`` as typed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from typing import TYPE_CHECKING

import pytest

import qnml

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "rows of cancer.csv"
    qnml.datasets.sample("cancer", 300, seed=1).to_frame().write_csv(path)
    return path


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "qnml", *words], cwd=cwd, capture_output=True, text=True, check=False, timeout=120
    )


def test_a_page_is_named_after_its_source(data: Path, tmp_path: Path) -> None:
    done = run("report", data.name, "--quiet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Written: rows-of-cancer.html" in done.stdout
    text = (tmp_path / "rows-of-cancer.html").read_text(encoding="utf-8")
    assert "Bayesian network of rows of cancer.csv" in text
    assert "qnml report 'rows of cancer.csv' --quiet" in re.sub("&#x27;", "'", text)


def test_json_has_the_story(data: Path, tmp_path: Path) -> None:
    done = run("report", data.name, "--output", "page.html", "--title", "Lungs", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)
    assert facts["path"] == "page.html"
    assert facts["title"] == "Lungs"
    assert len(facts["story"]) == 3
    assert facts["answers"] == "exact"
    assert facts["bytes"] == (tmp_path / "page.html").stat().st_size


def test_networks_make_pages_too(tmp_path: Path) -> None:
    qnml.write_network(qnml.datasets.load_network("asia"), tmp_path / "net.bif")
    for source in ("asia", "net.bif"):
        done = run("report", source, "--output", "page.html", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "8 variables and 8 arcs" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--output", "page.pdf"), "must end in .html"),
        (("--output", "nowhere/page.html"), "there is no folder"),
        (("--probabilities", "maybe"), "--probabilities"),
    ],
)
def test_wrong_options_are_named(data: Path, tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    done = run("report", data.name, *words, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for other processes")
def test_show_serves_until_ctrl_c(data: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "qnml", "show", data.name, "--no-browser", "--quiet"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        address = running.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{32}/", address)
        with urllib.request.urlopen(address, timeout=20) as answer:
            assert b"Bayesian network of rows of cancer.csv" in answer.read()
        os.kill(running.pid, signal.SIGINT)
        _, complaint = running.communicate(timeout=30)
        assert running.returncode == 0, complaint
        assert complaint == ""
