"""Reading and writing take time proportional to the number of variables, and preserve the network."""

import itertools
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qnml.graph import Dag
from qnml.model import Network
from qnml.model.files import NETWORK_FORMATS, bif, bif_parser, block_text, uai


def chain(count: int) -> Network:
    names = [f"v{i}" for i in range(count)]
    dag = Dag.from_arcs(names, list(itertools.pairwise(names)))
    tables = {name: [[0.25, 0.75], [0.5, 0.5]] for name in names}
    return Network(dag, {name: ["a", "b"] for name in names}, {**tables, "v0": [0.5, 0.5]})


@pytest.mark.parametrize("name", ["bif", "net", "dsc", "uai"])
def test_lines_are_not_counted_while_nothing_is_wrong(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Each count scans the file from its beginning: one per variable takes quadratic time.
    def fail(*_: object) -> None:
        raise AssertionError("lines are counted")

    text = NETWORK_FORMATS[name].write(chain(5))
    for module in (bif, bif_parser, block_text, uai):
        monkeypatch.setattr(module, "line_and_column", fail)
    assert NETWORK_FORMATS[name].read(text, "text").n_parameters == 9


@pytest.mark.slow
@pytest.mark.parametrize("name", NETWORK_FORMATS)
def test_four_times_the_variables_take_about_four_times_as_long(name: str) -> None:
    form = NETWORK_FORMATS[name]
    seconds = {}
    for count in (5_000, 20_000):
        net = chain(count)
        start = time.process_time()
        assert len(form.read(form.write(net), "text").names) == count
        seconds[count] = time.process_time() - start
    # Linear work gives four, quadratic sixteen.
    assert seconds[20_000] < 9 * seconds[5_000]


@given(st.integers(0, 2**32 - 1), st.floats(-1e-6, 1e-6), st.sampled_from(sorted(NETWORK_FORMATS)))
@settings(max_examples=60, deadline=None)
def test_what_is_written_is_what_is_read_to_the_last_bit(seed: int, off: float, name: str) -> None:
    rng = np.random.default_rng(seed)
    dag = Dag.from_arcs(["a", "b"], [("a", "b")])
    sizes = rng.integers(1, 6, size=2).tolist()
    tables = {"a": rng.dirichlet(np.ones(sizes[0])), "b": rng.dirichlet(np.full(sizes[1], 0.05), size=sizes[0])}
    # Rows as other programs round them: off by up to one millionth.
    given_tables = {name: table * (1.0 + 0.99 * off) for name, table in tables.items()}
    levels = {"a": [f"s{i}" for i in range(sizes[0])], "b": [f"s{i}" for i in range(sizes[1])]}
    net = Network(dag, levels, given_tables)
    form = NETWORK_FORMATS[name]
    once = form.read(form.write(net), "text")
    assert [once.table(one).tolist() for one in once.names] == [net.table(one).tolist() for one in net.names]
    assert form.write(once) == form.write(form.read(form.write(once), "text"))
