"""``qnml posterior``: the probability of each arc."""

import warnings
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

import qnml
from qnml._interrupts import Interrupts, held_interrupts
from qnml.cli.frame_files import check_frame_file, write_frame
from qnml.cli.learning_options import LearningOptions, learning_command, time_limit
from qnml.cli.result_files import drawn, refuse_overwriting
from qnml.cli.show import show
from qnml.errors import InputError, QnmlError, bad_argument
from qnml.reports import posterior_facts, posterior_page
from qnml.reports.heat_map import HEAT_MAP_KINDS
from qnml.reports.picture import check_picture

__all__ = ["posterior"]


_Prior = Annotated[
    str,
    typer.Option(
        "--prior",
        metavar="auto|uniform|sparse|classes|order",
        help="A priori equally probable: DAGs (uniform), numbers of parents (sparse), equivalence classes, or orders; "
        "'auto' is sparse for qnml and fnml beyond 30 variables, otherwise uniform.",
    ),
]


@learning_command(
    time=time_limit(
        "Stop after this time: chains return their draws so far, and replace exact sums that are not done."
    ),
    prior=_Prior,
)
def posterior(
    *,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="auto|enumerate|exact|mcmc",
            help="Enumerate all structures, sum over them exactly, or sample them by MCMC; 'auto' uses the first "
            "that fits.",
        ),
    ] = "auto",
    samples: Annotated[
        int | None, typer.Option("--samples", metavar="N", help="Number of structures to draw, if any are drawn.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="Seed of all random numbers; 0 by default.")
    ] = None,
    options: LearningOptions,
    top: Annotated[int, typer.Option("--top", metavar="K", help="Number of structures to list.")] = 3,
    least: Annotated[
        float, typer.Option("--least", metavar="P", help="Smallest probability of a pair that is shown and drawn.")
    ] = 0.1,
    output: Annotated[
        list[str] | None,
        typer.Option("--output", metavar="FILE", help="Write the pairs to a .csv or .parquet file."),
    ] = None,
    plot: Annotated[
        list[str] | None,
        typer.Option(
            "--plot", metavar="FILE", help="Draw edges as opaque as they are probable: .svg, .png, .pdf or .dot."
        ),
    ] = None,
    heat_map: Annotated[
        list[str] | None,
        typer.Option("--heat-map", metavar="FILE", help="Draw the matrix of arcs: .png, .svg or .pdf."),
    ] = None,
) -> None:
    """Show how probable every arc is, and which structures are the most probable.

    A structure has the weight exp(score) times its prior: posterior probabilities for bdeu, bds, bdj and k2, NML
    weights for qnml and fnml.

    \b
    Examples:
      qnml posterior patients.csv
      qnml posterior flowers.csv --discretize paper --plot arcs.svg
      qnml posterior flowers.csv --score bdq:alpha=0.3 --prior classes
      qnml posterior wide.csv --method mcmc --time 60 --json
    """
    _ = options.asked  # a wrong score is named before a wrong file
    if top < 1:
        raise bad_argument("posterior", "top", top, "a whole number of at least 1")
    if not 0 <= least <= 1:
        raise bad_argument("posterior", "least", least, "a number from 0 to 1")
    files = _Files(output or [], plot or [], heat_map or [])
    files.check([options.data, options.knowledge])
    table = options.table()
    with held_interrupts() as interrupts:
        with warnings.catch_warnings(record=True) as caught:
            # Over-full families, chains that have not mixed or that replace exact figures: the page has the warnings.
            warnings.simplefilter("always", UserWarning)
            result = qnml.posterior(
                table,
                method=method,
                samples=samples,
                seed=seed,
                **options.arguments(),
                **options.running(),
            )
        written, failure = files.write(result, least, interrupts)
        said = [str(one.message) for one in caught]
        facts = posterior_facts(result, options.data, top=top, least=least, warnings=said, files=written)
        show("posterior", facts, posterior_page, as_json=options.as_json)
        if failure is not None:
            raise failure


@dataclass(frozen=True)
class _Files:
    """The files to write: tables of pairs, pictures and heat maps."""

    outputs: list[str]
    plots: list[str]
    maps: list[str]

    def check(self, inputs: list[str | None]) -> None:
        """Reject files that could not be written, before the work starts."""
        written = {"--output": self.outputs, "--plot": self.plots, "--heat-map": self.maps}
        refuse_overwriting("posterior", written, inputs)
        for path in self.outputs:
            check_frame_file("posterior", path)
        for path in self.plots:
            check_picture("posterior", path, "plot")
        for path in self.maps:
            if not path.lower().endswith(HEAT_MAP_KINDS):
                allowed = f"a file name ending in one of {', '.join(HEAT_MAP_KINDS)}"
                raise bad_argument("posterior", "heat_map", path, allowed)
        for path in (*self.plots, *self.maps):
            if not Path(path).parent.is_dir():
                raise InputError(f"posterior: {path} cannot be written: there is no folder {Path(path).parent}.")

    def write(
        self, result: qnml.Posterior, least: float, interrupts: Interrupts
    ) -> tuple[list[tuple[str, str]], QnmlError | KeyboardInterrupt | None]:
        """Write the files; return a failure with the files written before it, since the work may have taken hours."""
        written: list[tuple[str, str]] = []
        try:
            for path in self.outputs:
                write_frame("posterior", result.to_frame(kind="polars"), path)
                written.append((path, "pairs with their probabilities"))
            for path in self.plots:
                draw = partial(result.plot(threshold=least).save, path)
                written.append((path, drawn(interrupts, path, draw, "picture")))
            for path in self.maps:
                draw = partial(result.plot("heat map").save, path)
                written.append((path, drawn(interrupts, path, draw, "heat map")))
        except (QnmlError, KeyboardInterrupt) as error:
            return written, error
        return written, None
