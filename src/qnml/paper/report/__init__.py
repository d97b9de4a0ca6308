"""The paper's tables and figures compared with the printed ones: Markdown, figures, one page with everything.

This package works from the summaries of `qnml.paper.summary` and computes nothing. Figures are drawn by matplotlib,
which is imported when the first is drawn.
"""

from qnml.paper.report.about import About
from qnml.paper.report.figures import check_figures
from qnml.paper.report.writing import check_document, write_document, write_report

__all__ = ["About", "check_document", "check_figures", "write_document", "write_report"]
