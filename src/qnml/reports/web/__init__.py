"""The report page: contents → facts → one file of HTML, with its style and its scripts inside.

The scripts have no build step: the files of this folder are put into the page in the order of `page.SCRIPTS`. They
share one scope, use nothing but the browser, and ask no server for anything.
"""

from qnml.reports.web.page import ReportPage

__all__ = ["ReportPage"]
