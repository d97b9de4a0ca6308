"""A first look at qnml: learn the best network for bundled data and see why no other beats it.

Run by ``make demo``. Writes pictures, a table and a network to ``demo-output/``, to look at and to try the command
line on, and changes nothing else.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table as Grid

import qnml
from qnml.errors import MissingExtraError
from qnml.reports import learn_facts, learn_page
from qnml.reports.picture import write_picture

if TYPE_CHECKING:
    from collections.abc import Mapping

SCORES = ("qnml", "bic", "bdeu")
OUTPUT = Path("demo-output")

console = Console(highlight=False)


def say(text: str) -> None:
    """Print a paragraph, its lines joined."""
    console.print(" ".join(text.split()) + "\n")


def show_result(title: str, result: qnml.SearchResult) -> None:
    """Print what ``qnml learn`` prints: the arcs, strongest first, and the certificate."""
    saturates = result.bound_score.score.penalty_saturates
    for part in learn_page(learn_facts(result, title), penalty_saturates=saturates):
        console.print(part)
    console.print()


def show_scores(title: str, table: qnml.Table, networks: Mapping[str, qnml.Dag]) -> None:
    """Print one row per network and one column per score; the best of each column has a star."""
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


def draw(result: qnml.SearchResult, name: str) -> None:
    """Write a picture as SVG, and as PNG if a program or library for it is installed."""
    write_picture(result, OUTPUT / f"{name}.svg")
    try:
        write_picture(result, OUTPUT / f"{name}.png")
    except MissingExtraError:
        say(f"[dim]({name}.svg only: a PNG needs Graphviz or matplotlib, and neither is installed.)[/]")


def asia() -> None:
    """Learn from data whose network is known, and compare."""
    network = qnml.datasets.load_network("asia")
    table = network.sample(1000, seed=1)
    true = network.dag
    say(
        """[bold]1. Asia.[/] A small network about lung disease, known exactly, and 1000 patients drawn from it.
        There are 783,702,329,343 networks on its 8 variables. Which one describes the data best, given the
        cost of its parameters?"""
    )
    result = qnml.learn(table)
    show_result("asia", result)
    say(
        """One bit is a factor of two in probability. The true network has one more arc, asia → tub, which is too
        weak to justify its cost with 1000 patients. Scores are in nats; higher is better:"""
    )
    networks = {
        "learned": result.dag,
        "true": true,
        "asia → tub reversed": true.reverse_arc("asia", "tub"),
        "without asia → tub": true.remove_arc("asia", "tub"),
        "without either → xray": true.remove_arc("either", "xray"),
        "no arcs": qnml.Dag.empty(true.names),
    }
    show_scores("Networks on 1000 patients (* best of its column)", table, networks)
    say(
        """The learned network is the true one without that arc, up to directions that no data can reveal:
        equivalent networks have equal scores. Reversing asia → tub changes nothing either; removing either → xray
        is very costly."""
    )
    table.to_frame().write_csv(OUTPUT / "asia.csv")
    qnml.write_network(network, OUTPUT / "asia.bif")
    draw(result, "asia")


def wine() -> None:
    """Learn a network of real measurements and compare it with naive Bayes."""
    table = qnml.datasets.load_table("wine")
    others = [column for column in table.names if column != "class"]
    say(
        """[bold]2. Wine.[/] Thirteen measurements of 178 wines in three bins each, and the grower (class): about 10^36
        networks. Naive Bayes assumes that the measurements are independent given the grower."""
    )
    result = qnml.learn(table)
    networks = {
        "no arcs": qnml.Dag.empty(table.names),
        "naive Bayes": qnml.Dag.from_arcs(table.names, [("class", column) for column in others]),
        "learned": result.dag,
        "the best by bic": qnml.learn(table, "bic").dag,
        "the best by bdeu": qnml.learn(table, "bdeu").dag,
    }
    show_scores("Networks on 178 wines (* best of its column)", table, networks)
    say(f"{result.sentence()} Each of the last three is the best of all networks by its own score.")
    draw(result, "wine")


def few_rows() -> None:
    """Show what happens if there are too few rows."""
    table = qnml.datasets.load_table("iris")
    few = table.take(range(0, table.n_rows, 5))
    say("[bold]3. Few rows.[/] Only every fifth flower of the iris data: 30 rows. Learning gives a warning:")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        free = qnml.learn(few)
    for warning in told:
        console.print(f"  [yellow]{warning.message}[/]\n")
    family = free.overfull[0]
    capped = qnml.learn(few, guard="cap")
    parents = " and ".join(family.parents)
    left = " and ".join(capped.dag.parents(family.child)) or "no parent"
    say(
        f"""That is {family.child} with the parents {parents}: {family.cells:.0f} cells for {few.n_rows} rows.
        guard='cap' excludes such families, and {family.child} then has {left}. With few rows, ties are common:
        {capped.sentence()}"""
    )


def main() -> None:
    """Run all parts of the demonstration."""
    OUTPUT.mkdir(exist_ok=True)
    asia()
    wine()
    few_rows()
    pictures = ", ".join(sorted(path.name for path in OUTPUT.iterdir() if path.suffix in (".svg", ".png")))
    console.print(f"[bold]4. Your turn.[/] {OUTPUT}/ has the pictures {pictures} and the patients. Try:")
    for command in (
        f"info {OUTPUT}/asia.csv",
        f"learn {OUTPUT}/asia.csv --score bic --plot {OUTPUT}/bic.svg",
        f"learn {OUTPUT}/asia.csv --output {OUTPUT}/learned.bif",
        f"score {OUTPUT}/asia.csv {OUTPUT}/asia.bif --score qnml,bic --explain",
        "learn --help",
    ):
        console.print(f"  .venv/bin/qnml {command}", soft_wrap=True)


if __name__ == "__main__":
    main()
