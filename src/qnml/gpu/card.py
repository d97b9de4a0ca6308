"""The card: kernels compiled at run time and launched by CuPy."""

from __future__ import annotations

import importlib
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml.errors import QnmlError
from qnml.gpu.runtime import MACROS, kernel_source

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

__all__ = ["Card", "NoCardError", "open_card"]

# No contraction into fused multiply-adds: values must be those of the CPU.
_OPTIONS = ("--std=c++17", "--fmad=false")
_THREADS = 256
_BLOCKS_PER_PROCESSOR = 4
_USUAL_SHARED = 48 * 1024  # more must be asked for
_LEAST_CAPABILITY = 60  # 64-bit atomic additions in shared memory


class NoCardError(QnmlError):
    """There is no card that can be used; the message says what is missing."""


class Card:
    """A CUDA card.

    Parameters
    ----------
    cupy
        The package.
    number
        Which card.
    """

    def __init__(self, cupy: Any, number: int = 0) -> None:
        self._cupy = cupy
        self._device = cupy.cuda.Device(number)
        properties = cupy.cuda.runtime.getDeviceProperties(number)
        self.name = properties["name"].decode()
        self.blocks = _BLOCKS_PER_PROCESSOR * int(properties["multiProcessorCount"])
        self.threads = _THREADS
        self.shared_bytes = int(properties["sharedMemPerBlockOptin"])
        self.capability = 10 * int(properties["major"]) + int(properties["minor"])
        self._modules: dict[tuple[str, ...], Any] = {}

    def free_memory(self) -> int:
        """Bytes that can be allocated: what is free, and what CuPy keeps for reuse."""
        with self._device:
            free, _ = self._cupy.cuda.runtime.memGetInfo()
            return int(free) + int(self._cupy.get_default_memory_pool().free_bytes())

    def empty(self, size: int, dtype: DTypeLike) -> Any:
        """Allocate an array; its values are undefined."""
        return self._guarded(lambda: self._cupy.empty(size, dtype))

    def zeros(self, size: int, dtype: DTypeLike) -> Any:
        """Allocate an array of zeros."""
        return self._guarded(lambda: self._cupy.zeros(size, dtype))

    def upload(self, values: NDArray[Any]) -> Any:
        """Copy an array to the card."""
        return self._guarded(lambda: self._cupy.asarray(np.ascontiguousarray(values)))

    def download(self, array: Any, first: int, size: int) -> NDArray[Any]:
        """Copy a part of an array from the card, when all kernels before have ended."""
        with self._device:
            taken: NDArray[Any] = array[first : first + size].get()
        return taken

    def kernel(self, name: str, **macros: str) -> Any:
        """Compile the kernels with these macros, unless that has been done, and return one of them."""
        defined = sorted({**MACROS, **macros}.items())
        options = (*_OPTIONS, *(f"-D{key}={value}" for key, value in defined))
        with self._device:
            if options not in self._modules:
                self._modules[options] = self._cupy.RawModule(code=kernel_source(), options=options, backend="nvrtc")
            function = self._modules[options].get_function(name)

        def launch(blocks: int, threads: int, shared_bytes: int, *arguments: Any) -> None:
            with self._device:
                if shared_bytes > _USUAL_SHARED:
                    function.max_dynamic_shared_size_bytes = shared_bytes
                function((blocks,), (threads,), arguments, shared_mem=shared_bytes)

        return launch

    def release(self) -> None:
        """Give memory that is kept for reuse back to the driver."""
        with self._device:
            self._cupy.get_default_memory_pool().free_all_blocks()

    def _guarded(self, allocate: Any) -> Any:
        with self._device:
            try:
                return allocate()
            except self._cupy.cuda.memory.OutOfMemoryError:
                self.release()
            try:
                return allocate()
            except self._cupy.cuda.memory.OutOfMemoryError as error:
                raise MemoryError(str(error)) from None


@cache
def open_card() -> Card:
    """The first card; raises `NoCardError` with a message that says what is missing."""
    cupy = _cupy()
    with suppress(cupy.cuda.runtime.CUDARuntimeError):
        if cupy.cuda.runtime.getDeviceCount() > 0:
            card = Card(cupy)
            if card.capability < _LEAST_CAPABILITY:
                raise NoCardError(
                    f"The card {card.name} has compute capability {card.capability / 10:.1f}; "
                    f"{_LEAST_CAPABILITY / 10:.1f} is needed."
                )
            return card
    raise NoCardError(
        "CuPy finds no CUDA card. Is there an NVIDIA card in this machine, and its driver? 'nvidia-smi' shows both."
    )


def _cupy() -> Any:
    try:
        cupy = importlib.import_module("cupy")
    except ImportError as error:
        raise NoCardError(
            f"CuPy cannot be imported ({error}). Install the one for your driver, say 'pip install cupy-cuda13x' "
            "or 'pip install \"qnml[gpu]\"'."
        ) from None
    return cupy
