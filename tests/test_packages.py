"""Packages that are imported late."""

import pytest

from qnml._packages import needed
from qnml.errors import MissingExtraError


def test_a_package_that_is_there_is_returned():
    assert needed("json", "call", "reads JSON").loads("[1]") == [1]


def test_one_that_is_absent_is_named_with_its_caller_and_what_to_do():
    with pytest.raises(MissingExtraError) as caught:
        needed("no_such_package", "draw", "draws", "Or draw by hand.")
    message = "draw: needs no_such_package, which draws. Install it (pip install no_such_package). Or draw by hand."
    assert str(caught.value) == message
    assert isinstance(caught.value, ImportError)
