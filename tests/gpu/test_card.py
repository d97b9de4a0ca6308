"""The card itself: what is said when it cannot be used, and how CuPy is called."""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy as np
import pytest

import qnml
from qnml.errors import InputError, QnmlError
from qnml.gpu import card as card_module
from qnml.gpu.card import Card, NoCardError, open_card


class FakeError(RuntimeError):
    pass


class FakeMemoryError(MemoryError):
    pass


class FakeDevice:
    def __init__(self, number: int) -> None:
        self.number = number

    def __enter__(self) -> FakeDevice:
        return self

    def __exit__(self, *_: object) -> None:
        return None


def fake_cupy(cards: int = 1, capability: tuple[int, int] = (9, 0), error: Exception | None = None) -> Any:
    """A module with the parts of CuPy that are used; arrays are NumPy's with `get`."""

    class Array(np.ndarray):
        def get(self) -> Any:
            return np.array(self)

    def count() -> int:
        if error is not None:
            raise error
        return cards

    cupy = types.SimpleNamespace()
    cupy.launched = []
    cupy.refuse = 0
    cupy.freed = 0

    class RawModule:
        def __init__(self, code: str, options: tuple[str, ...], backend: str) -> None:
            assert backend == "nvrtc"
            self.code, self.options = code, options
            cupy.modules = [*getattr(cupy, "modules", []), self]

        def get_function(self, name: str) -> Any:
            assert f"void {name}(" in self.code

            class Function:
                max_dynamic_shared_size_bytes = 0

                def __call__(self, grid: Any, block: Any, arguments: Any, *, shared_mem: int) -> None:
                    cupy.launched.append((name, grid, block, shared_mem, self.max_dynamic_shared_size_bytes))

            return Function()

    def allocate(make: Any) -> Any:
        if cupy.refuse > 0:
            cupy.refuse -= 1
            raise FakeMemoryError("out")
        return make().view(Array)

    pool = types.SimpleNamespace(free_bytes=lambda: 100, free_all_blocks=lambda: setattr(cupy, "freed", cupy.freed + 1))
    cupy.get_default_memory_pool = lambda: pool
    cupy.RawModule = RawModule
    cupy.empty = lambda size, dtype: allocate(lambda: np.empty(size, dtype))
    cupy.zeros = lambda size, dtype: allocate(lambda: np.zeros(size, dtype))
    cupy.asarray = lambda values: allocate(lambda: np.array(values))

    runtime = types.SimpleNamespace(
        CUDARuntimeError=FakeError,
        getDeviceCount=count,
        getDeviceProperties=lambda number: {
            "name": b"Fake 1",
            "multiProcessorCount": 3,
            "sharedMemPerBlockOptin": 232448,
            "major": capability[0],
            "minor": capability[1],
        },
        memGetInfo=lambda: (1000, 5000),
    )
    memory = types.SimpleNamespace(OutOfMemoryError=FakeMemoryError)
    cupy.cuda = types.SimpleNamespace(Device=FakeDevice, runtime=runtime, memory=memory)
    return cupy


@pytest.fixture(autouse=True)
def afresh():
    open_card.cache_clear()
    yield
    open_card.cache_clear()


def test_without_cupy(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(NoCardError, match=r"CuPy cannot be imported .*pip install cupy-cuda13x.*qnml\[gpu\]"):
        open_card()


@pytest.mark.parametrize("cupy", [fake_cupy(cards=0), fake_cupy(error=FakeError("no driver"))])
def test_without_a_card_or_a_driver(monkeypatch, cupy) -> None:
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    with pytest.raises(NoCardError, match=r"finds no CUDA card.*driver.*nvidia-smi"):
        open_card()


def test_an_old_card(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy(capability=(5, 2)))
    with pytest.raises(NoCardError, match=r"Fake 1 has compute capability 5\.2; 6\.0 is needed"):
        open_card()


def test_learn_says_what_is_missing(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    monkeypatch.setattr("qnml.gpu.checked_card", open_card)
    table = qnml.Table.from_codes([[0, 1, 1, 0], [0, 1, 0, 1]])
    with pytest.raises(InputError, match=r"^learn\(device='gpu'\): CuPy cannot .* Or say device='cpu'\.$"):
        qnml.learn(table, device="gpu")
    assert qnml.learn(table, guard="off", device="auto").certificate.optimal
    assert qnml.plan(table, device="auto").fits


def test_a_card_that_computes_wrongly_is_refused_or_left_with_a_warning(monkeypatch) -> None:
    def wrong() -> None:
        raise QnmlError("The card X does not compute what the CPU computes.")

    monkeypatch.setattr("qnml.gpu.checked_card", wrong)
    table = qnml.Table.from_codes([[0, 1, 1, 0], [0, 1, 0, 1]])
    with pytest.raises(QnmlError, match="does not compute"):
        qnml.learn(table, device="gpu")
    with pytest.warns(RuntimeWarning, match=r"device='auto'\): the CPU is used\. The card X"):
        assert qnml.learn(table, guard="off", device="auto").certificate.optimal


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"method": "order"}, "say 'auto' or 'exact'"),
        ({"shape": "tree"}, "pairs of variables"),
    ],
)
def test_what_no_card_helps_with(options, word) -> None:
    table = qnml.Table.from_codes([[0, 1, 1, 0], [0, 1, 0, 1]])
    with pytest.raises(InputError, match=word):
        qnml.learn(table, device="gpu", **options)
    qnml.learn(table, guard="off", device="auto", **options)
    with pytest.raises(InputError, match="device='tpu'"):
        qnml.learn(table, device="tpu", **options)


def test_memory_kernels_and_copies(monkeypatch) -> None:
    cupy = fake_cupy()
    card = Card(cupy)
    assert (card.name, card.shared_bytes, card.free_memory()) == ("Fake 1", 232448, 1100)
    assert card.blocks == 3 * card_module._BLOCKS_PER_PROCESSOR
    assert (card.download(card.upload(np.arange(10)), 3, 4) == [3, 4, 5, 6]).all()
    kernel = card.kernel("count_sets", CHANNELS="2")
    kernel(5, 256, 1000)
    kernel(5, 256, 100_000)
    assert cupy.launched == [("count_sets", (5,), (256,), 1000, 0), ("count_sets", (5,), (256,), 100_000, 100_000)]
    card.kernel("fill_gains")
    card.kernel("count_sets", CHANNELS="2")
    assert len(cupy.modules) == 2
    assert {"--fmad=false", "-DCHANNELS=2", "-DTALLY=u32"} <= set(cupy.modules[0].options)


def test_kept_memory_is_given_back_before_giving_up() -> None:
    cupy = fake_cupy()
    card = Card(cupy)
    cupy.refuse = 1
    assert card.zeros(4, np.int64).sum() == 0
    assert cupy.freed == 1
    cupy.refuse = 2
    with pytest.raises(MemoryError):
        card.empty(4, np.int64)
