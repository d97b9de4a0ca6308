"""The source of the kernels: CUDA's compilers take it for the cards it is meant for."""

from __future__ import annotations

import ctypes
import importlib.util
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from gpu.emulated import kernel_names
from qnml.gpu.runtime import blocks_for, kernel_source

VARIANTS = [{"CHANNELS": "1", "TALLY": "u32"}, {"CHANNELS": "4", "TALLY": "u32"}, {"CHANNELS": "8", "TALLY": "u64"}]
OPTIONS = ["--std=c++17", "--fmad=false"]


def defines(variant: dict[str, str]) -> list[str]:
    return [f"-D{key}={value}" for key, value in variant.items()]


@pytest.fixture(scope="module")
def source(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("cuda") / "kernels.cu"
    path.write_text(kernel_source(), encoding="utf-8")
    return path


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: "-".join(variant.values()))
def test_nvcc_compiles_without_spilling(source, variant) -> None:
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        pytest.skip("nvcc is not here")
    cubin = source.with_suffix(".cubin")
    command = [nvcc, "-cubin", "-arch=sm_90", "-Xptxas", "-v", *OPTIONS, *defines(variant), "-o", str(cubin)]
    done = subprocess.run([*command, str(source)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr, done.stderr
    spilled = {int(count) for count in re.findall(r"(\d+) bytes spill stores", done.stderr)}
    assert spilled == {0}, done.stderr
    assert set(re.findall(r"entry function '(\w+)'", done.stderr)) == set(kernel_names())


def nvrtc() -> ctypes.CDLL:
    """NVIDIA's run-time compiler, as CuPy calls it: from the package nvidia-cuda-nvrtc, which needs no card."""
    for name in ("nvidia.cuda_nvrtc", "nvidia.cu13", "nvidia"):
        try:
            found = importlib.util.find_spec(name)
        except ImportError:
            continue
        for folder in [] if found is None else found.submodule_search_locations or []:
            for path in sorted(Path(folder).rglob("libnvrtc.so*")):
                return ctypes.CDLL(str(path))
    pytest.skip("the package nvidia-cuda-nvrtc is not here")


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: "-".join(variant.values()))
def test_nvrtc_compiles(variant) -> None:
    library = nvrtc()
    program = ctypes.c_void_p()
    text = kernel_source().encode()
    assert library.nvrtcCreateProgram(ctypes.byref(program), text, b"kernels.cu", 0, None, None) == 0
    options = [*OPTIONS, *defines(variant), "-arch=sm_90"]
    given = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
    status = library.nvrtcCompileProgram(program, len(options), given)
    size = ctypes.c_size_t()
    library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    library.nvrtcGetProgramLog(program, log)
    assert status == 0, log.value.decode()
    assert b"warning" not in log.value, log.value.decode()
    library.nvrtcGetCUBINSize(program, ctypes.byref(size))
    assert size.value > 10_000
    library.nvrtcDestroyProgram(ctypes.byref(program))


def test_blocks_for() -> None:
    assert [blocks_for(items, 256) for items in (1, 256, 257)] == [1, 1, 2]
