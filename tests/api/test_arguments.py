"""How public calls answer unknown arguments, and that they take the numbers of other libraries."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import qnml
from qnml.errors import DataError, InputError, UnknownNameError
from qnml.scores import LocalScores

DOORS = [qnml.learn, qnml.plan, qnml.k_best, qnml.bootstrap, qnml.posterior, qnml.write_local_scores]
SCORERS = [qnml.score, qnml.explain]


@pytest.fixture(scope="module")
def table():
    return qnml.datasets.sample("cancer", 200, seed=1)


def call(door, table, folder, **named):
    """Call a function with the arguments it requires besides the data."""
    if door in SCORERS:
        return door(table, qnml.Dag.empty(["a"]), **named)
    return door(table, folder / "scores.jkl", **named) if door is qnml.write_local_scores else door(table, **named)


@pytest.mark.parametrize("door", [*DOORS, *SCORERS])
def test_an_option_of_reading_is_sent_there(door, table, tmp_path):
    frame = pd.DataFrame({"a": ["x", "y"], "b": ["y", "z"]})
    where = rf"^{door.__name__}\(levels=…\): there is no such argument. It belongs to read_table: "
    with pytest.raises(UnknownNameError, match=where + rf"{door.__name__}\(read_table\(data, levels=…\)\)\.$"):
        call(door, frame, tmp_path, levels="observed")


@pytest.mark.parametrize("door", DOORS)
def test_a_misspelt_argument_gets_the_nearest(door, table, tmp_path):
    with pytest.raises(
        UnknownNameError, match=r"max_parent=…\): there is no such argument. Did you mean 'max_parents'"
    ):
        call(door, table, tmp_path, max_parent=2)


@pytest.mark.parametrize("door", [*DOORS, *SCORERS])
def test_a_parameter_of_another_score_is_named(door, table, tmp_path):
    with pytest.raises(
        UnknownNameError, match=r"score 'qnml' takes no parameter 'ess'; 'bdeu' and 'bds' do\. It takes regret\.$"
    ):
        call(door, table, tmp_path, ess=1.0)
    with pytest.raises(UnknownNameError, match=r"takes no parameter 'alpha'; 'bdq' does. It takes ess\.$"):
        call(door, table, tmp_path, score="bdeu", alpha=1.0)


def test_several_scores_share_their_parameters(table):
    assert len(qnml.learn_many([table], ["bdeu", "bic"], ess=2.0)) == 1
    with pytest.raises(UnknownNameError, match="score 'aic' and 'bic' takes no parameter 'gamma'; 'ebic' does"):
        qnml.learn_many([table], ["aic", "bic"], gamma=1.0)


def test_an_option_of_no_rule_is_named_with_its_value(table):
    dag = qnml.Dag.empty(table.names)
    with pytest.raises(UnknownNameError, match=r"fit\(es=1.0\): the rule 'bpp' takes ess\. Did you mean 'ess'"):
        qnml.fit(table, dag, "bpp", es=1.0)


def test_capitals_do_not_hide_a_score(table):
    with pytest.raises(UnknownNameError, match="Did you mean 'bic'"):
        qnml.learn(table, "BIC")


def test_knowledge_in_a_dict_is_told_how_to_come(table):
    with pytest.raises(InputError, match=r"must be a qnml.Knowledge, or None. Write Knowledge\(\*\*knowledge\)"):
        qnml.learn(table, knowledge={"required": [("Smoker", "Cancer")]})


def test_numbers_of_numpy_are_numbers(table):
    plain = qnml.learn(table, method="order", max_parents=2, time_limit=30.0, seed=3, n_jobs=1)
    other = qnml.learn(
        table,
        method="order",
        max_parents=np.int32(2),
        time_limit=np.float32(30.0),
        seed=np.int64(3),
        n_jobs=np.int8(1),
        progress=np.bool_(False),
    )
    assert other.dag == plain.dag
    drawn = qnml.bootstrap(table, np.uint8(3), seed=np.uint64(1), threshold=np.float64(0.5))
    assert drawn.replicates == 3
    assert type(drawn.seed) is int
    assert drawn.edges.tolist() == qnml.bootstrap(table, 3, seed=1, threshold=0.5).edges.tolist()
    assert len(qnml.k_best(table, np.int64(2))) == 2
    assert len(qnml.posterior(table, samples=np.int16(5)).sample_dags(np.int64(4), seed=np.int64(1))) == 4


def test_a_model_string_is_a_structure(table):
    dag = qnml.Dag.from_arcs(["Smoker", "Cancer"], [("Smoker", "Cancer")])
    assert qnml.score(table, "[Smoker][Cancer|Smoker]") == qnml.score(table, dag)
    assert qnml.explain(table, "[Smoker][Cancer|Smoker]") == qnml.explain(table, dag)


def test_arcs_that_were_never_found_have_the_share_zero(table):
    often = qnml.bootstrap(table, 3, seed=1)
    shares = often.edge_frequencies
    absent = next((a, b) for a in often.names for b in often.names if a != b and (a, b) not in shares)
    assert shares[absent] == 0.0
    assert all(shares[arc] == often.edges[often.names.index(arc[0]), often.names.index(arc[1])] for arc in shares)
    for each in (shares, qnml.posterior(table).edge_probabilities):
        with pytest.raises(UnknownNameError, match="Did you mean 'Smoker'"):
            each["smoker", "Cancer"]
        with pytest.raises(InputError, match="two different names"):
            each["Smoker", "Smoker"]


@pytest.mark.parametrize("as_path", [str, Path])
def test_plot_takes_the_file_to_save_to(table, tmp_path, as_path):
    result = qnml.learn(table)
    for number, thing in enumerate((result, result.fit(), qnml.posterior(table))):
        file = tmp_path / f"{number}.svg"
        thing.plot(as_path(file))
        assert file.read_text(encoding="utf-8").count("<svg") == 1
    with pytest.raises(InputError, match="strengths"):
        result.fit().plot("net.jpg").svg  # noqa: B018


def test_learn_prepares_what_is_no_table_yet():
    raw = {"age": [20.5 + k % 7 for k in range(70)], "sex": ["f", "m"] * 35, "id": [*range(100, 170)]}
    with pytest.raises(DataError, match="prepare='auto' decides about all columns"):
        qnml.learn(raw)
    result = qnml.learn(raw, prepare="auto", columns={"sex": "drop"})
    assert result.table == qnml.read_table(raw, prepare="auto", columns={"sex": "drop"})
    assert result.table.preparation.dropped == ("sex", "id")
    with pytest.raises(InputError, match=r"learn\(prepare='auto'\): must be left out where the data are a Table"):
        qnml.learn(result.table, prepare="auto")
    with pytest.raises(InputError, match=r"leave out columns=\{'sex': 'drop'\}"):
        qnml.learn(LocalScores({"a": {frozenset(): -1.0}}), columns={"sex": "drop"})
