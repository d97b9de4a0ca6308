"""The calls of the public interface and the results they return: check the arguments, wire the rooms, return."""

__all__: list[str] = []
