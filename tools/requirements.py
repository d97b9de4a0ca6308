"""Print requirements from pyproject.toml, one per line: ``requirements.py build``, or names of groups and extras.

So that the Makefile can install a group apart from the package, and the lists stay in one place.
"""

import sys
import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
GROUPS = PROJECT["dependency-groups"] | PROJECT["project"]["optional-dependencies"]


def listed(group):
    """The requirements of a group, those of the groups it includes among them."""
    for entry in GROUPS[group]:
        yield from [entry] if isinstance(entry, str) else listed(entry["include-group"])


for group in sys.argv[1:]:
    if group == "build":
        # Inside an isolated build these two are fetched on demand; our incremental builds are not isolated.
        print(*PROJECT["build-system"]["requires"], "cmake>=3.20", "ninja", sep="\n")
    else:
        print(*listed(group), sep="\n")
