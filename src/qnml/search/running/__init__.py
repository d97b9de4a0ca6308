"""Shared by all searches: starting and stopping, certificates, batches of runs."""

__all__: list[str] = []
