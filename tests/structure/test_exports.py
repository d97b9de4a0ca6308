"""Every module has a sorted and correct `__all__`."""

import inspect


def order(name):
    """Constants, then classes, then the rest, as ruff sorts them."""
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name.lstrip("_")[:1].isupper() else 2
    return kind, name


def test_exports_are_declared_and_sorted(module):
    assert hasattr(module, "__all__"), "has no __all__"
    assert list(module.__all__) == sorted(set(module.__all__), key=order)


def test_exported_names_exist(module):
    missing = [name for name in module.__all__ if not hasattr(module, name)]
    assert missing == []


def test_public_definitions_are_exported(module):
    """A function or class without a leading underscore is exported."""
    hidden = [
        name
        for name, value in vars(module).items()
        if (inspect.isfunction(value) or inspect.isclass(value))
        and not name.startswith("_")
        and value.__module__ == module.__name__
        and name not in module.__all__
    ]
    assert hidden == []
