"""The experiments of the paper: running them, and comparing their results with the printed numbers."""

__all__: list[str] = []
