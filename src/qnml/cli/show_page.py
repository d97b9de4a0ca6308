"""``qnml show``: the report page in a browser, with the library behind it."""

import json
import webbrowser
from contextlib import suppress
from functools import partial
from typing import Annotated, Any

import typer

import qnml
from qnml.cli.learning_options import LearningOptions, learning_command, time_limit
from qnml.cli.network_source import opened_network
from qnml.cli.report import Source, holds_a_network, source_name
from qnml.cli.show import show
from qnml.reports import ReportPage, show_facts
from qnml.reports import show_page as lines
from qnml.serving import PageServer, Session

__all__ = ["show_page"]


@learning_command(
    data=Source, time=time_limit("Stop learning after this time; as long again for each of the other parts.")
)
def show_page(
    *,
    options: LearningOptions,
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="The port; a free one by default.")
    ] = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
) -> None:
    """Show the page of 'qnml report' in a browser, with the library behind it, until Ctrl-C.

    Questions about networks of any size are answered by the library, and the network can be learned again with arcs
    that are required or forbidden. Only this computer can reach the page, by an address with a secret in it. At the
    end, arcs that were required or forbidden in the page are printed, ready for a file for --knowledge.

    \b
    Examples:
      qnml show patients.csv
      qnml show patients.csv --knowledge known.toml --no-browser
      qnml show alarm.bif
    """
    if holds_a_network("show", options.data):
        page = qnml.report(opened_network("show", options.data, options.memory), name=source_name(options.data))
        session = Session(page)
    else:
        table = options.table(estimates_missing=True)
        joint = "joint" if options.bins_jointly and table.numbers else None
        given: dict[str, Any] = {**options.arguments(), **options.running(), "discretize": joint}
        given["name"] = source_name(options.data)
        page = qnml.report(table, **given)
        session = Session(page, partial(_learned_again, table, given), options.known)
    _serve(session, port, browser=browser, as_json=options.as_json)


def _learned_again(table: qnml.Table, given: dict[str, Any], known: qnml.Knowledge, seconds: float) -> ReportPage:
    again = {**given, "knowledge": known, "time_limit": seconds, "progress": False}
    return qnml.report(table, **again)


def _serve(session: Session, port: int, *, browser: bool, as_json: bool) -> None:
    before = session.lists
    with PageServer(session, port) as server:
        show("show", show_facts(server.address), lines, as_json=as_json)
        if browser:
            webbrowser.open(server.address)
        with suppress(KeyboardInterrupt):
            server.serve_forever()
        with suppress(KeyboardInterrupt):
            session.end()
    if session.lists != before:
        print("Knowledge at the end, for a .json file that --knowledge reads:")
        print(json.dumps(session.lists, ensure_ascii=False, indent=2))
