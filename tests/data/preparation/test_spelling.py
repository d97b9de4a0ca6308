"""Numbers in text: units, percent and currency signs, thousands signs, and words for missing cells."""

import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qnml
from qnml.data.preparation.spelling import Spelling, find_spelling

ROWS = 40


def texts(written):
    return [written(number) for number in range(ROWS)]


@pytest.mark.parametrize(
    ("written", "expected", "third"),
    [
        (lambda n: f"{n}.5 kg", Spelling("kg"), 3.5),
        (lambda n: f"{n} %", Spelling("%"), 3.0),
        (lambda n: f"{n}cm", Spelling("cm"), 3.0),
        (lambda n: f"{n},5 mg/dl", Spelling("mg/dl", ","), 3.5),
        (lambda n: f"${n}.50", Spelling("$"), 3.5),
        (lambda n: f"-$1,0{n % 10}0.50", Spelling("$"), -1030.5),
        (lambda n: f"€ 1.0{n % 10}0,25", Spelling("€", ","), 1030.25),
        (lambda n: f"{n}.5", Spelling(), 3.5),
        (lambda n: f"\u2212{n}.5", Spelling(), -3.5),
        (lambda n: f"{n}" if n else "-", Spelling("", ".", ("-",)), 3.0),
        (lambda n: f"{n}.5 kg" if n else "n/a", Spelling("kg", ".", ("n/a",)), 3.5),
    ],
)
def test_numbers_are_recognized(written, expected, third):
    cells = [written(number) for number in range(ROWS)]
    if len({*cells}) <= 10:
        cells += [cell.replace("1,0", "2,0").replace("1.0", "2.0") for cell in cells]
    spelling = find_spelling(sorted(set(cells)))
    assert spelling == expected
    assert spelling.number(written(3)) == third


@pytest.mark.parametrize(
    "written",
    [
        lambda n: f"{n}",  # codes
        lambda n: f"0{n}",
        lambda n: f"{n % 8}.5 kg",  # few values are categories
        lambda n: f"{n}A" if n % 2 else f"{n}B",
        lambda n: f"{n}.5 kg" if n else "5.5 lb",
        lambda n: f"{n}.5" if n else "<5",
        lambda n: f"1,{100 + n} kg",  # may be a little more than one
        lambda n: f"30-{40 + n}",
        lambda n: f"2024-01-{n:02}",
        lambda n: f"{n}:30",
        lambda n: f"room {n}",
        lambda n: f"{n}.5" if n % 2 else f"{n},5",
    ],
)
def test_other_texts_are_no_numbers(written):
    assert find_spelling(sorted(set(texts(written)))) is None


@given(
    st.floats(-1e9, 1e9).map(lambda number: round(number, 3)),
    st.sampled_from(["", "kg", "%", "$"]),
    st.sampled_from(".,"),
    st.booleans(),
)
def test_numbers_survive_their_spelling(number, unit, decimal, is_grouped):
    text = f"{number:,.3f}" if is_grouped else f"{number:.3f}"
    if decimal == ",":
        text = text.translate(str.maketrans(".,", ",."))
    written = text.replace("-", "-$").replace("-$-$", "-") if unit == "$" and number < 0 else f"{text} {unit}".strip()
    assert math.isclose(Spelling(unit, decimal).number(written), number, abs_tol=1e-9)


@pytest.fixture(scope="module")
def frame():
    kilos = [f"{number % 25 + 40}.5 kg" for number in range(100)]
    lab = ["-" if number % 9 == 4 else f"{number % 25}" for number in range(100)]
    return pl.DataFrame({"kg": kilos, "lab": lab, "sex": ["f", "m"] * 50})


def test_text_becomes_bins_with_missing_cells(frame):
    table = qnml.read_table(frame, prepare="auto")
    made = table.preparation.columns
    assert (made["kg"].kind, made["kg"].action, made["kg"].unit) == ("real", "bin", "kg")
    assert made["kg"].reason == "Real numbers. Read as numbers in kg."
    assert (made["lab"].kind, made["lab"].n_missing, made["lab"].missing_words) == ("integer", 11, ("-",))
    assert made["lab"].reason.endswith("Read as numbers. '-' stands for missing cells.")
    plain = frame.with_columns(
        pl.col("kg").str.strip_suffix(" kg").cast(pl.Float64),
        pl.col("lab").cast(pl.Int64, strict=False),
    )
    assert table == qnml.read_table(plain, prepare="auto")


def test_strict_tables_are_read_as_they_stand_but_for_wishes(frame):
    strict = qnml.read_table(frame)
    assert strict.levels["sex"] == ("f", "m")
    assert "40.5 kg" in strict.levels["kg"]
    wished = qnml.read_table(frame, columns={"kg": "bins", "lab": [10]}, missing="em")
    assert wished.levels["lab"] == ("(-inf, 10]", "(10, inf)")
    assert wished.preparation.columns["kg"].unit == "kg"
    kept = qnml.read_table(frame, prepare="auto", columns={"kg": "category"})
    assert "40.5 kg" in kept.levels["kg"]


@pytest.mark.parametrize("missing", ["em", "category", "indicator"])
def test_new_rows_are_read_in_the_same_way_and_twice_changes_nothing(frame, missing):
    table = qnml.read_table(frame, prepare="auto", missing=missing)
    assert table.preparation.apply(frame) == table
    assert table.preparation.apply(table) == table
    few = frame.head(5)  # too few values to be recognized by themselves
    assert [*table.preparation.apply(few).codes("kg")] == [*table.codes("kg")[:5]]
    assert [*table.preparation.apply(few).codes("lab")] == [*table.codes("lab")[:5]]
    numbers = pl.DataFrame({"kg": [44.5], "lab": [7], "sex": ["f"]})
    words = pl.DataFrame({"kg": ["44.5kg"], "lab": ["7"], "sex": ["f"]})
    assert table.preparation.apply(numbers) == table.preparation.apply(words)
    assert qnml.Preparation.from_dict(table.preparation.to_dict()) == table.preparation


def test_numbers_in_another_unit_are_unknown(frame):
    table = qnml.read_table(frame, prepare="auto")
    pounds = frame.with_columns(pl.col("kg").str.replace("kg", "lb"))
    with pytest.raises(qnml.errors.DataError, match="kg"):
        table.preparation.apply(pounds)
    net = qnml.fit(table, qnml.Dag.from_arcs(table.names, []))
    with pytest.raises(qnml.errors.DataError, match="'kg', 100 of 100 cells"):
        net.log_prob(pounds)


@pytest.mark.parametrize("ending", ["json", "bif", "xml", "net", "dsc", "xdsl"])
def test_networks_remember_how_numbers_were_written(frame, ending, tmp_path):
    table = qnml.read_table(frame, prepare="auto")
    net = qnml.fit(table, qnml.Dag.from_arcs(table.names, [("kg", "sex")]))
    path = tmp_path / f"net.{ending}"
    qnml.write_network(net, path)
    read = qnml.read_network(path)
    assert read.preparation == net.preparation
    assert read.predict(frame, "sex").tolist() == net.predict(frame, "sex").tolist()
    assert read.query("sex", {"kg": "44.5 kg"})["f"] == pytest.approx(net.query("sex", {"kg": 44.5})["f"])
