"""The paper's experiments: what they are, running them, and what comes out beside the printed numbers."""

__all__: list[str] = []
