"""How much memory there is, and how to say it."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from qnml._checks import checked_number

__all__ = ["available_memory", "format_bytes", "peak_memory", "resolve_memory_limit"]

_FALL_BACK = 4 * 2**30
_SHARE = 0.9


def available_memory() -> float:
    """Bytes that can be used without swapping: what the system says, within the limit of a container."""
    candidates = [_from_meminfo(), _from_sysconf(), _from_control_group()]
    known = [value for value in candidates if value is not None]
    return float(min(known)) if known else float(_FALL_BACK)


def resolve_memory_limit(call: str, memory_limit: object) -> float:
    """The bytes a call may use: as given, or 90 % of what is free."""
    if memory_limit is None:
        return _SHARE * available_memory()
    return checked_number(call, "memory_limit", memory_limit, "a positive number of bytes, or None", above=0.0)


def peak_memory() -> int:
    """Highest resident memory of this process so far, in bytes; 0 where the system does not tell."""
    # Linux: what getrusage says a process inherits from the one that started it, however large that was.
    if (peak := _from_status()) is not None:
        return peak
    try:
        import resource
    except ImportError:  # Windows
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(peak) if sys.platform == "darwin" else int(peak) * 1024


def _from_status() -> int | None:
    return _in_proc("/proc/self/status", rb"^VmHWM:\s*(\d+) kB$")


def format_bytes(count: float) -> str:
    """1536 -> '1.5 KiB'."""
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB"):
        if count < 1024 or unit == "TiB":
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1024
    raise AssertionError("unreachable")


def _from_meminfo() -> int | None:
    return _in_proc("/proc/meminfo", rb"^MemAvailable:\s*(\d+) kB$")


def _in_proc(file: str, line: bytes) -> int | None:
    """The bytes that a line of such a file tells of: read without detours, since every search asks."""
    try:
        with open(file, "rb", buffering=0) as stream:
            found = re.search(line, stream.read(), re.MULTILINE)
    except OSError:
        return None
    return 1024 * int(found[1]) if found else None


def _from_sysconf() -> int | None:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def _from_control_group() -> int | None:
    try:
        limit = int(Path("/sys/fs/cgroup/memory.max").read_text())
        used = int(Path("/sys/fs/cgroup/memory.current").read_text())
    except (OSError, ValueError):
        return None
    return max(limit - used, 0)
