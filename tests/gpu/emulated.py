"""A runtime that runs the CUDA kernels on the CPU: the same source, compiled as C++ behind `host_cuda.hpp`."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from qnml.gpu.runtime import MACROS, kernel_source

__all__ = ["EmulatedRuntime", "emulated_card", "find_compiler"]

_SHIM = Path(__file__).with_name("host_cuda.hpp")
_KERNEL = re.compile(r'extern "C" __global__ void (\w+)\(([^)]*)\)', re.DOTALL)


def find_compiler() -> str | None:
    """A C++ compiler that has `ucontext.h`, or None."""
    for name in ("c++", "g++", "clang++"):
        path = shutil.which(name)
        if path is None:
            continue
        done = subprocess.run([path, "-x", "c++", "-E", "-include", "ucontext.h", "-"], input=b"", capture_output=True)
        if done.returncode == 0:
            return path
    return None


def kernel_names() -> list[str]:
    return [name for name, _ in _KERNEL.findall(kernel_source())]


class EmulatedRuntime:
    """As `qnml.gpu.runtime.Runtime`.

    Parameters
    ----------
    compiler : the C++ compiler.
    folder : where compiled kernels are kept.
    order : the order of threads between two barriers: 0 forwards, 1 backwards, else the seed of a random order.
    threads, blocks, shared_bytes : what the card would have.
    flags : further options of the compiler.
    """

    name = "the CPU, as an emulated card"

    def __init__(
        self,
        compiler: str,
        folder: Path,
        *,
        order: int = 0,
        threads: int = 64,
        blocks: int = 2,
        shared_bytes: int = 2**18,
        flags: tuple[str, ...] = (),
    ) -> None:
        self.compiler, self.folder, self.flags = compiler, folder, flags
        self.order, self.threads, self.blocks, self.shared_bytes = order, threads, blocks, shared_bytes
        self.allocated = 0
        self.launches: list[str] = []
        self._libraries: dict[tuple[tuple[str, str], ...], ctypes.CDLL] = {}

    def free_memory(self) -> int:
        return 2**32

    def empty(self, size: int, dtype: Any) -> Any:
        self.allocated += int(size) * np.dtype(dtype).itemsize
        # Undefined, as on a card, and no zeros.
        return np.frombuffer(b"\xa5" * (int(size) * np.dtype(dtype).itemsize), dtype).copy()

    def zeros(self, size: int, dtype: Any) -> Any:
        return np.zeros(size, dtype)

    def upload(self, values: Any) -> Any:
        return np.array(values, copy=True, order="C")

    def download(self, array: Any, first: int, size: int) -> Any:
        return array[first : first + size].copy()

    def release(self) -> None:
        self.launches.append("release")

    def kernel(self, name: str, **macros: str) -> Any:
        library = self._library(tuple(sorted({**MACROS, **macros}.items())))
        launch = getattr(library, f"launch_{name}")

        def call(blocks: int, threads: int, shared_bytes: int, *arguments: Any) -> None:
            self.launches.append(name)
            assert 0 < blocks < 2**31
            assert 0 < threads <= 1024
            assert shared_bytes <= self.shared_bytes
            head = (ctypes.c_uint(blocks), ctypes.c_uint(threads), ctypes.c_size_t(shared_bytes))
            expected = _parameters(name)
            assert len(expected) == len(arguments), (name, len(expected), len(arguments))
            given = [_argument(kind, one) for kind, one in zip(expected, arguments, strict=True)]
            launch(*head, ctypes.c_uint(self.order), *given)

        return call

    def _library(self, macros: tuple[tuple[str, str], ...]) -> ctypes.CDLL:
        if macros not in self._libraries:
            self._libraries[macros] = self._compiled(macros)
        return self._libraries[macros]

    def _compiled(self, macros: tuple[tuple[str, str], ...]) -> ctypes.CDLL:
        name = "_".join(["kernels", *(f"{key}{value}" for key, value in macros)])
        library = self.folder / f"{name}.so"
        if not library.exists():
            source = self.folder / f"{name}.cpp"
            source.write_text(translated(), encoding="utf-8")
            defines = [f"-D{key}={value}" for key, value in macros]
            # As on the card: no fused multiply-adds.
            options = ["-std=c++20", "-O1", "-shared", "-fPIC", "-ffp-contract=off", "-Wall", "-Wno-unknown-pragmas"]
            command = [self.compiler, *options, *self.flags, *defines, "-o", str(library), str(source)]
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            assert "warning" not in done.stderr, done.stderr
        return ctypes.CDLL(str(library))


def translated() -> str:
    """The kernels as C++, with a function beside each that launches it."""
    source = kernel_source()
    parts = ["#include <algorithm>", f'#include "{_SHIM}"', source]
    for name, parameters in _KERNEL.findall(source):
        names = [re.findall(r"\w+", one)[-1] for one in parameters.split(",")]
        parts.append(
            f'extern "C" void launch_{name}(unsigned blocks, unsigned threads, std::size_t shared, unsigned order, '
            f"{parameters}) {{\n"
            f"  host_cuda::launch(blocks, threads, shared, order, [&] {{ {name}({', '.join(names)}); }});\n}}"
        )
    return "\n".join(parts)


def _parameters(name: str) -> list[str]:
    text = next(parameters for found, parameters in _KERNEL.findall(kernel_source()) if found == name)
    return [" ".join(one.split()[:-1]) for one in text.split(",")]


_TYPES = {"u8": "u1", "u16": "u2", "u32": "u4", "u64": "u8", "i32": "i4", "i64": "i8", "double": "f8"}


def _argument(kind: str, value: Any) -> Any:
    """Check that an argument is of the type of its parameter: a card would read other bytes without a word."""
    plain = kind.replace("const ", "").strip()
    wanted = np.dtype(_TYPES[plain.rstrip("*").strip()])
    assert value.dtype == wanted, (kind, value.dtype)
    if plain.endswith("*"):
        assert isinstance(value, np.ndarray)
        assert value.ndim == 1
        assert value.flags.c_contiguous
        return ctypes.c_void_p(value.ctypes.data)
    assert isinstance(value, np.generic), (kind, value)
    return np.ctypeslib.as_ctypes_type(value.dtype)(value.item())


@cache
def emulated_card() -> EmulatedRuntime:
    """A card for programs outside the tests; kernels are compiled into ``QNML_TEST_KERNELS`` or a new folder."""
    compiler = find_compiler()
    assert compiler is not None, "no C++ compiler with ucontext.h"
    folder = Path(os.environ.get("QNML_TEST_KERNELS") or tempfile.mkdtemp(prefix="kernels"))
    return EmulatedRuntime(compiler, folder)
