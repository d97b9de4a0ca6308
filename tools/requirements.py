"""Print requirements from pyproject.toml, one per line: ``requirements.py build`` or the names of extras.

So that the Makefile can install a group apart from the package, and the lists stay in one place.
"""

import sys
import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))

for group in sys.argv[1:]:
    if group == "build":
        # Inside an isolated build these two are fetched on demand; our incremental builds are not isolated.
        print(*PROJECT["build-system"]["requires"], "cmake>=3.20", "ninja", sep="\n")
    else:
        print(*PROJECT["project"]["optional-dependencies"][group], sep="\n")
