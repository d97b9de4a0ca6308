"""Files that break the rules of their format unambiguously are read, with a warning."""

import itertools
import json
import warnings
from pathlib import Path

import numpy as np
import pytest

from qnml.errors import FileFormatError, InputError, MendedFileWarning
from qnml.graph import Dag
from qnml.model import Network, read_network, read_structure, write_network
from qnml.model.files import NETWORK_FORMATS, read_bif, read_dsc, read_json, read_net, read_uai, read_xdsl, read_xmlbif
from qnml.model.files.noisy_max import noisy_max_table

NET = Network(
    Dag.from_arcs(["a", "b"], [("a", "b")]),
    {"a": ["no", "yes"], "b": ["no", "yes"]},
    {"a": [0.25, 0.75], "b": [[0.9375, 0.0625], [0.1875, 0.8125]]},
)
OTHERS = [name for name in NETWORK_FORMATS if name != "json"]


def changed(name: str, old: str, new: str) -> str:
    text = NETWORK_FORMATS[name].write(NET)
    assert old in text
    return text.replace(old, new, 1)


# --- encodings


@pytest.mark.parametrize("name", OTHERS)
def test_text_that_is_not_utf8_is_read_as_western(tmp_path: Path, name: str) -> None:
    comment = {"bif": "// {}\n", "net": "% {}\n", "dsc": "// {}\n", "uai": "# {}\n"}.get(name, "<!-- {} -->\n")
    text = NETWORK_FORMATS[name].write(NET)
    first, _, rest = text.partition("\n")
    odd = f"{first}\n{comment.format('Århus — €')}{rest}" if name != "uai" else f"{first} # Århus — €\n{rest}"
    path = tmp_path / f"odd.{name}"
    path.write_bytes(odd.encode("windows-1252"))
    line = 1 if name == "uai" else 2
    with pytest.warns(MendedFileWarning, match=f"not UTF-8 text .*line {line}.*Windows-1252"):
        net = read_network(path)
    assert net.table(net.names[1]).tolist() == NET.table("b").tolist()
    if name != "uai":
        assert net.properties["comments"] == ["Århus — €"]


def test_bytes_without_a_meaning_in_western_text_are_read_too(tmp_path: Path) -> None:
    path = tmp_path / "odd.net"
    path.write_bytes(b"% \x81\xe5\n" + NETWORK_FORMATS["net"].write(NET).encode())
    with pytest.warns(MendedFileWarning, match="not UTF-8"):
        assert read_network(path) == NET


def test_our_own_format_is_utf8_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "net.json"
    path.write_bytes(NETWORK_FORMATS["json"].write(NET).replace('"no"', '"nø"').encode("latin-1"))
    with pytest.raises(FileFormatError, match=r"not UTF-8 text\. Convert") as caught:
        read_network(path)
    assert caught.value.line == 7


def test_model_strings_are_mended_too(tmp_path: Path) -> None:
    path = tmp_path / "model.txt"
    path.write_bytes("[Å][b|Å]".encode("latin-1"))
    with pytest.warns(MendedFileWarning, match="not UTF-8"):
        assert read_structure(path)[0].names == ("Å", "b")


# --- numbers


@pytest.mark.parametrize("name", OTHERS)
def test_numbers_a_little_below_zero_are_zero(name: str) -> None:
    text = changed(name, "0.9375", "1.00000012").replace("0.0625", "-1.2e-07")
    with pytest.warns(MendedFileWarning, match=r"1 number is below zero .*1\.2e-07.*\(the first in line \d+\)"):
        net = NETWORK_FORMATS[name].read(text, "odd", None)
    assert net.table(net.names[1]).tolist() == [[1.0, 0.0], [0.1875, 0.8125]]
    with pytest.raises(FileFormatError, match="is not a probability"):
        NETWORK_FORMATS[name].read(text.replace("-1.2e-07", "-1.2e-05"), "odd", None)


