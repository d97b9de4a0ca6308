"""Counts of sets of variables, for tables in memory."""

from qnml.counts.memory import MemoryCounts

__all__ = ["MemoryCounts"]
