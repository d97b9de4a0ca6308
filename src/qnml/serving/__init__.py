"""`qnml show`: the report page with the library behind it, served to this machine only."""

from qnml.serving.server import PageServer
from qnml.serving.session import Session

__all__ = ["PageServer", "Session"]
