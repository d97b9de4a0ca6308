"""The type stub of the compiled module is the one its bindings give."""

import subprocess
import sys


def test_stub_is_up_to_date(root, tmp_path):
    fresh = tmp_path / "_core.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "qnml._core", "-o", str(fresh)]
    subprocess.run(command, check=True, cwd=tmp_path)
    kept = (root / "src" / "qnml" / "_core.pyi").read_text(encoding="utf-8")
    assert kept == fresh.read_text(encoding="utf-8"), "run `make stubs`"
