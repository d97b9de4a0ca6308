"""Files as other programs write them, checked by hand; and malformed files, with the place of the error."""

import gzip
import time
from pathlib import Path

import pytest

from qnml.errors import FileFormatError, MendedFileWarning
from qnml.model import read_network
from qnml.model.files import read_dsc, read_net, read_uai, read_xdsl, read_xmlbif, write_net, write_xdsl

# P(dog out | family out, bowel problem); the variable changes fastest, the last parent next.
XMLBIF = """<?xml version="1.0" encoding="US-ASCII"?>
<!-- by hand -->
<!DOCTYPE BIF [
  <!ELEMENT BIF ( NETWORK )*>
  <!ATTLIST VARIABLE TYPE (nature|decision|utility) "nature">
]>
<bif VERSION="0.3">
<NETWORK>
<NAME>Dog &amp; cat</NAME>
<VARIABLE><NAME> bowel
</NAME><OUTCOME>yes</OUTCOME><OUTCOME> no </OUTCOME><PROPERTY>position = (1,2)</PROPERTY></VARIABLE>
<VARIABLE TYPE="nature"><NAME>out</NAME><OUTCOME>true</OUTCOME><OUTCOME>false</OUTCOME></VARIABLE>
<VARIABLE TYPE="nature"><NAME>family</NAME><OUTCOME>a</OUTCOME><OUTCOME>b</OUTCOME><OUTCOME>c</OUTCOME></VARIABLE>
<DEFINITION><FOR>bowel</FOR><TABLE>0.01 0.99</TABLE></DEFINITION>
<DEFINITION><FOR>out</FOR><GIVEN>family</GIVEN><GIVEN>bowel</GIVEN>
<TABLE> 0.99 0.01 0.97 0.03 <!-- a, then b -->
  0.9 0.1 0.3 0.7
  0.5 0.5 .25 75e-2 </TABLE></DEFINITION>
<DEFINITION><FOR>family</FOR><TABLE>0.2 0.3 0.5</TABLE></DEFINITION>
</NETWORK>
</bif>
"""


def test_xmlbif_by_hand() -> None:
    net = read_xmlbif(XMLBIF)
    assert net.dag.parents("out") == ("bowel", "family")
    assert net.levels["bowel"] == ("yes", "no")
    assert net.table("out")[1, 2].tolist() == [0.25, 0.75]  # bowel = no, family = c
    assert net.table("out")[0, 1].tolist() == [0.9, 0.1]
    assert net.properties["name"] == "Dog & cat"
    assert net.properties["variables"] == {"bowel": ["position = (1,2)"]}
    assert net.properties["comments"] == ["by hand", "a, then b"]


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "message"),
    [
        ("</bif>", "</BIF>", 21, 3, "not well-formed XML: mismatched tag"),
        (XMLBIF, "\n <smile />", 2, 2, "expected the element <BIF> and found <SMILE>"),
        ("Dog &amp; cat", "Dog &cat; cat", 9, 11, "undefined entity|entity 'cat'"),
        ("<!ELEMENT BIF", "<!ENTITY a 'b'><!ELEMENT BIF", 4, 14, "entity 'a'"),
        ("<VARIABLE><NAME>", "<VARIABLE TYPE='utility'><NAME>", 10, 1, "'utility'"),
        ("<OUTCOME>false</OUTCOME>", "<OUTCOME>true</OUTCOME>", 12, 64, "'true' of 'out' is listed twice"),
        ("<NAME>family</NAME>", "<NAME>out</NAME>", 13, 1, "'out' is declared twice"),
        ("<GIVEN>family</GIVEN>", "<GIVEN>cat</GIVEN>", 15, 27, "'cat' is not declared"),
        ("<GIVEN>family</GIVEN>", "<GIVEN>bowel</GIVEN>", 15, 47, "'bowel' is named twice"),
        ("0.9 0.1 0.3 0.7", "0.9 0.1 0.3 0.8", 17, 11, "'out' sums to 1.1 instead of 1"),
        ("0.9 0.1 0.3 0.7", "0.9 0.1 O.3 0.7", 17, 11, "expected a number and found 'O.3'"),
        ("0.9 0.1 0.3 0.7", "0.9 0.1 -1 2", 17, 11, "-1 is not a probability"),
        ("0.9 0.1 0.3 0.7", "0.9 0.1", 16, 8, "needs 12 numbers here, 10 are given"),
        ("<TABLE>0.2 0.3 0.5</TABLE>", "", 19, 1, "expected one <TABLE> in <DEFINITION> and found 0"),
        ("<DEFINITION><FOR>family</FOR><TABLE>0.2 0.3 0.5</TABLE></DEFINITION>", "", 13, 1, "no <DEFINITION>"),
    ],
)
def test_malformed_xmlbif_says_where(old: str, new: str, line: int, column: int, message: str) -> None:
    assert old in XMLBIF
    with pytest.raises(FileFormatError, match=message) as caught:
        read_xmlbif(XMLBIF.replace(old, new, 1), "dog.xml")
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize("reader", [read_xmlbif, read_xdsl])
def test_files_that_would_grow_are_refused_at_once(reader: object) -> None:
    laughs = ['<!ENTITY l0 "ha">'] + [f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 12)]
    text = f"<!DOCTYPE BIF [{''.join(laughs)}]><BIF><NETWORK><NAME>&l11;</NAME></NETWORK></BIF>"
    started = time.perf_counter()
    with pytest.raises(FileFormatError, match="entity 'l0'"):
        reader(text)  # type: ignore[operator]
    with pytest.raises(FileFormatError, match="64 deep"):
        reader("<a>" * 100_000)  # type: ignore[operator]
    outside = '<!DOCTYPE BIF [<!ENTITY x SYSTEM "file:///etc/passwd">]><BIF>&x;</BIF>'
    with pytest.raises(FileFormatError, match="entity 'x'"):
        reader(outside)  # type: ignore[operator]
    assert time.perf_counter() - started < 1.0


