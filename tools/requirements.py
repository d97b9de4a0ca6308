"""Print requirements from pyproject.toml, one per line: ``requirements.py build``, or names of groups and extras.

The Makefile uses it to install a group without the package; pyproject.toml stays the only list.
"""

import sys
import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
GROUPS = PROJECT["dependency-groups"] | PROJECT["project"]["optional-dependencies"]


def listed(group):
    """Return the requirements of a group, including those of the groups it includes."""
    for entry in GROUPS[group]:
        yield from [entry] if isinstance(entry, str) else listed(entry["include-group"])


for group in sys.argv[1:]:
    if group == "build":
        # An isolated build fetches these two on demand; incremental builds are not isolated.
        print(*PROJECT["build-system"]["requires"], "cmake>=3.20", "ninja", sep="\n")
    else:
        print(*listed(group), sep="\n")
