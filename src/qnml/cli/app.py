"""The command ``qnml`` and its subcommands."""

import io
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

import qnml
from qnml.cli import failures
from qnml.cli.bootstrap import bootstrap
from qnml.cli.compare import compare
from qnml.cli.convert import convert
from qnml.cli.effect import effect
from qnml.cli.independence import independence
from qnml.cli.info import info
from qnml.cli.k_best import k_best
from qnml.cli.learn import learn
from qnml.cli.paper import paper
from qnml.cli.posterior import posterior
from qnml.cli.predict import predict
from qnml.cli.query import query
from qnml.cli.regret import regret
from qnml.cli.report import report
from qnml.cli.sample import sample
from qnml.cli.score import score
from qnml.cli.scores import scores
from qnml.cli.show_page import show_page
from qnml.cli.streams import check_streams
from qnml.cli.wording import speak_for

__all__ = ["app", "main"]

# No rich markup in help texts: it would swallow model strings such as [A][B|A].
app = typer.Typer(
    name="qnml",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(asked: bool) -> None:
    if asked:
        print(f"qnml {qnml.__version__}")
        raise typer.Exit


@app.callback()
def _qnml(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Learn Bayesian networks from categorical data, with a hyperparameter-free score by default.

    \b
    Examples:
      qnml info patients.csv
      qnml learn patients.csv --plot net.svg
      qnml score patients.csv '[age][smokes|age][ill|age:smokes]' --explain

    Exit codes: 0 done, 1 the work failed, 2 bad usage or bad input.
    """
    commands: Any = context.command
    speak_for(commands.commands.get(context.invoked_subcommand))
    if context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit(failures.MISUSED)


for command in (
    learn,
    report,
    posterior,
    bootstrap,
    k_best,
    score,
    regret,
    compare,
    info,
    independence,
    scores,
    convert,
    predict,
    query,
    effect,
    sample,
    paper,
):
    app.command()(command)
# The module `show` prints the results of all commands.
app.command("show")(show_page)


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    words
        The words after ``qnml``; by default those of this process.

    Returns
    -------
    The exit code.
    """
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character prints a question mark instead of failing.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    command = typer.main.get_command(app)
    try:
        check_streams()
        # Not command.main(): it would print interruptions and broken pipes in its own way.
        with command.make_context("qnml", list(sys.argv[1:] if words is None else words)) as context:
            command.invoke(context)
        sys.stdout.flush()
    except typer.Exit as leaving:
        return leaving.exit_code
    except SystemExit:
        raise
    # BaseException, for KeyboardInterrupt and the panics of libraries written in Rust.
    except BaseException as error:
        return failures.report(error)
    return failures.DONE
