"""DOT, the language of Graphviz: writing it, and running the program that draws it."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

from qnml.reports.parts import visible
from qnml.reports.picture import style

if TYPE_CHECKING:
    from qnml.reports.picture.drawing import Drawing, Line

__all__ = ["PATIENCE_SECONDS", "dot_program", "dot_text", "drawn_by_dot"]

# dot can take minutes for dense graphs; the built-in layout takes seconds for any graph.
PATIENCE_SECONDS = 20.0
_FEW = 60
# In dot, arrowheads grow with the width of their lines, into the boxes; in the built-in layout they do not.
_THINNER = 0.8
_FONT = "Helvetica,Arial,sans-serif"


def dot_text(drawing: Drawing) -> str:
    """Write the drawing, including isolated nodes; undirected edges have ``dir="none"``."""
    page = {
        # Otherwise the heads of thick arrows would reach into the boxes.
        "outputorder": "edgesfirst",
        "pad": "0.2",
        "nodesep": "0.3",
        "ranksep": "0.6" if len(drawing.names) <= _FEW else "1.2",
        # Connected components in several rows, not all in one.
        "pack": "20",
        "packmode": "graph",
        "fontname": _FONT,
        "fontsize": f"{style.CAPTION_SIZE:g}",
        "fontcolor": style.CAPTION_COLOUR,
    }
    boxes = {
        "shape": "box",
        "style": "rounded,filled",
        "fillcolor": style.BOX_FILL,
        "color": style.BOX_LINE,
        "fontname": _FONT,
        "fontsize": f"{style.FONT_SIZE:g}",
        "fontcolor": style.TEXT_COLOUR,
        "height": "0.39",
        "width": "0.6",
        "margin": "0.15,0.05",
    }
    lines = ["digraph {", f"  graph {_listed(page)};", f"  node {_listed(boxes)};"]
    caption = style.caption(drawing)
    if caption:
        lines.append("  label=" + _quoted("\n".join(map(_shown, caption))).replace("\n", "\\n") + ";")
    # Names are used as identifiers where that is safe, so that other programs can find them.
    plain = all(visible(name) == name for name in drawing.names)
    identifiers = [_quoted(name if plain else f"n{place}") for place, name in enumerate(drawing.names)]
    for identifier, name in zip(identifiers, drawing.names, strict=True):
        text = _shown(style.shown_name(name))
        # Without a label Graphviz shows the identifier.
        look = {} if _quoted(text) == identifier else {"label": text, "tooltip": _shown(visible(name))}
        lines.append(f"  {identifier}{' ' + _listed(look) if look else ''};")
    for line in drawing.lines:
        ends = f"{identifiers[line.upper]} -> {identifiers[line.lower]}"
        lines.append(f"  {ends} {_listed(_line_look(line, drawing))};")
    return "\n".join([*lines, "}"]) + "\n"


def dot_program() -> str | None:
    """Return the path of the program, or None."""
    return shutil.which("dot")


def drawn_by_dot(program: str, text: str, kind: str) -> bytes | None:
    """Draw DOT text with Graphviz as ``"svg"``, ``"png"`` or ``"pdf"``; None if it fails or takes too long."""
    words = [program, f"-T{kind}"]
    if kind == "png":
        words.append("-Gdpi=144")
    try:
        done = subprocess.run(
            words, input=text.encode("utf-8"), capture_output=True, timeout=PATIENCE_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout or None


def _line_look(line: Line, drawing: Drawing) -> dict[str, str]:
    look = {
        # Mixed with white instead of transparent: Graphviz draws heads twice, which would be visible.
        "color": style.on_white(style.line_colour(line, drawing), style.line_opacity(line)),
        "penwidth": f"{_THINNER * style.line_width(line, drawing):.2f}",
        "arrowsize": "0.9",
        "tooltip": _shown(style.described(line, drawing)),
    }
    if not line.directed:
        look["dir"] = "none"
    if style.is_dashed(line):
        look["style"] = "dashed"
    return look


def _listed(attributes: dict[str, str]) -> str:
    return "[" + ", ".join(f"{name}={_quoted(value)}" for name, value in attributes.items()) + "]"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _shown(text: str) -> str:
    """Escape text for display, since Graphviz interprets entities such as ``&lt;``."""
    return text.replace("&", "&amp;")
