"""Marginals given many rows: each row as if asked for alone, on any number of threads."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.lookups import UNKNOWN, plain_posterior, random_network

from qnml import datasets
from qnml.errors import InputError, UnknownNameError
from qnml.model import row_marginals as rows_module


def holed(net, rows, seed, share=0.4):
    """Rows of labels of which some are missing, as columns."""
    generator = np.random.default_rng(seed)
    drawn = net.sample(rows, seed=seed)
    columns = {name: [str(label) for label in drawn.labels(name)] for name in net.names}
    return {name: [None if generator.random() < share else one for one in column] for name, column in columns.items()}


def evidence_of(columns, row):
    return {name: column[row] for name, column in columns.items() if column[row] is not None}


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), zeros=st.booleans())
def test_each_row_is_what_all_rows_say(seed, zeros):
    net = random_network(seed, 5, zeros=zeros)
    generator = np.random.default_rng(seed)
    codes = [[int(generator.integers(len(net.levels[name]))) for name in net.names] for _ in range(6)]
    # Unknown labels, too: nothing depends on such a variable.
    cells = [
        [None if generator.random() < 0.4 else UNKNOWN if generator.random() < 0.1 else code for code in row]
        for row in codes
    ]

    def label(name, code):
        return None if code is None else "strange" if code == UNKNOWN else net.levels[name][code]

    columns = {name: [label(name, row[place]) for row in cells] for place, name in enumerate(net.names)}
    found = net.row_marginals(columns, impossible="nan")
    for place, name in enumerate(net.names):
        for number, row in enumerate(cells):
            if row[place] is None and not np.isneginf(found.log_evidence[number]):
                expected = plain_posterior(net, name, row)
                np.testing.assert_allclose(found[name][number], expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ["asia", "alarm", "insurance"])
def test_many_rows_are_one_by_one(name, data_folder, monkeypatch):
    monkeypatch.setenv("QNML_DATA", str(data_folder))
    net = datasets.load_network(name)
    columns = holed(net, 40, seed=1)
    found = net.row_marginals(columns, n_jobs=2)
    assert found == net.row_marginals(columns, n_jobs=1)
    for row in range(0, 40, 5):
        alone = net.marginals(evidence_of(columns, row))
        assert found.log_evidence[row] == pytest.approx(alone.log_evidence, abs=1e-10)
        for one in net.names:
            np.testing.assert_allclose(found[one][row], alone.values_of(one), rtol=0, atol=1e-12)


def test_complete_rows_have_their_log_probability():
    asia = datasets.load_network("asia")
    rows = asia.sample(500, seed=2)
    np.testing.assert_allclose(asia.row_marginals(rows).log_evidence, asia.log_prob(rows), rtol=1e-12)


def test_unknown_labels_count_as_in_log_prob():
    asia = datasets.load_network("asia")
    columns = {name: [str(label) for label in asia.sample(8, seed=2).labels(name)] for name in asia.names}
    columns["smoke"][3] = "sometimes"
    np.testing.assert_allclose(asia.row_marginals(columns).log_evidence, asia.log_prob(columns), rtol=1e-12)


def test_several_targets_are_predicted_without_their_own_cells():
    asia = datasets.load_network("asia")
    rows = asia.sample(50, seed=3)
    found = asia.predict_proba(rows, ["lung", "bronc"])
    for row in range(0, 50, 7):
        evidence = {name: rows.labels(name)[row] for name in asia.names if name not in ("lung", "bronc")}
        for name in ("lung", "bronc"):
            np.testing.assert_allclose(found[name][row], asia.query(name, evidence).values, rtol=0, atol=1e-12)
    np.testing.assert_allclose(asia.predict_proba(rows, ["tub"])["tub"], asia.predict_proba(rows, "tub"), atol=1e-12)


def test_rows_whose_tree_does_not_fit_are_answered_one_by_one(monkeypatch):
    asia = datasets.load_network("asia")
    columns = holed(asia, 12, seed=4)
    expected = asia.row_marginals(columns, targets=["lung", "asia"])
    asked = []
    marginals = rows_module.marginals
    watched = lambda *given, **more: asked.append(given) or marginals(*given, **more)  # noqa: E731
    monkeypatch.setattr(rows_module, "marginals", watched)
    # Two threads share the memory; alone, a row may use all of it.
    found = asia.row_marginals(columns, targets=["lung", "asia"], memory_limit=300.0, n_jobs=2)
    assert asked
    for name in ("lung", "asia"):
        np.testing.assert_allclose(found[name], expected[name], rtol=0, atol=1e-13)
    np.testing.assert_allclose(found.log_evidence, expected.log_evidence, rtol=0, atol=1e-12)


def test_no_rows():
    asia = datasets.load_network("asia")
    found = asia.row_marginals(asia.sample(3, seed=1).to_frame().head(0))
    assert found["lung"].shape == (0, 2)


def test_what_is_refused():
    asia = datasets.load_network("asia")
    impossible = {"either": ["yes", "no"], "lung": ["yes", "yes"]}
    with pytest.raises(InputError, match=r"row 1 .*probability zero.*impossible='nan'"):
        asia.row_marginals(impossible)
    with pytest.raises(UnknownNameError, match="lung"):
        asia.row_marginals(impossible, targets=["lng"])
    with pytest.raises(InputError, match="twice"):
        asia.predict_proba(impossible, ["tub", "tub"])
    with pytest.raises(InputError, match="at least one"):
        asia.predict_proba(impossible, [])