def test_encodings_that_xml_declares(tmp_path: Path) -> None:
    text = XMLBIF.replace("Dog &amp; cat", "Højde")
    for name, encoding in (("a.xml", "ISO-8859-1"), ("b.bifxml", "utf-16"), ("c.xmlbif", "windows-1252")):
        (tmp_path / name).write_bytes(text.replace("US-ASCII", encoding).encode(encoding))
        assert read_network(tmp_path / name).properties["name"] == "Højde"
    (tmp_path / "d.xml.gz").write_bytes(gzip.compress(text.replace("US-ASCII", "UTF-8").encode()))
    assert read_network(tmp_path / "d.xml.gz").properties["name"] == "Højde"
    (tmp_path / "e.xml").write_bytes(text.encode("latin-1"))
    with pytest.warns(MendedFileWarning, match="not US-ASCII text .*line 9.*Windows-1252"):
        assert read_network(tmp_path / "e.xml").properties["name"] == "Højde"
    (tmp_path / "f.xml").write_bytes(text.replace("US-ASCII", "rot13").encode())
    with pytest.raises(FileFormatError, match="unknown encoding: rot13"):
        read_network(tmp_path / "f.xml")


# After the example network that comes with GeNIe: either and bronchitis cause dyspnoea.
XDSL = """<?xml version="1.0" encoding="ISO-8859-1"?>
<smile version="1.0" id="Asia" numsamples="1000">
  <nodes>
    <cpt id="tub"><state id="no" /><state id="yes" /><probabilities>0.99 0.01</probabilities></cpt>
    <cpt id="bronc"><state id="no" /><state id="yes" /><probabilities>0.7 0.3</probabilities>
      <property id="author">somebody</property></cpt>
    <deterministic id="either"><state id="no" /><state id="yes" />
      <parents>tub</parents><resultingstates>no yes</resultingstates></deterministic>
    <cpt id="dysp"><state id="no" /><state id="yes" /><parents>either bronc</parents>
      <probabilities>0.9 0.1 0.2 0.8
      0.3 0.7 0.1 0.9</probabilities></cpt>
  </nodes>
  <extensions>
    <genie version="1.0" app="GeNIe 2.0" name="Lungs">
      <node id="tub"><name>Tuberculosis?</name><interior color="e5f6f7" /><position>1 2 3 4</position></node>
      <submodel id="s"><name>sub</name><node id="dysp"><name>dysp</name><comment>short of breath</comment></node>
      </submodel>
    </genie>
  </extensions>
</smile>
"""


