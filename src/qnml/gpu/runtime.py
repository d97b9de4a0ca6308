"""What the drivers of the kernels need from a card: memory, copies, kernels.

`qnml.gpu.card` has the one on CUDA. The tests have another that runs the same kernels on the CPU.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import DTypeLike, NDArray

__all__ = ["MACROS", "Kernel", "Runtime", "blocks_for", "kernel_source"]

MACROS = {"CHANNELS": "1", "TALLY": "u32"}
"""What the kernels are compiled with unless said otherwise."""

_FILES = ("common.cuh", "counting.cu", "candidates.cu")


class Kernel(Protocol):
    """A kernel, called with the number of blocks, of threads in each, and of bytes of shared memory, and its arguments.

    Arguments are arrays of the runtime and NumPy scalars of the very types of the parameters.
    """

    def __call__(self, blocks: int, threads: int, shared_bytes: int, *arguments: Any) -> None: ...


class Runtime(Protocol):
    """A card, or what stands for one.

    Attributes
    ----------
    name : of the card.
    blocks : blocks of threads that it runs at the same time.
    threads : threads in a block of the counting kernel, a multiple of 32.
    shared_bytes : shared memory that a block may use.
    """

    name: str
    blocks: int
    threads: int
    shared_bytes: int

    def free_memory(self) -> int:
        """Bytes that can be allocated."""
        ...

    def empty(self, size: int, dtype: DTypeLike) -> Any:
        """Allocate an array; its values are undefined."""
        ...

    def zeros(self, size: int, dtype: DTypeLike) -> Any:
        """Allocate an array of zeros."""
        ...

    def upload(self, values: NDArray[Any]) -> Any:
        """Copy an array to the card."""
        ...

    def download(self, array: Any, first: int, size: int) -> NDArray[Any]:
        """Copy a part of an array from the card, when all kernels before have ended."""
        ...

    def kernel(self, name: str, **macros: str) -> Kernel:
        """Compile the kernels with these macros, unless that has been done, and return one of them."""
        ...

    def release(self) -> None:
        """Give memory that is kept for reuse back."""
        ...


@cache
def kernel_source() -> str:
    """The text of all kernels."""
    folder = files("qnml.gpu") / "kernels"
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in _FILES)


def blocks_for(items: int | np.integer[Any], threads: int) -> int:
    """Blocks of so many threads that give each item a thread."""
    return -(-int(items) // threads)
