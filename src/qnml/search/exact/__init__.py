"""Exact searches: the best network, the k best, and the best of many reweighted tables."""

__all__: list[str] = []
