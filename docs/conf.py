"""Sphinx settings: Markdown pages, numpydoc docstrings, built by ``make docs``."""

import re
import shutil
import sys
from pathlib import Path

import qnml

sys.path.insert(0, str(Path(__file__).parent))
from inventory import write_inventories

project = "qnml"
author = "The qnml developers"
copyright = "The qnml developers"
version = release = qnml.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.intersphinx", "sphinx.ext.napoleon"]
exclude_patterns = ["output", "data/README.md"]
html_theme = "furo"
# Pages of the gallery, and the schema of network files, as they are.
html_extra_path = ["../build/gallery", "../build/schemas", "llms.txt"]
BUILT = Path(__file__).parents[1] / "build"
intersphinx_mapping = write_inventories(BUILT / "inventories")
for folder in ("gallery", "schemas"):
    (BUILT / folder).mkdir(parents=True, exist_ok=True)
shutil.copy(Path(qnml.__file__).parent / "model" / "files" / "network.schema.json", BUILT / "schemas")
html_title = f"qnml {version}"

myst_heading_anchors = 3
myst_enable_extensions = ["dollarmath"]
napoleon_google_docstring = False
napoleon_use_rtype = False
# Types are in the signatures; the text says what they mean.
napoleon_attr_annotations = False
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_type_aliases = {"ArrayLike": "ArrayLike"}


def put_meaning_below_name(app, what, name, obj, options, lines):
    """Turn ``name : what it means`` into the name with its meaning below: numpydoc would take it for a type."""
    said = [re.sub(r"^([*\w]+(?:, [*\w]+)*) : (?=.* )", r"\1\n    ", line) for line in lines]
    # Pages of the reference are in a folder; docstrings name pages from the top.
    text = re.sub(r":doc:`(?=[\w-]+`)", ":doc:`/", "\n".join(said))
    lines[:] = text.split("\n")


def setup(app):
    """Go before napoleon, which reads the sections."""
    app.connect("autodoc-process-docstring", put_meaning_below_name, priority=400)
