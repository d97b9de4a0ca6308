"""Memory of reading: tables are measured before they are created, and a default row takes only its own memory."""

import gzip
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from qnml.errors import TooLargeError
from qnml.graph import Dag
from qnml.model import DenseTable, Network, SparseTable, read_network, write_network
from qnml.model.files import NETWORK_FORMATS, read_bif, read_dsc, read_net
from qnml.model.files.reading import Reading
from qnml.model.files.row_list import SMALL


def parents(count: int) -> list[str]:
    return [f"p{i}" for i in range(count)]


def bif(count: int, rows: str) -> str:
    blocks = "".join(
        f"variable {name} {{ type discrete [ 2 ] {{ a, b }}; }}\nprobability ( {name} ) {{ table 0.5, 0.5; }}\n"
        for name in parents(count)
    )
    child = "variable x { type discrete [ 2 ] { a, b }; }\n"
    return f"{blocks}{child}probability ( x | {', '.join(parents(count))} ) {{ {rows} }}\n"


def dsc(count: int, rows: str) -> str:
    blocks = "".join(
        f"node {name} {{ type : discrete[2] = {{ a, b }}; }}\nprobability ({name}) {{ 0.5, 0.5; }}\n"
        for name in parents(count)
    )
    child = "node x { type : discrete[2] = { a, b }; }\n"
    return f"{blocks}{child}probability (x | {', '.join(parents(count))}) {{ {rows} }}\n"


def net(count: int) -> str:
    blocks = "".join(
        f"node {name} {{ states = (a b); }}\npotential ({name}) {{ data = (0.5 0.5); }}\n" for name in parents(count)
    )
    return f"{blocks}node x {{ states = (a b); }}\npotential (x | {' '.join(parents(count))}) {{ }}\n"


def peak(text: str, name: str) -> int:
    tracemalloc.start()
    try:
        NETWORK_FORMATS[name].read(text, "text", None)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_default_row_costs_what_it_holds() -> None:
    codes = ", ".join(["0"] * 26)
    texts = {
        "bif": bif(26, f"({', '.join(['a'] * 26)}) 0.25, 0.75; default 0.125, 0.875;"),
        "dsc": dsc(26, f"({codes}) : 0.25, 0.75; default: 0.125, 0.875;"),
        "net": net(26),
    }
    for name, text in texts.items():
        assert peak(text, name) < 2_000_000, name
    table = read_bif(texts["bif"]).conditional("x")
    assert isinstance(table, SparseTable)
    assert table.configs.tolist() == [[0] * 26]
    assert table.rows.tolist() == [[0.25, 0.75]]
    assert table.unseen.tolist() == [0.125, 0.875]
    assert read_bif(texts["bif"]) == read_dsc(texts["dsc"])
    assert read_net(texts["net"]).conditional("x").unseen.tolist() == [0.5, 0.5]


def test_forty_and_a_hundred_parents() -> None:
    for count in (40, 100):
        made = [
            read_bif(bif(count, "default 0.125, 0.875;")),
            read_dsc(dsc(count, "default: 0.125, 0.875;")),
            read_net(net(count)),
        ]
        assert made[0] == made[1]
        for one in made:
            assert one.n_parameters == 2**count + count
            assert len(one.sample(10, seed=1)) == 10
        with pytest.raises(TooLargeError):
            made[0].table("x")


def test_a_list_and_a_full_table_say_the_same() -> None:
    rows = [(["a"] * 16, "0.25, 0.75"), (["b"] + ["a"] * 15, "0.5, 0.5"), (["a"] * 15 + ["b"], "1, 0")]
    listed = " ".join(f"({', '.join(states)}) {numbers};" for states, numbers in rows)
    text = bif(16, f"{listed} default 0.125, 0.875;")
    table = read_bif(text).table("x")
    want = np.full((2,) * 17, 0.125)
    want[..., 1] = 0.875
    for states, numbers in rows:
        want[tuple(int(state == "b") for state in states)] = [float(number) for number in numbers.split(",")]
    assert np.array_equal(table, want)
    assert isinstance(read_bif(text).conditional("x"), SparseTable)
    small = bif(3, "(b, a, a) 0.5, 0.5; default 0.125, 0.875;")
    assert isinstance(read_bif(small).conditional("x"), DenseTable)
    assert 2**17 > SMALL >= 2**16


