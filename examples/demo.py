"""A first look at qnml: score networks on bundled data and see why one beats another.

Run by ``make demo``. Writes a table and a network to ``demo-output/``, to try the command line on, and
touches nothing else.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table as Grid

import qnml

if TYPE_CHECKING:
    from collections.abc import Mapping

SCORES = ("qnml", "bic", "bdeu", "fnml")
OUTPUT = Path("demo-output")

console = Console(highlight=False)


def say(text: str) -> None:
    """Print a paragraph, its lines joined."""
    console.print(" ".join(text.split()) + "\n")


def show_scores(title: str, table: qnml.Table, networks: Mapping[str, qnml.Dag]) -> None:
    """Print one row a network and one column a score; the best of each column stands out."""
    values = {name: [qnml.score(table, dag, score) for score in SCORES] for name, dag in networks.items()}
    best = [max(column) for column in zip(*values.values(), strict=True)]
    grid = Grid(title=title, title_justify="left")
    grid.add_column("network")
    grid.add_column("arcs", justify="right")
    for score in SCORES:
        grid.add_column(score, justify="right")
    for name, row in values.items():
        # Equivalent networks may differ in the last digit, and both are best then.
        stars = ["*" if value > top - 1e-6 else " " for value, top in zip(row, best, strict=True)]
        cells = [f"{value:.2f}{star}" for value, star in zip(row, stars, strict=True)]
        grid.add_row(name, str(networks[name].n_arcs), *cells)
    console.print(grid)


def show_explanation(title: str, table: qnml.Table, dag: qnml.Dag) -> None:
    """Print what the qNML score of a network is made of."""
    explanation = qnml.explain(table, dag)
    cost = {(arc.parent, arc.child): arc.removal_cost_bits for arc in explanation.arcs}
    grid = Grid(title=title, title_justify="left")
    grid.add_column("variable")
    for heading in ("fit", "penalty", "parameters"):
        grid.add_column(heading, justify="right")
    grid.add_column("bits lost without this parent")
    for family in explanation.families:
        lost = ", ".join(f"{parent} {cost[parent, family.child]:.1f}" for parent in family.parents)
        figures = (f"{family.fit:.2f}", f"{family.penalty:.2f}", str(family.n_parameters))
        grid.add_row(family.child, *figures, lost)
    console.print(grid)


def asia() -> None:
    """Score networks on data from a network that is known."""
    network = qnml.datasets.load_network("asia")
    table = network.sample(1000, seed=1)
    true = network.dag
    say(
        """[bold]1. Asia.[/] A small network about lung disease, known exactly, and 1000 patients drawn from
        it. A score weighs how well a network tells the data against what its parameters cost: in natural
        logs, higher is better. The best of each column has a star."""
    )
    networks = {
        "the true one": true,
        "asia → tub turned": true.reverse_arc("asia", "tub"),
        "without asia → tub": true.remove_arc("asia", "tub"),
        "without either → xray": true.remove_arc("either", "xray"),
        "no arcs": qnml.Dag.empty(true.names),
    }
    show_scores("Networks on 1000 patients", table, networks)
    say(
        """Turning asia → tub changes nothing that data could show: the two networks are equivalent, and
        qnml, bic and bdeu give them one score. fnml does not. At this sample size the arc is too weak to
        pay for itself, so the network without it is best; either → xray earns its price many times over."""
    )
    show_explanation("What the qnml score of the true network is made of", table, true)
    say(
        """Fit less penalty is the score. One bit is a factor of two in probability; a negative loss means
        that the arc costs more than it tells."""
    )
    OUTPUT.mkdir(exist_ok=True)
    table.to_frame().write_csv(OUTPUT / "asia.csv")
    qnml.write_network(network, OUTPUT / "asia.bif")


def measurements() -> None:
    """Ask two real data sets whether the class makes the measurements independent."""
    say(
        """[bold]2. Iris and wine.[/] Measurements of flowers and of wines, in three bins each. 'Naive Bayes'
        says that once the class is known the measurements tell nothing about each other; the last network
        adds one arc."""
    )
    for name, arc in (("iris", ("petal_length", "petal_width")), ("wine", ("total_phenols", "flavanoids"))):
        table = qnml.datasets.load_table(name)
        others = [column for column in table.names if column != "class"]
        simple = qnml.Dag.from_arcs(table.names, [("class", column) for column in others])
        networks = {
            "no arcs": qnml.Dag.empty(table.names),
            "naive Bayes": simple,
            "and one more arc": simple.add_arc(*arc),
        }
        show_scores(f"{name}: {table.n_rows} rows, {len(table.names)} variables", table, networks)
        gain = qnml.score(table, networks["and one more arc"]) - qnml.score(table, simple)
        verdict = "pays" if gain > 0 else "does not pay"
        say(f"On {name} the arc {arc[0]} → {arc[1]} {verdict}: {gain / math.log(2):+.1f} bits by qnml.")


def main() -> None:
    """Tell the story."""
    asia()
    measurements()
    console.print(f"[bold]3. Your turn.[/] The patients and their network are in {OUTPUT}/. Try:")
    for command in (
        f"info {OUTPUT}/asia.csv",
        f"score {OUTPUT}/asia.csv {OUTPUT}/asia.bif --score qnml,bic --explain",
        "regret 1000 8 --method all",
    ):
        console.print(f"  .venv/bin/qnml {command}", soft_wrap=True)


if __name__ == "__main__":
    main()
