"""The demo runs from any folder, writes where it says, and its statements are true."""

import subprocess
import sys

from qnml import datasets, learn


def test_demo_runs_and_stays_in_its_folder(root, tmp_path):
    command = [sys.executable, "-X", "utf8", "-W", "error", str(root / "examples" / "demo.py")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["demo-output"]
    left = {path.name for path in (tmp_path / "demo-output").iterdir()}
    assert {"asia.csv", "asia.bif", "asia.svg", "wine.svg"} <= left
    for name in ("asia", "wine"):
        assert (tmp_path / "demo-output" / f"{name}.svg").read_text(encoding="utf-8").rstrip().endswith("</svg>")
    rows = [line for line in done.stdout.splitlines() if line.startswith("│")]
    asia, wine = rows[:6], rows[6:]
    shown = {line.split("│")[1].strip(): line for line in asia}
    # The learned network is the true one without its weak arc, whose direction does not matter.
    assert shown["learned"].count("*") == shown["without asia → tub"].count("*") == 3
    assert shown["true"].split("│")[3:] == shown["asia → tub reversed"].split("│")[3:]
    assert "*" not in shown["true"] + shown["without either → xray"] + shown["no arcs"]
    # Of the last three networks on wine each is the best by its own score.
    assert [line.count("*") for line in wine] == [0, 0, 1, 1, 1]
    # Few rows: a warning, and a tie.
    assert "half the 30 rows" in done.stdout
    assert "other networks score the same" in " ".join(done.stdout.split())


def test_the_learned_network_is_the_true_one_without_an_arc():
    true = datasets.load_network("asia").dag
    learned = learn(datasets.sample("asia", 1000, seed=1))
    assert learned.cpdag == true.remove_arc("asia", "tub").to_cpdag()
