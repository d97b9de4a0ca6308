"""Background knowledge: what is required and forbidden, and how it reads in a file."""

__all__: list[str] = []
