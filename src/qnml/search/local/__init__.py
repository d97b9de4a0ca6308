"""Local searches, for any number of variables."""

__all__: list[str] = []
