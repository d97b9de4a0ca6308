"""The page as a widget of notebooks, through anywidget: Python sees what is chosen in it, and can choose."""

from __future__ import annotations

from functools import cache
from importlib import import_module, resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qnml.reports.web.page import ReportPage

__all__ = ["page_widget"]


def page_widget(page: ReportPage, height: int) -> Any:
    """A widget that shows a page; None where anywidget is absent.

    Parameters
    ----------
    page
        The page.
    height
        Its height in the notebook, in points.
    """
    try:
        made = _widget_class()
    except ImportError:
        return None
    contents = page.contents
    return made(contents.network, page=page.html, title=contents.title, height=height)


@cache
def _widget_class() -> Any:
    # Defined late: importing anywidget takes longer than importing qnml.
    base: Any = import_module("anywidget").AnyWidget
    traitlets = import_module("traitlets")

    class PageWidget(base):  # type: ignore[misc]
        """The page of a network in a notebook.

        `evidence` and `do` are the levels, as text, by variable that are chosen in the page; `variable` is the one that
        is looked at, and `view` what is drawn. Assigning to them changes the page, and `observe` follows it.
        """

        _esm = resources.files("qnml.reports.web").joinpath("widget.js").read_text(encoding="utf-8")
        page = traitlets.Unicode().tag(sync=True)
        title = traitlets.Unicode().tag(sync=True)
        height = traitlets.Int().tag(sync=True)
        evidence = traitlets.Dict().tag(sync=True)
        do = traitlets.Dict().tag(sync=True)
        variable = traitlets.Unicode(None, allow_none=True).tag(sync=True)
        view = traitlets.Unicode("network").tag(sync=True)

        def __init__(self, network: Any, **traits: Any) -> None:
            super().__init__(**traits)
            self.network = network

        def _repr_mimebundle_(self, **kwargs: Any) -> Any:
            """The widget, and beside it the static picture for viewers that run no widgets."""
            bundle = super()._repr_mimebundle_(**kwargs)
            if bundle is None:
                return None
            data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
            return {**data, "text/html": self.network.plot()._repr_html_()}, metadata

        def __repr__(self) -> str:
            return f"PageWidget({self.title!r}, evidence={self.evidence}, do={self.do})"

    return PageWidget
