"""The demo runs from anywhere and leaves its traces where it says."""

import subprocess
import sys


def test_demo_runs_and_stays_in_its_folder(root, tmp_path):
    command = [sys.executable, "-X", "utf8", "-W", "error", str(root / "examples" / "demo.py")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["demo-output"]
    shown = {line.split("│")[1].strip(): line for line in done.stdout.splitlines() if line.startswith("│")}
    # What its prose says: the weak arc does not pay, and its direction matters to fnml alone.
    assert shown["without asia → tub"].count("*") == 4
    true, turned = (shown[name].split("│")[3:7] for name in ("the true one", "asia → tub turned"))
    assert true[:3] == turned[:3]
    assert true[3] != turned[3]
