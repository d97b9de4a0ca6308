"""The known scores, as facts and as a page."""

import json

import qnml
from qnml.reports import scores_facts, scores_page


def test_facts_survive_json_unchanged_and_the_page_has_every_score(printed):
    facts = scores_facts(qnml.SCORES.values())
    assert json.loads(json.dumps(facts, allow_nan=False)) == facts
    text = printed(scores_page(facts))
    rows = {line.split()[0] for line in text.splitlines() if line.strip()}
    assert set(qnml.SCORES) <= rows
    assert "ess=1" in text
