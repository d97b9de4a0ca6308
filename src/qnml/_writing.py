"""Writing a file: under a temporary name, then renamed, so that it appears complete or not at all."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from qnml.errors import InputError, bad_argument

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["refuse_same_file", "write_file", "written_file"]


def write_file(call: str, argument: str, path: str | os.PathLike[str], content: bytes) -> None:
    """Write bytes to a file; an existing one is replaced, or left unchanged if that fails.

    Parameters
    ----------
    call, argument : the caller and the argument or option that names the file, for the error.
    path : the file. Symbolic links are followed; devices and pipes are written directly.
    content : what to write.
    """
    with written_file(call, argument, path) as file:
        file.write(content)


@contextmanager
def written_file(call: str, argument: str, path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file for writing bytes; it replaces its target when the block ends without an error.

    Parameters
    ----------
    call, argument, path : as for `write_file`.
    """
    try:
        target = Path(os.path.realpath(path))
        mode = _mode(target)
        if mode is not None and stat.S_ISDIR(mode):
            # Here and not by the renaming: of files that belong together, the others are not replaced then.
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if _is_device(target):
            # A device or a pipe has no content that could be lost, and must not be replaced by a file.
            with open(target, "wb") as file:
                yield file
            return
        # A short name: that of the target may be as long as the system allows.
        partial = target.with_name(f".{secrets.token_hex(8)}.part")
        try:
            with open(partial, "wb") as file:
                yield file
            if mode is not None:
                os.chmod(partial, stat.S_IMODE(mode))
            os.replace(partial, target)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise bad_argument(call, argument, str(path), "a place that can be written", f"{reason}.") from error


def refuse_same_file(
    call: str,
    argument: str,
    output: str | os.PathLike[str],
    others: Iterable[str | os.PathLike[str] | int],
    what: str = "the input",
) -> None:
    """Reject an output that is also another file of the call, even by another name or link, before any work.

    Parameters
    ----------
    call, argument : the caller and the argument or option that names the output.
    output : the file to be written.
    others : the other files that are read or written; a number is an open file.
    what : a description of the other files.
    """
    for one in others:
        if _is_same(output, one):
            raise bad_argument(call, argument, str(output), f"another file than {what}", "It would be overwritten.")


def _is_same(one: str | os.PathLike[str], other: str | os.PathLike[str] | int) -> bool:
    try:
        # A terminal may be read and written at the same time; only files lose their content.
        return os.path.samefile(one, other) and not _is_device(Path(one))
    except OSError:
        return not isinstance(other, int) and os.path.realpath(one) == os.path.realpath(other)
    except ValueError:
        # No path at all: whoever opens it says so.
        return False


def _is_device(path: Path) -> bool:
    mode = _mode(path)
    return mode is not None and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _mode(path: Path) -> int | None:
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None
