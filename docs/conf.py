"""Sphinx settings: Markdown pages, numpydoc docstrings, built by ``make docs``."""

import qnml

project = "qnml"
author = "The qnml developers"
copyright = "The qnml developers"
version = release = qnml.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["output"]
html_theme = "furo"
html_title = f"qnml {version}"

myst_heading_anchors = 3
napoleon_google_docstring = False
napoleon_use_rtype = False
# Types are in the signatures; the text says what they mean.
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_type_aliases = {"ArrayLike": "ArrayLike"}
