"""One file of HTML from the contents of a report: style, facts and scripts inside, nothing loaded from anywhere."""

from __future__ import annotations

import json
import warnings
from functools import cached_property
from html import escape
from importlib import resources
from string import Template
from typing import TYPE_CHECKING, Any

from qnml._api.report_contents import Left
from qnml._checks import checked_whole_number
from qnml._writing import write_file
from qnml.reports.parts import visible
from qnml.reports.web.facts import script_facts
from qnml.reports.web.sections import sections
from qnml.reports.web.story import story

if TYPE_CHECKING:
    import os

    from qnml._api.report_contents import ReportContents
    from qnml.reports.fact_parts import Facts

__all__ = ["SCRIPTS", "ReportPage"]

SCRIPTS = ("propagation.js", "drawing.js", "panels.js", "serving.js", "page.js")
"""The scripts of the page, in the order in which they need each other."""

# Nothing is loaded and nothing is sent, whatever a name or a label says.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'"


_ASKS_NOBODY = "The page asks no server for anything."


class ReportPage:
    """A report as one web page. Notebooks show it; `save` writes it.

    Parameters
    ----------
    contents
        What `qnml.report` has computed.
    """

    def __init__(self, contents: ReportContents) -> None:
        self.contents = contents

    @cached_property
    def html(self) -> str:
        """The text of the page."""
        return _page(self.contents, None)

    def served(self, server: Facts) -> str:
        """The text of the page as a server shows it, which the page may ask further questions.

        Parameters
        ----------
        server
            What the page has to know of it: whether it can learn again (``canLearn``), the ``number`` of its network,
            and the arcs that are ``required`` and ``forbidden``.
        """
        return _page(self.contents, server)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file.

        Parameters
        ----------
        path
            The file, usually ending in ``.html``.
        """
        write_file("ReportPage.save", "path", path, self.html.encode("utf-8", "backslashreplace"))

    def widget(self, height: int = 900) -> Any:
        """The page as a widget for notebooks: what is chosen in it can be read and set from Python.

        It needs anywidget, the extra ``notebook``. Without it the static picture is returned, with a warning.

        Parameters
        ----------
        height
            The height in the notebook, in points.

        Returns
        -------
        object
            A widget with `evidence`, `do`, `variable` and `view`, or a `Picture`.
        """
        from qnml.reports.notebook import Picture
        from qnml.reports.web.widget import page_widget

        made = page_widget(self, checked_whole_number("ReportPage.widget", "height", height, 100, 10_000))
        if made is not None:
            return made
        warnings.warn(
            "ReportPage.widget: anywidget is not installed, so this is the static picture. "
            "pip install 'qnml[notebook]' adds it.",
            stacklevel=2,
        )
        return Picture(self.contents.network, tables=True)

    def _repr_html_(self) -> str:
        # A frame keeps the style of the page and that of the notebook apart.
        inner = escape(self.html, quote=True)
        title = escape(self.contents.title)
        return f'<iframe srcdoc="{inner}" style="width:100%;height:900px;border:0" title="{title}"></iframe>'

    def __repr__(self) -> str:
        return f"ReportPage({self.contents.title!r}, {len(self.html) / 1000:.0f} kB)"


def _asset(name: str) -> str:
    return resources.files("qnml.reports.web").joinpath(name).read_text(encoding="utf-8")


def _script_json(facts: object) -> str:
    """JSON that can stand inside a script element: no letter of it can end the element."""
    text = json.dumps(facts, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _page(contents: ReportContents, server: Facts | None) -> str:
    facts = {**script_facts(contents), "server": server}
    # The library behind a served page answers what the page cannot.
    why_not = contents.answers.reason if server is None and isinstance(contents.answers, Left) else None
    return Template(_asset("page.html")).substitute(
        policy=_POLICY if server is None else f"{_POLICY}; connect-src 'self'",
        title=escape(visible(contents.title)),
        style=_asset("page.css"),
        story="".join(f"<p>{escape(sentence)}</p>" for sentence in story(contents)),
        what_if=_asset("what_if.html") if why_not is None else f"<p>{escape(why_not)}</p>",
        asks=_ASKS_NOBODY if server is None else "It asks the library on this computer, and nobody else.",
        sections=sections(contents),
        facts=_script_json(facts),
        scripts="\n".join(_asset(name) for name in SCRIPTS),
    )
