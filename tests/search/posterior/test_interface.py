"""Every method implements the interface in full; abilities of some methods have types of their own."""

from __future__ import annotations

import inspect

import pytest

from qnml.search import posterior_methods
from qnml.search.chains.posterior import ChainPosterior
from qnml.search.posterior.enumerated import EnumeratedPosterior
from qnml.search.posterior.interface import DrawnPosterior, ExactPosterior, ProductAverages, StructurePosterior
from qnml.search.posterior.summed import SummedPosterior

CAPABILITIES = {
    EnumeratedPosterior: {ExactPosterior},
    SummedPosterior: {ExactPosterior, ProductAverages},
    ChainPosterior: {DrawnPosterior},
}


@pytest.mark.parametrize("kind", CAPABILITIES, ids=lambda kind: kind.__name__)
def test_every_member_is_implemented(kind):
    assert issubclass(kind, StructurePosterior)
    assert not inspect.isabstract(kind)
    assert "NotImplementedError" not in inspect.getsource(inspect.getmodule(kind))


@pytest.mark.parametrize(("kind", "able"), CAPABILITIES.items(), ids=lambda value: getattr(value, "__name__", ""))
def test_capabilities_are_types(kind, able):
    assert {one for one in (ExactPosterior, DrawnPosterior, ProductAverages) if issubclass(kind, one)} == able


def test_an_incomplete_method_cannot_be_made():
    """The negative control."""

    class Half(ExactPosterior):
        log_total = 0.0

    with pytest.raises(TypeError, match="abstract"):
        Half()


def test_every_method_has_a_type_here():
    returned = {
        inspect.signature(method.run).return_annotation.split(" | ")[0]
        for method in posterior_methods._RUNNERS.values()
    }
    assert returned == {kind.__name__ for kind in CAPABILITIES}
