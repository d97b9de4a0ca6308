"""Handling of standard streams that were closed by the parent process."""

from __future__ import annotations

import io
import os
import sys

from qnml.errors import QnmlError

__all__ = ["check_streams"]

_STREAMS = 3


def check_streams() -> None:
    """Raise an error if standard output is closed, and discard messages if standard error is.

    Raises
    ------
    QnmlError
        If standard output is closed, before the work starts: the result would be lost silently.
    """
    for number in range(_STREAMS):
        try:
            os.fstat(number)
        except OSError:
            # Otherwise the next file opened would get this descriptor, and receive messages of libraries.
            os.open(os.devnull, os.O_RDWR)
    # Python sets closed streams to None, which print() treats as standard output.
    if sys.stderr is None:
        sys.stderr = io.StringIO()
    if sys.stdout is None:
        raise QnmlError(f"standard output is closed. Redirect it to {os.devnull} to discard the output.")