def test_xdsl_by_hand() -> None:
    net = read_xdsl(XDSL)
    # P(dysp = yes | bronc = yes, either = no) is 0.8 in the literature, the other way round 0.7.
    assert net.dag.parents("dysp") == ("bronc", "either")
    assert net.table("dysp")[1, 0].tolist() == [0.2, 0.8]
    assert net.table("dysp")[0, 1].tolist() == [0.3, 0.7]
    assert net.table("either").tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert net.properties == {
        "name": "Asia",
        "network": ['<genie version="1.0" app="GeNIe 2.0" name="Lungs" />'],
        "variables": {
            "tub": ["<name>Tuberculosis?</name>", "<position>1 2 3 4</position>"],
            "bronc": ["author = somebody"],
            "dysp": ["<comment>short of breath</comment>"],
        },
    }
    again = write_xdsl(net)
    assert '<genie version="1.0" app="GeNIe 2.0" name="Lungs">' in again
    assert read_xdsl(again) == net
    assert read_xdsl(again).properties == net.properties


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('<cpt id="tub">', '<cpt id="bronc">', 5, "'bronc' is declared twice"),
        ('<cpt id="tub">', "<cpt>", 4, "expected an identifier"),
        (
            '<cpt id="bronc"><state id="no" />',
            '<cpt id="bronc"><state id="yes" />',
            5,
            "'yes' of 'bronc' is listed twice",
        ),
        ("<parents>either bronc</parents>", "<parents>either lung</parents>", 9, "'lung' is not declared"),
        ("<parents>either bronc</parents>", "<parents>either dysp</parents>", 9, "'dysp' cannot be a parent"),
        ("0.3 0.7 0.1 0.9", "0.3 0.6 0.1 0.9", 11, "sums to 0.9"),
        ("no yes</resultingstates>", "no maybe</resultingstates>", 8, "'maybe' is not a state"),
        ("no yes</resultingstates>", "no</resultingstates>", 8, "needs 2 states here, 1 are given"),
        ("<nodes>", "<nodes><equation id='x' />", 3, "<equation>"),
        ("<probabilities>0.7 0.3</probabilities>", "", 5, "expected one <probabilities>"),
    ],
)
def test_malformed_xdsl_says_where(old: str, new: str, line: int, message: str) -> None:
    assert old in XDSL
    with pytest.raises(FileFormatError, match=message) as caught:
        read_xdsl(XDSL.replace(old, new, 1), "asia.xdsl")
    assert caught.value.line == line


NET = """% made by hand
net
{
  name = "Wet grass"; node_size = (80 40);
  HR_Desc = "two\\nlines; %";
}
discrete node C
{
  label = "Cloudy \\"sky\\"";  % a title
  states = ("false" "true");
}
node S { states = (off on); position = (10 20); }
node W { states = ("<5" "5 or more" more); }
potential (C) { data = (0.4 0.6); }
potential (W | S C)
{
  data = (((0.9 0.1 0.0)    % S=off C=false
           (0.2 0.3 0.5))
          ((0.5 0.25 0.25)
           (0 0 1)));
  experience = (1 2);
}
potential (S | C) { }
"""


def test_net_by_hand() -> None:
    net = read_net(NET)
    assert net.levels["W"] == ("<5", "5 or more", "more")
    assert net.dag.parents("W") == ("C", "S")
    assert net.table("W")[1, 0].tolist() == [0.2, 0.3, 0.5]  # C = true, S = off
    assert net.table("W")[0, 1].tolist() == [0.5, 0.25, 0.25]
    assert net.table("S").tolist() == [[0.5, 0.5]] * 2  # not specified: uniform
    assert net.properties == {
        "name": "Wet grass",
        "comments": ["made by hand", "a title", "S=off C=false"],
        "network": ["node_size = (80 40)", 'HR_Desc = "two\\nlines; %"'],
        "variables": {"C": ['label = "Cloudy \\"sky\\""'], "S": ["position = (10 20)"]},
        "probabilities": {"W": ["experience = (1 2)"]},
    }
    assert read_net(write_net(net)).properties == net.properties
    assert read_net(NET.replace("\n", "\r\n")) == net


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "message"),
    [
        ("discrete node C", "continuous node C", 7, 1, "only discrete chance nodes"),
        ("node S {", "nod S {", 12, 1, "'nod': not part of a network"),
        ('states = ("false" "true");', 'states = ("true" "true");', 10, 20, "'true' of 'C' is listed twice"),
        ('states = ("false" "true");', "", 7, 15, "'C' has no states"),
        ("node S {", "node C {", 12, 6, "'C' is declared twice"),
        ("(S | C)", "(S | D)", 23, 16, "'D' is not declared"),
        ("(S | C)", "(S | S)", 23, 16, "'S' is named twice"),
        ("(S | C)", "(C | S)", 23, 1, "'C' has two potentials"),
        ("potential (S | C) { }", "", 12, 6, "'S' has no potential"),
        ("(0.2 0.3 0.5)", "(0.0 0.0 0.0)", 18, 13, "'W' sum to 0, and must be weights"),
        ("(0.2 0.3 0.5)", "(1e308 1e308 1)", 18, 13, "'W' sum to inf, and must be weights"),
        ("(0.2 0.3 0.5)", "(0.2 -0.3 0.5)", 18, 17, "-0.3 is not a probability"),
        ("(0.2 0.3 0.5)", "(0.2 0.3 x)", 18, 21, "expected a number and found 'x'"),
        ("(0.2 0.3 0.5)", "(0.2 0.3)", 17, 13, "needs 12 numbers here, 11 are given"),
        ("(0.4 0.6);", "(0.4 0.6;", 14, 24, "parentheses"),
        ("(0.4 0.6);", "(0.4 0.6)", 14, 17, "expected an attribute"),
        ('"<5" ', '"<5', 13, 33, "a quoted text begins here"),
        (NET, "", 1, 1, "no node"),
    ],
)
def test_malformed_net_says_where(old: str, new: str, line: int, column: int, message: str) -> None:
    assert old in NET
    with pytest.raises(FileFormatError, match=message) as caught:
        read_net(NET.replace(old, new, 1), "wet.net")
    assert (caught.value.line, caught.value.column) == (line, column)