@pytest.mark.parametrize("name", OTHERS)
def test_rows_off_by_little_are_rescaled_silently_and_by_more_with_a_warning(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        net = NETWORK_FORMATS[name].read(changed(name, "0.0625", "0.0625005"), "odd", None)
    table = net.table(net.names[1])
    assert table.sum(axis=-1).tolist() == pytest.approx([1.0, 1.0], abs=1e-15)
    assert table[1].tolist() == [0.1875, 0.8125]
    with pytest.warns(MendedFileWarning, match=r"1 distribution does not sum to one \(by up to 0\.0005\)"):
        net = NETWORK_FORMATS[name].read(changed(name, "0.0625", "0.063"), "odd", None)
    assert net.table(net.names[1])[0].tolist() == pytest.approx([0.9375 / 1.0005, 0.063 / 1.0005], rel=1e-15)


@pytest.mark.parametrize("name", NETWORK_FORMATS)
def test_weights_are_what_hugin_has_and_no_other_format(name: str) -> None:
    text = changed(name, "0.9375", "990").replace("0.0625", "10")
    if name != "net":
        with pytest.raises(FileFormatError, match="not a probability"):
            NETWORK_FORMATS[name].read(text, "odd", None)
        return
    with pytest.warns(
        MendedFileWarning, match=r"1 distribution does not .* weights, as HUGIN allows \(the first in line \d+\)"
    ):
        net = read_net(text)
    assert net.table("b").tolist() == [[0.99, 0.01], [0.1875, 0.8125]]


def test_a_potential_given_by_a_model_is_not_taken_for_uniform() -> None:
    text = "node a { states = (x y); } potential (a) { model_data = ( Distribution(0.3, 0.7) ); }"
    with pytest.raises(FileFormatError, match="given by a model"):
        read_net(text)
    given = text.replace("model_data", "data = (0.3 0.7); model_data")
    assert read_net(given).table("a").tolist() == [0.3, 0.7]


@pytest.mark.parametrize("name", OTHERS)
def test_what_was_mended_is_written_and_read_without_a_word(tmp_path: Path, name: str) -> None:
    with pytest.warns(MendedFileWarning):
        net = NETWORK_FORMATS[name].read(changed(name, "0.0625", "0.063"), "odd", None)
    for ending in (".bif", ".json", ".xmlbif", ".net", ".dsc", ".xdsl", ".uai"):
        write_network(net, tmp_path / f"net{ending}")
        again = read_network(tmp_path / f"net{ending}")
        assert [again.table(v).tolist() for v in again.names] == [net.table(v).tolist() for v in net.names]


# --- XML


def test_the_declaration_and_the_tags_of_javabayes() -> None:
    text = NETWORK_FORMATS["xmlbif"].write(NET)
    old = text.replace('<?xml version="1.0" encoding="UTF-8"?>', '<?XML VERSION="1.0"?>')
    with pytest.warns(MendedFileWarning, match=r"<\?XML …\?> is not how XML is declared \(the first in line 1\)"):
        assert read_xmlbif(old) == NET
    assert read_xmlbif(text.replace("TYPE=", "type=").replace("VARIABLE", "Variable")) == NET
    with pytest.raises(FileFormatError, match="only those of type 'nature'"):
        read_xmlbif(text.replace('TYPE="nature"', 'type="decision"'))


TITLES = """<smile version="1.0" id="x"><nodes>
<cpt id="a"><state id="no" /><state id="yes" /><probabilities>0.25 0.75</probabilities></cpt>
<cpt id="b"><state id="no" /><state id="yes" /><parents>a</parents><probabilities>0.5 0.5 0.1 0.9</probabilities></cpt>
</nodes><extensions><genie version="1.0" app="GeNIe"><node id="a"><name>Rain today</name></node></genie></extensions>
</smile>"""


def test_variables_may_be_called_by_their_titles(tmp_path: Path) -> None:
    path = tmp_path / "titles.xdsl"
    path.write_text(TITLES)
    plain, named = read_network(path), read_network(path, names="titles")
    assert plain.names == ("a", "b")
    assert plain.properties["variables"] == {"a": ["<name>Rain today</name>"]}
    assert named.names == ("Rain today", "b")
    assert named.dag.parents("b") == ("Rain today",)
    write_network(named, path)
    assert read_network(path) == named
    path.write_text(TITLES.replace("Rain today", "b"))
    with pytest.raises(FileFormatError, match="'a' and 'b' have the same name 'b'"):
        read_network(path, names="titles")
    with pytest.raises(InputError, match=r"read_network\(names='title'\): unknown"):
        read_network(path, names="title")  # type: ignore[arg-type]


def test_titles_in_net_and_dsc(tmp_path: Path) -> None:
    (tmp_path / "x.net").write_text(
        'node a { states = (x y); label = "Rain today"; } potential (a) { data = (0.5 0.5); }'
    )
    assert read_network(tmp_path / "x.net", names="titles").names == ("Rain today",)
    dsc = 'node a { name : "Rain today"; type : discrete[2] = { "x", "y" }; } probability (a) { 0.5, 0.5; }'
    (tmp_path / "x.dsc").write_text(dsc)
    assert read_network(tmp_path / "x.dsc", names="titles").names == ("Rain today",)
    assert read_network(tmp_path / "x.dsc").names == ("a",)


# --- noisy-MAX


def brute_force(causes: list[np.ndarray], leak: np.ndarray) -> np.ndarray:
    """The sum over the effects of every cause and the leak alone; levels are listed strongest first."""
    table = np.zeros([len(cause) for cause in causes] + [len(leak)])
    for states in itertools.product(*(range(len(cause)) for cause in causes)):
        alone = [cause[state] for cause, state in zip(causes, states, strict=True)] + [leak]
        for effects in itertools.product(range(len(leak)), repeat=len(alone)):
            chance = np.prod([each[effect] for each, effect in zip(alone, effects, strict=True)])
            table[(*states, min(effects))] += chance
    return table


@pytest.mark.parametrize("seed", range(5))
def test_noisy_max_against_all_that_causes_can_do(seed: int) -> None:
    rng = np.random.default_rng(seed)
    arity = int(rng.integers(2, 5))
    causes = [rng.dirichlet(np.ones(arity), size=int(rng.integers(1, 4))) for _ in range(3)]
    leak = rng.dirichlet(np.ones(arity))
    assert np.allclose(noisy_max_table(causes, leak), brute_force(causes, leak), atol=1e-14)


NOISY = """<smile version="1.0" id="x"><nodes>
<cpt id="a"><state id="yes" /><state id="no" /><probabilities>0.25 0.75</probabilities></cpt>
<cpt id="b"><state id="none" /><state id="some" /><state id="much" /><probabilities>0.25 0.25 0.5</probabilities></cpt>
<noisymax id="c"><state id="high" /><state id="low" /><state id="absent" /><parents>a b</parents>
<strengths>0 1 2 1 0</strengths>
<parameters>0.5 0.3 0.2 0 0 1 0.6 0.3 0.1 0.2 0.3 0.5 0 0 1 0.01 0.02 0.97</parameters></noisymax>
</nodes></smile>"""


def test_noisy_max_of_genie() -> None:
    net = read_xdsl(NOISY)
    # Columns follow the strengths: those of b are for much, some, none.
    of_a = np.array([[0.5, 0.3, 0.2], [0, 0, 1]])
    of_b = np.array([[0, 0, 1], [0.2, 0.3, 0.5], [0.6, 0.3, 0.1]])
    leak = np.array([0.01, 0.02, 0.97])
    assert np.allclose(net.table("c"), brute_force([of_a, of_b], leak), atol=1e-14)
    # By hand: absent with a = yes and b = much is 0.2 * 0.1 * 0.97.
    assert net.table("c")[0, 2, 2] == pytest.approx(0.0194, rel=1e-12)
    assert net.table("c")[1, 0].tolist() == pytest.approx([0.01, 0.02, 0.97], rel=1e-12)


def test_noisy_or_by_hand() -> None:
    # 1 - (1 - leak) * product of (1 - p) over the causes that are there.
    noisy = NOISY.replace("a b</parents>\n<strengths>0 1 2 1 0</strengths>", "a</parents>").replace(
        '<state id="low" />', ""
    )
    start, end = noisy.index("<parameters>"), noisy.index("</parameters>")
    table = read_xdsl(noisy[:start] + "<parameters>0.8 0.2 0 1 0.1 0.9" + noisy[end:]).table("c")
    assert table.tolist() == [pytest.approx([0.82, 0.18]), pytest.approx([0.1, 0.9])]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<strengths>0 1 2 1 0<", "<strengths>0 1 2 1 1<", "the numbers of its states, each once"),
        ("<strengths>0 1 2 1 0<", "<strengths>0 1 2 1<", "the numbers of its states, each once"),
        ("<strengths>0 1 2 1 0<", "<strengths>0 1 2 1 0 0<", "the numbers of its states, each once"),
        ("0.01 0.02 0.97", "", "needs 18 numbers here, 15 are given"),
        ("0 0 1 0.6", "0.1 0 0.9 0.6", "weakest state of a parent of 'c' has an effect"),
        ("<parameters>", "<probabilities />", "not well-formed"),
    ],
)
def test_malformed_noisy_max(old: str, new: str, message: str) -> None:
    assert old in NOISY
    with pytest.raises(FileFormatError, match=message):
        read_xdsl(NOISY.replace(old, new, 1))


