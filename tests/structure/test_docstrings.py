"""Public names are documented, and the documented parameters match the signatures."""

import doctest
import inspect
import re


def public(module):
    """Functions and classes a module defines and exports, and the public methods of the classes."""
    for name in module.__all__:
        value = getattr(module, name)
        if getattr(value, "__module__", None) != module.__name__:
            continue
        if inspect.isfunction(value):
            yield name, value
        elif inspect.isclass(value):
            yield name, value
            for method_name, method in vars(value).items():
                function = getattr(method, "__func__", method)
                if not method_name.startswith("_") and inspect.isfunction(function):
                    yield f"{name}.{method_name}", function


def documented(docstring):
    """Names in the Parameters section, or None where there is no such section."""
    section = re.search(r"^Parameters\n-{3,}\n(.*?)(?=^\w[\w ]*\n-{3,}\n|\Z)", docstring, re.S | re.M)
    if section is None:
        return None
    heads = re.findall(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: ?:.*)?$", section[1], re.M)
    return [name.lstrip("*") for head in heads for name in head.split(", ")]


def parameters(value):
    """Names in the signature, without the instance or class."""
    try:
        names = list(inspect.signature(value).parameters)
    except ValueError:
        return None
    return [name for name in names if name not in ("self", "cls")]


def test_public_names_are_documented(module):
    assert module.__doc__, "the module has no docstring"
    assert [name for name, value in public(module) if not inspect.getdoc(value)] == []


def test_documented_parameters_are_those_of_the_signature(module):
    """A docstring may leave the section out; where there is one it names every parameter, in order."""
    for name, value in public(module):
        listed = documented(inspect.getdoc(value) or "")
        if listed is not None:
            assert listed == parameters(value), name


def test_the_comparison_sees_a_wrong_docstring():
    section = "Parameters\n----------\na : int\n    One.\nb, c\n    Two.\n**rest : more\n"
    text = f"Sum.\n\n{section}\nReturns\n-------\nint"
    assert documented(text) == ["a", "b", "c", "rest"]
    assert documented("Sum.") is None


def test_examples_in_docstrings_are_true(module_with_examples):
    assert doctest.testmod(module_with_examples, optionflags=doctest.ELLIPSIS).failed == 0
