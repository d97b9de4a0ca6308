"""Standard streams that whoever started us has closed."""

from __future__ import annotations

import io
import os
import sys

from qnml.errors import QnmlError

__all__ = ["check_streams"]

_STREAMS = 3


def check_streams() -> None:
    """Refuse to work for a closed output, and let messages to a closed one vanish.

    Raises
    ------
    QnmlError
        Before the work: what is to be shown would be lost without a word.
    """
    for number in range(_STREAMS):
        try:
            os.fstat(number)
        except OSError:
            # Else the next file we write would get this number, and messages of libraries with it.
            os.open(os.devnull, os.O_RDWR)
    # Python leaves None for closed streams, and print() takes that for standard output.
    if sys.stderr is None:
        sys.stderr = io.StringIO()
    if sys.stdout is None:
        raise QnmlError(f"standard output is closed. Send it to {os.devnull} to do without.")