DSC = """belief network "Sub0"   // by hand
properties { type MS_label = choice of [other, problem]; version : 2; }
node N2
{
    name : "Age";
    type : discrete[2] =
    {
        "S_0_72",
        "S 73"
    };
    position is (207, 95);
}
node N3 { type: discrete [ 3 ] { a, b, c }; }
node N6 { type = discrete[2] = { "no", "yes" }; }
probability (N2) { 0.25, 0.75; }
probability (N3) { 0.2, 0.3, 0.5; }
probability (N6 | N3, N2)
{
    (0, 0) : 0.1, 0.9;
    (0, 1) : 0.2, 0.8;
    (2, "S 73") : 0.3, 0.7;   /* by label */
    default : 0.5, 0.5;
}
"""


def test_dsc_by_hand() -> None:
    net = read_dsc(DSC)
    assert net.dag.parents("N6") == ("N2", "N3")
    assert net.table("N6").tolist() == [[[0.1, 0.9], [0.5, 0.5], [0.5, 0.5]], [[0.2, 0.8], [0.5, 0.5], [0.3, 0.7]]]
    assert net.properties == {
        "name": "Sub0",
        "comments": ["by hand", "by label"],
        "network": ["type MS_label = choice of [other, problem]", "version = 2"],
        "variables": {"N2": ['name = "Age"', "position = (207, 95)"]},
    }


def test_rows_that_genie_heads_with_zeros_are_taken_in_order() -> None:
    start = DSC.index("    (0, 0)")
    rows = [(0.1, 0.9), (0.2, 0.8), (0.3, 0.7), (0.4, 0.6), (0.5, 0.5), (0.6, 0.4)]
    zeros = "".join(f"    (0, 0, 0) : {a}, {b}\n    ;\n" for a, b in rows)
    plain = ", ".join(f"{a}, {b}" for a, b in rows) + ";\n"
    counted = "".join(f"  ({i // 2}, {i % 2}) : {a}, {b};\n" for i, (a, b) in enumerate(rows))
    nets = [read_dsc(DSC[:start] + body + "}\n") for body in (zeros, plain, counted)]
    assert nets[0] == nets[1] == nets[2]
    assert nets[0].table("N6")[1, 2].tolist() == [0.6, 0.4]


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "message"),
    [
        ("node N3 {", "decision N3 {", 13, 1, "only discrete chance nodes"),
        ("discrete [ 3 ]", "discrete [ 4 ]", 13, 17, "announces 4 states and lists 3"),
        ("{ a, b, c }", "{ a, b, b }", 13, 40, "'b' of 'N3' is listed twice"),
        ("(N6 | N3, N2)", "(N6 | N3, N4)", 17, 23, "'N4' is not declared"),
        ("(0, 1) : 0.2", "(0, 0) : 0.2", 20, 5, "two rows"),
        ("(0, 1) : 0.2", "(0, 2) : 0.2", 20, 5, "2 is not a state of 'N2'"),
        ("(0, 1) : 0.2", "(0) : 0.2", 20, 5, "states of the 2 parents"),
        ("0.2, 0.8;", "0.2, 0.9;", 20, 14, "sums to 1.1"),
        ("0.2, 0.8;", "0.2, o.8;", 20, 19, "expected a number and found 'o.8'"),
        ("0.2, 0.8;", "0.2;", 20, 5, "needs 2 numbers here, 1 are given"),
        ("    default : 0.5, 0.5;\n", "", 22, 1, r"no row for \(1, 0\)"),
        ("{ 0.25, 0.75; }", "{ }", 15, 20, "has no numbers"),
        ("probability (N2) { 0.25, 0.75; }", "", 3, 6, "'N2' has no probability block"),
    ],
)
def test_malformed_dsc_says_where(old: str, new: str, line: int, column: int, message: str) -> None:
    assert old in DSC
    with pytest.raises(FileFormatError, match=message) as caught:
        read_dsc(DSC.replace(old, new, 1), "sub.dsc")
    assert (caught.value.line, caught.value.column) == (line, column)


