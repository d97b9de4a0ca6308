"""Summaries of figures: the paper's claims hold on its own curves and fail on others."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import rankdata

from qnml.paper import prediction
from qnml.paper.authors import authors_distances, authors_predictions
from qnml.paper.subjects import NETWORKS, SIZES
from qnml.paper.summary import summarize

CRITERIA = ("BDeu", "BIC", "fNML", "qNML")


def drawn_there(network, criterion, place):
    return round(authors_distances()[network, criterion, SIZES[place]].mean, 3)


def structure(value, repetitions=2, networks=NETWORKS):
    """Raw results with the distance a function gives for network, place of the size, criterion, ties, repetition."""
    rows = [
        (network, repetition, size, criterion, ties, float(value(network, place, criterion, ties, repetition)), 1)
        for network in networks
        for repetition in range(repetitions)
        for place, size in enumerate(SIZES)
        for criterion in CRITERIA
        for ties in ("canonical", "random")
    ]
    schema = ["network", "repetition", "size", "criterion", "ties", "shd", "arcs"]
    return {"structure": pl.DataFrame(rows, schema=schema, orient="row")}


def test_claims_hold_on_the_papers_curves():
    summary = summarize(
        "figure2", structure(lambda network, place, criterion, *_: drawn_there(network, criterion, place))
    )
    verdicts = {finding.statement: finding.holds for finding in summary.findings}
    for network in ("Earthquake", "Asia"):
        claim = f"qNML is the best or second best at all sample sizes on {network} (canonical ties)."
        assert verdicts[claim] is True
    assert verdicts["None of the criteria dominates in all settings."] is True
    assert all(cell.within for table in summary.tables for cell in table.cells.values())
    ours, _, theirs = summary.figures
    assert ours.panels[0].curves[0].mean == pytest.approx(theirs.panels[0].curves[0].mean)


def test_a_criterion_that_is_third_is_found():
    def value(network, place, criterion, ties, repetition):
        worse = network == "asia" and place == 5 and criterion == "qNML"
        return 20 if worse else drawn_there(network, criterion, place) + 0.01 * repetition

    verdicts = {f.statement: f for f in summarize("figure2", structure(value)).findings}
    claim = verdicts["qNML is the best or second best at all sample sizes on Asia (random ties)."]
    assert claim.holds is False
    assert "not at 60" in claim.evidence
    assert verdicts["qNML is the best or second best at all sample sizes on Earthquake (random ties)."].holds


def test_ranks_are_those_of_scipy_in_all_three_readings():
    rng = np.random.default_rng(3)
    drawn = rng.integers(3, size=(2, 4, len(SIZES), len(CRITERIA)))
    networks = ("asia", "cancer")

    def value(network, place, criterion, ties, repetition):
        return drawn[networks.index(network), repetition, place, CRITERIA.index(criterion)]

    canonical = summarize("figure3", structure(value, 4, networks)).figures[0]
    for panel, method in zip(canonical.panels, ("dense", "min", "average"), strict=True):
        expected = rankdata(drawn, method=method, axis=-1).mean(axis=(0, 1))
        for c, curve in enumerate(panel.curves[:4]):
            assert curve.mean == pytest.approx(expected[:, c], abs=1e-12)


def test_claims_on_ranks_follow_the_ranks():
    def leading(network, place, criterion, ties, repetition):
        return 0 if criterion == "qNML" else 1 + CRITERIA.index(criterion)

    assert {finding.holds for finding in summarize("figure3", structure(leading)).findings} == {True}

    def trailing(network, place, criterion, ties, repetition):
        return 9 if criterion == "qNML" else CRITERIA.index(criterion)

    findings = summarize("figure3", structure(trailing)).findings
    assert {finding.holds for finding in findings} == {False}
    assert len(findings) == 12


def test_a_lead_that_chance_explains_decides_nothing():
    def value(network, place, criterion, ties, repetition):
        if criterion in ("fNML", "BDeu"):
            return 5
        # BIC and qNML take turns, BIC one more often.
        return (0 if repetition % 2 else 1) if criterion == "BIC" else (1 if repetition % 2 else 0)

    findings = summarize("figure3", structure(value, 11)).findings
    best = [finding for finding in findings if "best average rank" in finding.statement]
    assert {finding.holds for finding in best} == {True}
    findings = summarize("figure3", structure(lambda *a: value(*a[:4], a[4] + 1), 11)).findings
    best = [finding for finding in findings if "best average rank" in finding.statement]
    assert {finding.holds for finding in best} == {None}


def test_claims_about_all_networks_are_left_open_for_some():
    value = lambda *given: CRITERIA.index(given[2])  # noqa: E731
    some = structure(value, 3, ("asia", "cancer"))
    assert {finding.holds for finding in summarize("figure3", some).findings} == {None}
    assert {finding.holds for finding in summarize("figure3", structure(value, 1)).findings} == {None}


def test_pages_of_appendix_e_hold_the_means():
    raw = prediction.run_chunk("iris", 0, 2, 1)
    summary = summarize("appendix-e", {"prediction": raw})
    (figure,) = summary.figures
    log_prob, variance, parameters, _ = figure.panels
    rows = raw.filter((pl.col("criterion") == "fNML") & (pl.col("fraction") == 4))
    assert log_prob.curves[2].mean[3] == pytest.approx(sum(rows["log_prob"]) / 2)
    assert parameters.curves[2].mean[3] == sum(rows["parameters"]) / 2
    assert variance.curves[2].mean[3] == pytest.approx(rows["log_prob"].var())
    assert parameters.curves[2].x == (15, 30, 45, 60, 75, 90, 105, 120, 135)
    theirs = parameters.curves[6]
    assert theirs.label == "fNML, the paper"
    assert theirs.mean[3] == authors_predictions()["iris", "fNML", 60, "parameters"].mean
    assert summary.compared[1] == 9 * 4 * 2
    assert summarize("figure1", {"prediction": raw}).missing == "there are no results for breast_cancer."
