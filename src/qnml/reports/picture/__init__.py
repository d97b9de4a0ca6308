"""Pictures of networks: DOT text, SVG, PNG and PDF.

If Graphviz is installed, its program ``dot`` draws them; otherwise a built-in layered layout is used, written as SVG
directly and as PNG or PDF by matplotlib. The more bits the score would lose without a line, the thicker and darker the
line.
Undirected edges of an equivalence class have no arrowhead.
"""

from qnml.reports.picture.writing import PICTURE_KINDS, check_picture, to_dot, to_pdf, to_png, to_svg, write_picture

__all__ = ["PICTURE_KINDS", "check_picture", "to_dot", "to_pdf", "to_png", "to_svg", "write_picture"]