# The example of the competition's page, with a third variable that has two parents.
UAI = """BAYES
3
2 2 3
3
1 0
2 0 1
3 1 0 2  # a remark

2
 0.436 0.564
4
 0.128 0.872
 0.920 0.080
12
 0.210 0.333 0.457
 0.811 0.000 0.189
 0.1 0.2 0.7
 0.3 0.3 0.4
"""


def test_uai_by_hand() -> None:
    net = read_uai(UAI)
    assert net.names == ("x0", "x1", "x2")
    assert net.dag.arcs == (("x0", "x1"), ("x0", "x2"), ("x1", "x2"))
    assert net.table("x1").tolist() == [[0.128, 0.872], [0.92, 0.08]]
    assert net.table("x2")[1, 0].tolist() == [0.811, 0.0, 0.189]  # x0 = 1, x1 = 0: the scope names x1 first
    assert net.levels["x2"] == ("0", "1", "2")


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "message"),
    [
        ("BAYES", "MARKOV", 1, 1, "a Markov network"),
        ("2 2 3", "2 0 3", 3, 3, "number of levels and found '0'"),
        ("\n3\n1 0", "\n2\n1 0", 3, 6, "3 variables has 3 tables"),
        ("2 0 1", "2 0 3", 6, 5, "number of a variable and found '3'"),
        ("2 0 1", "2 1 0", 6, 1, "x0 has two tables"),
        ("4\n 0.128", "5\n 0.128", 12, 2, "needs 4 numbers here, 5 are given"),
        (
            "0.128 0.872\n 0.920 0.080",
            "0.128 0.920\n 0.872 0.080",
            12,
            2,
            "instead of 1. The numbers fit if .* slowest",
        ),
        ("0.3 0.3 0.4", "0.3 0.3 0.x", 18, 10, "expected a number"),
        ("0.3 0.3 0.4", "0.3 0.3 0.4 1", 18, 14, "text after the last table"),
        (UAI[UAI.index("12\n") :], "", 14, 1, "the end of the file"),
    ],
)
def test_malformed_uai_says_where(old: str, new: str, line: int, column: int, message: str) -> None:
    assert old in UAI
    with pytest.raises(FileFormatError, match=message) as caught:
        read_uai(UAI.replace(old, new, 1), "small.uai")
    assert (caught.value.line, caught.value.column) == (line, column)


def test_cycles_are_shown_in_every_format() -> None:
    texts = {
        read_xmlbif: XMLBIF.replace(
            "<FOR>bowel</FOR><TABLE>0.01 0.99", "<FOR>bowel</FOR><GIVEN>out</GIVEN><TABLE>0.01 0.99 0.5 0.5"
        ),
        read_net: NET.replace("(C) { data = (0.4 0.6); }", "(C | S) { }"),
        read_dsc: DSC.replace("(N2) { 0.25, 0.75; }", "(N2 | N6) { default: 0.25, 0.75; }"),
        read_uai: UAI.replace("1 0\n", "2 1 0\n").replace("2\n 0.436 0.564", "4\n 0.436 0.564 0.5 0.5"),
        read_xdsl: XDSL.replace(
            "<probabilities>0.99 0.01", "<parents>either</parents><probabilities>0.99 0.01 0.5 0.5"
        ),
    }
    for reader, text in texts.items():
        with pytest.raises(FileFormatError, match="the arcs form a cycle") as caught:
            reader(text)
        assert caught.value.line is not None


def test_what_does_not_end_is_noticed_at_once() -> None:
    start = "node a { states = (x y); }\n"
    texts = [
        (read_net, f"{start}% {start}/* {start * 20000}", "a comment begins here", 3),
        (read_net, f'{start}% b\n"' + '\\"' * 200_000, "a quoted text begins here", 3),
        (read_dsc, '// c\n"' + '\\"' * 200_000, "a quoted text begins here", 2),
        (read_dsc, "node a { " + "x : y " * 100_000, "expected an attribute", 1),
        (read_uai, "BAYES\n999999999999\n" + "2 " * 100_000, "the end of the file", 3),
    ]
    started = time.perf_counter()
    for reader, text, message, line in texts:
        with pytest.raises(FileFormatError, match=message) as caught:
            reader(text)
        assert caught.value.line == line
    assert time.perf_counter() - started < 5.0
