"""Sphinx settings: Markdown pages, numpydoc docstrings, built by ``make docs``."""

import re

import qnml

project = "qnml"
author = "The qnml developers"
copyright = "The qnml developers"
version = release = qnml.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["output", "data/README.md"]
html_theme = "furo"
html_title = f"qnml {version}"

myst_heading_anchors = 3
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
    lines[:] = "\n".join(said).split("\n")


def setup(app):
    """Go before napoleon, which reads the sections."""
    app.connect("autodoc-process-docstring", put_meaning_below_name, priority=400)
