"""Background knowledge: constraints on networks, their checks and their files."""

__all__: list[str] = []
