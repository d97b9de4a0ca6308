"""The source distribution is complete: it builds, installs into an empty environment and works there."""

import subprocess
import sys
import tarfile
import venv

import pytest

pytestmark = pytest.mark.slow

SMOKE = """
import qnml
assert abs(qnml.regret(50, 10) - 13.24) < 0.005
table = qnml.datasets.sample("asia", 200, seed=1)
network = qnml.datasets.load_network("asia")
value = qnml.score(table, network)
assert -1000 < value < 0, value
assert value > qnml.score(table, qnml.Dag.empty(table.names))
"""


@pytest.fixture(scope="module")
def sdist(root, tmp_path_factory):
    """The path of a freshly built sdist."""
    folder = tmp_path_factory.mktemp("sdist")
    build = f"from scikit_build_core.build import build_sdist; print(build_sdist({str(folder)!r}))"
    done = subprocess.run([sys.executable, "-c", build], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("qnml-*.tar.gz")
    return path


def test_sdist_holds_what_a_build_needs_and_no_leftovers(sdist):
    with tarfile.open(sdist) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    needed = {"pyproject.toml", "CMakeLists.txt", "LICENSE", "README.md", "PKG-INFO", "src/qnml/py.typed"}
    assert needed - names == set()
    for folder in ("cpp/core/", "cpp/bind/", "src/qnml/", "tests/"):
        assert any(name.startswith(folder) for name in names), folder
    leftovers = (".venv/", "build/", "dist/", "demo-output/", "docs/output/", ".git/")
    assert [name for name in names if name.startswith(leftovers) or name.endswith((".so", ".pyc"))] == []


def test_sdist_installs_and_works(sdist, tmp_path):
    place = tmp_path / "empty"
    venv.create(place, with_pip=True)
    python = place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", sdist]
    done = subprocess.run(install, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    smoke = subprocess.run([python, "-W", "error", "-c", SMOKE], cwd=tmp_path, capture_output=True, text=True)
    assert smoke.returncode == 0, smoke.stderr
    command = [python.parent / "qnml", "regret", "50", "10"]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr
    assert "13.2375" in shown.stdout
