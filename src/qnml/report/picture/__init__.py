"""Pictures of networks: DOT text, SVG and PNG.

Where Graphviz is installed its program ``dot`` draws; elsewhere a layered layout of our own does, written as
SVG by ourselves and as PNG by matplotlib. Lines are the thicker and darker the more bits the score would lose
without them; edges of an equivalence class that have no direction have no arrowhead.
"""

from qnml.report.picture.writing import PICTURE_KINDS, check_picture, to_dot, to_png, to_svg, write_picture

__all__ = ["PICTURE_KINDS", "check_picture", "to_dot", "to_png", "to_svg", "write_picture"]
