"""How smoothly the report page moves: milliseconds for each frame while it is zoomed, dragged and asked.

    python benchmarks/browser.py [NODES ...]

Needs Playwright and Chromium (`make test-browser` installs both). Networks are random: each variable has up to three of
the eight before it as parents, and two or three levels.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np

import qnml

__all__ = ["random_network"]

NODES = (8, 37, 76, 200)
FRAMES = 40
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")
TIMES = """async (frames) => {
  const svg = document.getElementById("network");
  const bars = [...document.querySelectorAll("#what-if-bars .bar")];
  const nodes = [...document.querySelectorAll(".node")];
  const actions = {
    zoom: (k) => svg.dispatchEvent(new KeyboardEvent("keydown", {key: k % 2 ? "-" : "+", bubbles: true})),
    drag: (k) => nodes[0].dispatchEvent(new KeyboardEvent("keydown", {key: k % 2 ? "ArrowLeft" : "ArrowRight",
      shiftKey: true, bubbles: true})),
    ask: (k) => bars.length && bars[k % bars.length].click(),
  };
  const found = {};
  for (const [name, action] of Object.entries(actions)) {
    const times = [];
    for (let k = 0; k < frames; k++) {
      const began = performance.now();
      action(k);
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    found[name] = [times[frames >> 1], times[frames - 2]];
  }
  return found;
}"""


def random_network(n_nodes: int, seed: int = 1) -> qnml.Network:
    """A network with random arcs and tables."""
    rng = np.random.default_rng(seed)
    names = [f"variable {node}" for node in range(n_nodes)]
    arcs = []
    for node in range(1, n_nodes):
        near = list(range(max(0, node - 8), node))
        arcs += [
            (names[one], names[node]) for one in rng.choice(near, min(len(near), rng.integers(1, 4)), replace=False)
        ]
    dag = qnml.Dag.from_arcs(names, arcs)
    levels = {name: ["low", "middle", "high"][: rng.integers(2, 4)] for name in names}
    tables = {
        name: rng.dirichlet(np.ones(len(levels[name])), [len(levels[one]) for one in dag.parents(name)])
        for name in names
    }
    return qnml.Network(dag, levels, tables)


def _main() -> None:
    from playwright.sync_api import sync_playwright

    program = os.environ.get("QNML_CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        sys.exit("There is no Chromium. Install it, or name its program in QNML_CHROMIUM.")
    print(f"{'nodes':>6}{'kB':>7}" + "".join(f"{name + ' ms: median, worst':>26}" for name in ("zoom", "drag", "ask")))
    with sync_playwright() as running, tempfile.TemporaryDirectory() as folder:
        browser = running.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        for nodes in map(int, sys.argv[1:] or NODES):
            path = Path(folder) / f"{nodes}.html"
            qnml.report(random_network(nodes), path)
            page = browser.new_page(viewport={"width": 1300, "height": 900})
            page.goto(path.as_uri())
            found = page.evaluate(TIMES, FRAMES)
            times = "".join(f"{median:18.1f}{worst:8.1f}" for median, worst in found.values())
            print(f"{nodes:6}{path.stat().st_size / 1000:7.0f}{times}", flush=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    _main()
