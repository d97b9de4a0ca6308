"""Available memory, and how to print it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from qnml._checks import checked_number

__all__ = ["available_memory", "format_bytes", "peak_memory", "resolve_memory_limit"]

_SHARE = 0.9
_CONTROL_GROUP = Path("/sys/fs/cgroup")  # as a container sees its own


def available_memory() -> float:
    """Bytes that can be used without swapping: what the system says, within the limit of a container."""
    # Linux is read directly, since every search asks; psutil knows the other systems.
    system = _in_proc("/proc/meminfo", rb"^MemAvailable:\s*(\d+) kB$")
    if system is None:
        import psutil

        system = int(psutil.virtual_memory().available)
    group = _from_control_group()
    return float(system if group is None else min(system, group))


def resolve_memory_limit(call: str, memory_limit: object) -> float:
    """The bytes a call may use: as given, or 90 % of what is free."""
    if memory_limit is None:
        return _SHARE * available_memory()
    return checked_number(call, "memory_limit", memory_limit, "a positive number of bytes, or None", above=0.0)


def peak_memory() -> int:
    """Highest resident memory of this process so far, in bytes."""
    # Linux: what getrusage says a process inherits from the one that started it, however large that was.
    if (peak := _in_proc("/proc/self/status", rb"^VmHWM:\s*(\d+) kB$")) is not None:
        return peak
    try:
        import resource
    except ImportError:  # Windows
        import psutil

        return int(psutil.Process().memory_info().peak_wset)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(peak) if sys.platform == "darwin" else int(peak) * 1024


def format_bytes(count: float) -> str:
    """1536 -> '1.5 KiB'."""
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB"):
        if count < 1024 or unit == "TiB":
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1024
    raise AssertionError("unreachable")


def _in_proc(file: str, line: bytes) -> int | None:
    """The bytes that a line of such a file tells of: read without detours, since every search asks."""
    try:
        with open(file, "rb", buffering=0) as stream:
            found = re.search(line, stream.read(), re.MULTILINE)
    except OSError:
        return None
    return 1024 * int(found[1]) if found else None


def _from_control_group() -> int | None:
    try:
        limit = int((_CONTROL_GROUP / "memory.max").read_text())
        used = int((_CONTROL_GROUP / "memory.current").read_text())
    except (OSError, ValueError):
        return None
    return max(limit - used, 0)