# --- names and nesting


def test_empty_names_are_refused_in_every_format() -> None:
    bif = 'variable "" { type discrete [ 1 ] { x }; } probability ( "" ) { table 1; }'
    dsc = 'node "" { type : discrete[1] = { "x" }; } probability ("") { 1; }'
    net = 'node "" { states = ("x"); } potential ("") { data = (1); }'
    own = 'node a { states = ("x"); qnml_name = ""; } potential (a) { data = (1); }'
    xmlbif = "<BIF><NETWORK><VARIABLE><NAME></NAME><OUTCOME>x</OUTCOME></VARIABLE></NETWORK></BIF>"
    xdsl = '<smile><nodes><cpt id=""><state id="x" /><probabilities>1</probabilities></cpt></nodes></smile>'
    named = json.dumps(
        {
            "format": "qnml-network",
            "version": 1,
            "variables": [{"name": "", "levels": ["x"], "parents": [], "table": [[1.0]]}],
        }
    )
    readers = [
        (read_bif, bif),
        (read_dsc, dsc),
        (read_net, net),
        (read_net, own),
        (read_xmlbif, xmlbif),
        (read_xdsl, xdsl),
        (read_json, named),
    ]
    for read, text in readers:
        with pytest.raises(FileFormatError, match=r"at least one character|without a name|expected an identifier"):
            read(text)


def test_json_that_nests_too_deep_is_one_error() -> None:
    for depth in (101, 900, 100_000):
        nested = "[" * depth + "]" * depth
        text = (
            NETWORK_FORMATS["json"]
            .write(NET)
            .replace('"version": 1,', f'"version": 1, "properties": {{"a": {nested}}},')
        )
        with pytest.raises(FileFormatError):
            read_json(text)


def test_blanks_of_other_scripts_are_blanks() -> None:
    assert read_uai("BAYES 1 2 1 1 0 2 0.25\u00a00.75\u2003").table("x0").tolist() == [0.25, 0.75]


def test_an_announced_number_of_variables_is_not_believed() -> None:
    with pytest.raises(FileFormatError):
        read_uai("BAYES 999999999 2 2")


def test_empty_labels_are_labels_and_come_back(tmp_path: Path) -> None:
    # Data have them: a cell of a CSV file may be an empty text in quotes.
    net = Network(Dag.empty(["a"]), {"a": ["", "x"]}, {"a": [0.25, 0.75]})
    for ending in (".bif", ".json", ".xmlbif", ".net", ".dsc", ".xdsl"):
        write_network(net, tmp_path / f"net{ending}")
        assert read_network(tmp_path / f"net{ending}") == net
