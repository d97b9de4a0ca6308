"""Posterior probabilities of structures, by enumeration, sums or draws."""

__all__: list[str] = []
