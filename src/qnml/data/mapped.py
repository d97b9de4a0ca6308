"""Columns that grow piece by piece: in memory, or in a temporary file that is mapped into memory when it is complete.

The file has no name, or loses it at once, so it is gone when the last column is, however the process ends.
"""

from __future__ import annotations

import mmap
import tempfile
from typing import Any

import numpy as np
import numpy.typing as npt

from qnml.errors import DataError

__all__ = ["GrowingColumns"]


class GrowingColumns:
    """Columns of known types and lengths that are written from the first row to the last.

    Parameters
    ----------
    n_rows
        Rows of every column.
    dtypes
        The type of each column.
    on_disk
        Whether the columns go to a temporary file.
    """

    def __init__(self, n_rows: int, dtypes: list[Any], *, on_disk: bool) -> None:
        self._n_rows = n_rows
        self._dtypes = [np.dtype(dtype) for dtype in dtypes]
        self._done = 0
        # 8 bytes of alignment for the widest type.
        sizes = [-(-n_rows * dtype.itemsize // 8) * 8 for dtype in self._dtypes]
        self._starts = [sum(sizes[:place]) for place in range(len(sizes))]
        self._size = sum(sizes)
        self._file = tempfile.TemporaryFile(prefix="qnml-") if on_disk else None  # noqa: SIM115
        self._arrays: list[npt.NDArray[Any]] = []
        if self._file is None:
            self._arrays = [np.empty(n_rows, dtype=dtype) for dtype in self._dtypes]
        else:
            self._file.truncate(self._size)

    def append(self, call: str, pieces: list[npt.NDArray[Any]]) -> None:
        """Write the next rows of all columns.

        Parameters
        ----------
        call : the calling function, for errors.
        pieces : the cells of each column.
        """
        length = len(pieces[0])
        if self._done + length > self._n_rows:
            raise DataError(
                f"{call}: the source grew while it was read: more than the {self._n_rows:,} rows of before. Read a "
                "snapshot: a copy of the table, or a transaction."
            )
        for place, (piece, dtype) in enumerate(zip(pieces, self._dtypes, strict=True)):
            if self._file is None:
                self._arrays[place][self._done : self._done + length] = piece
                continue
            self._file.seek(self._starts[place] + self._done * dtype.itemsize)
            self._write(call, np.ascontiguousarray(piece, dtype=dtype))
        self._done += length

    def finished(self, call: str) -> list[npt.NDArray[Any]]:
        """The columns, read-only if they are in a file; every row must have been written.

        Parameters
        ----------
        call : the calling function, for errors.
        """
        if self._done != self._n_rows:
            raise DataError(
                f"{call}: the source shrank while it was read: {self._done:,} rows, {self._n_rows:,} before. Read a "
                "snapshot: a copy of the table, or a transaction."
            )
        if self._file is None:
            return self._arrays
        self._file.flush()
        whole = mmap.mmap(self._file.fileno(), self._size, access=mmap.ACCESS_READ)
        self._file.close()
        return [
            np.frombuffer(whole, dtype=dtype, count=self._n_rows, offset=start)
            for dtype, start in zip(self._dtypes, self._starts, strict=True)
        ]

    def close(self) -> None:
        """Remove the file, after an error."""
        if self._file is not None:
            self._file.close()

    def _write(self, call: str, piece: npt.NDArray[Any]) -> None:
        assert self._file is not None
        try:
            self._file.write(piece.data)
        except OSError as error:
            raise DataError(
                f"{call}: the temporary file of coded columns could not be written: {error.strerror}. Set TMPDIR to a "
                "larger disk, or leave out columns."
            ) from error
