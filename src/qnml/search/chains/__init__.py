"""Sampling DAGs by MCMC: candidate parents, chains, diagnostics, states to continue from."""

__all__: list[str] = []
