"""The forecast of a search, as facts and as a page."""

import json

import qnml
from qnml.reports import plan_facts, plan_page


def test_a_plan(table, printed):
    plan = qnml.plan(table)
    facts = plan_facts(plan, table, "asia.csv")
    assert facts["plan"]["fits"] is True
    assert facts["plan"]["families"] == plan.families
    assert facts["data"] == {"source": "asia.csv", "rows": 200, "total": 200, "variables": 8, "preparation": None}
    assert " ".join(plan.sentence().split()) in " ".join(printed(plan_page(facts)).split())
    json.dumps(facts, allow_nan=False)
