"""The type stub of the compiled module is the one its bindings give."""

import re
import subprocess
import sys


def test_stub_is_up_to_date(root, tmp_path):
    fresh = tmp_path / "_core.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "qnml._core", "-o", str(fresh)]
    subprocess.run(command, check=True, cwd=tmp_path)
    kept = (root / "src" / "qnml" / "_core.pyi").read_text(encoding="utf-8")
    assert kept == fresh.read_text(encoding="utf-8"), "run `make stubs`"


def test_every_function_of_the_core_is_called_by_the_library(root):
    """Functions that only tests call are tested in cpp/tests instead."""
    stub = (root / "src" / "qnml" / "_core.pyi").read_text(encoding="utf-8")
    functions = re.findall(r"^def (\w+)", stub, re.MULTILINE)
    assert functions
    library = "\n".join(path.read_text(encoding="utf-8") for path in (root / "src" / "qnml").rglob("*.py"))
    assert [name for name in functions if not re.search(rf"\b_core\.{name}\b", library)] == []