@pytest.mark.parametrize("ending", [".bif", ".dsc"])
def test_default_rows_are_written_and_read_again(tmp_path: Path, ending: str) -> None:
    one = read_bif(bif(40, f"({', '.join(['a', 'b'] * 20)}) 0.25, 0.75; default 0.125, 0.875;"))
    write_network(one, tmp_path / f"one{ending}")
    assert (tmp_path / f"one{ending}").stat().st_size < 10_000
    again = read_network(tmp_path / f"one{ending}")
    assert again == one
    write_network(again, tmp_path / f"two{ending}")
    assert (tmp_path / f"one{ending}").read_bytes() == (tmp_path / f"two{ending}").read_bytes()


def full_network(count: int) -> Network:
    rng = np.random.default_rng(3)
    names = [*parents(count), "x"]
    first = rng.choice([0.25, 0.5, 0.125], size=(2,) * count)
    tables = {name: np.array([0.5, 0.5]) for name in names}
    tables["x"] = np.stack([first, 1.0 - first], axis=-1)
    arcs = [(name, "x") for name in names[:-1]]
    return Network(Dag.from_arcs(names, arcs), {name: ["a", "b"] for name in names}, tables)


@pytest.mark.parametrize("name", NETWORK_FORMATS)
def test_full_tables_take_little_more_than_the_text_and_themselves(name: str) -> None:
    one = full_network(13)
    text = NETWORK_FORMATS[name].write(one)
    cells = 2**14
    again = NETWORK_FORMATS[name].read(text, "text", None)
    assert again.table(again.names[-1]).tolist() == one.table("x").tolist()
    # The JSON parser first creates lists of all numbers, and XML text is held twice.
    allowed = 3 * len(text) + (120 if name == "json" else 24) * cells
    assert peak(text, name) < allowed + 4_000_000


@pytest.mark.parametrize("name", NETWORK_FORMATS)
def test_tables_that_do_not_fit_are_refused_with_the_figures(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"big.{name}"
    write_network(full_network(16), path)
    with pytest.raises(TooLargeError, match="may take"):
        read_network(path, memory_limit=1.2 * path.stat().st_size)
    with pytest.raises(TooLargeError, match="Give a larger memory_limit"):
        read_network(path, memory_limit=1000)
    assert read_network(path, memory_limit=1e9).n_parameters == 2**16 + 16


def test_the_error_names_the_variable_its_entries_and_the_bytes() -> None:
    reading = Reading("big.bif", 3e6)
    with pytest.raises(TooLargeError) as caught:
        reading.hold_table("x", (2,) * 18, lambda: 7)
    assert str(caught.value) == (
        "big.bif, line 7: the table of 'x' has 262144 entries over its 18 variables; reading it takes 4.0 MiB besides "
        "the 0 bytes already in use, and reading may take 2.9 MiB. Give a larger memory_limit if the machine has more."
    )
    with pytest.raises(TooLargeError, match=r"10\^12\.0 entries .* a full table may have at most"):
        Reading("big.bif", 1e30).hold_table("x", (2,) * 40, lambda: 7)
    with pytest.raises(TooLargeError, match="100 variables"):
        Reading("big.bif", 1e30).hold_table("x", (1,) * 100, lambda: 7)


def test_compressed_files_are_unpacked_within_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "bomb.bif.gz"
    path.write_bytes(gzip.compress(b" " * 50_000_000))
    with pytest.raises(TooLargeError, match="holds more than"):
        read_network(path, memory_limit=8e6)


def test_many_small_things_are_counted_too() -> None:
    for name, text in {
        "xmlbif": "<BIF>" + "<a/>" * 100_000 + "</BIF>",
        "json": "[" + "[]," * 100_000 + "[]]",
        "bif": "variable a { type discrete [ 1 ] { x }; }" * 20_000,
    }.items():
        with pytest.raises(TooLargeError, match="what the file describes"):
            NETWORK_FORMATS[name].read(text, "text", Reading("text", 6e6))


def test_a_graph_with_too_many_variables_is_refused() -> None:
    count = 4000
    text = "BAYES\n" + f"{count}\n" + "1 " * count + f"\n{count}\n1 0\n" + f"2 0 {count - 1}\n"
    text += "".join(f"2 {count - 1} {i}\n" for i in range(1, count - 1)) + "1 1\n" * count
    with pytest.raises(TooLargeError, match="the graph of 4,000 variables"):
        NETWORK_FORMATS["uai"].read(text, "text", Reading("text", 9e6))
