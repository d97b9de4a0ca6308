"""``python -m qnml`` is the command ``qnml``."""

import sys

from qnml.cli import main

if __name__ == "__main__":
    sys.exit(main())
