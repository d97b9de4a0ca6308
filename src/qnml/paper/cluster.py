"""A crew on a Dask cluster, reached through the address of its scheduler.

The scheduler notices when workers leave or join, and reruns the work of lost workers elsewhere.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import logging
from typing import TYPE_CHECKING, Any

from qnml.errors import MissingExtraError, QnmlError
from qnml.paper.execute import ChunkError, Finished, perform

if TYPE_CHECKING:
    from collections.abc import Iterator

    from qnml.paper.work import Chunk

__all__ = ["Cluster"]

_CONNECT_SECONDS = 15
# Chunks per thread: one in progress and one waiting, so that no thread waits for communication.
_AHEAD = 2
# Raised by the library when the scheduler goes away; the first is not a subclass of Exception.
_LOST = (asyncio.CancelledError, concurrent.futures.CancelledError, OSError)


class Cluster:
    """A crew on a Dask cluster.

    Parameters
    ----------
    address
        Address of the scheduler, such as ``"tcp://10.0.0.1:8786"``.
    """

    def __init__(self, address: str) -> None:
        try:
            import distributed
        except ImportError as error:
            raise MissingExtraError(
                f"paper(scheduler={address!r}): needs the package distributed. Install it: pip install 'qnml[dask]'."
            ) from error
        # Few functions of the library declare their return types.
        self._library: Any = distributed
        self._address = address
        # We report a lost connection ourselves; the library would print a page about it.
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
        try:
            self._client = self._library.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            # Includes the error of the time limit, which is an OSError.
            raise QnmlError(
                f"paper(scheduler={address!r}): no Dask scheduler answers there ({error}). "
                "Start one with 'dask scheduler' and workers with 'dask worker ADDRESS', or use --workers."
            ) from error
        self._chunks: dict[Any, Chunk] = {}
        self._width = self._threads()

    @property
    def width(self) -> int:
        """Number of threads of all workers; the cluster may grow and shrink."""
        return self._width

    @property
    def room(self) -> int:
        """How many more chunks would keep all threads busy."""
        return _AHEAD * max(self._width, 1) - len(self._chunks)

    def start(self, chunk: Chunk) -> None:
        """Submit a chunk to the scheduler."""
        with self._connected():
            # Not pure: otherwise Dask would answer a second run of the same chunk from its cache.
            self._chunks[self._client.submit(perform, chunk, pure=False)] = chunk

    def wait(self) -> list[Finished]:
        """Wait for finished chunks."""
        if not self._chunks:
            return []
        with self._connected(), self._client.as_current():
            self._library.wait(list(self._chunks), return_when="FIRST_COMPLETED")
            done = [future for future in self._chunks if future.done()]
            results = [self._result(future) for future in done]
            for future in done:
                del self._chunks[future]
                future.release()
            self._width = self._threads()
        return results

    def close(self) -> None:
        """Cancel the pending chunks and disconnect; the cluster keeps running."""
        # There is nothing to cancel on a cluster that is already gone.
        with contextlib.suppress(Exception, *_LOST):
            self._client.cancel(list(self._chunks), force=True)
        self._chunks = {}
        with contextlib.suppress(Exception, *_LOST):
            self._client.close()

    @contextlib.contextmanager
    def _connected(self) -> Iterator[None]:
        try:
            yield
        except _LOST as error:
            raise QnmlError(
                f"paper(scheduler={self._address!r}): the connection to the scheduler was lost. "
                "What was finished is kept; start the cluster again and add --resume."
            ) from error

    def _threads(self) -> int:
        return sum(self._client.nthreads().values())

    def _result(self, future: Any) -> Finished:
        try:
            answer: Finished = future.result()
        except _LOST:
            raise
        except Exception as error:
            raise ChunkError(
                f"paper(scheduler={self._address!r}): {self._chunks[future].title}: {type(error).__name__}: {error}. "
                "Every worker needs this version of qnml, and memory. What was finished is kept; --resume continues."
            ) from error
        return answer
