"""One promise, "variables → counts": here for tables in memory."""

from qnml.counts.memory import MemoryCounts

__all__ = ["MemoryCounts"]
