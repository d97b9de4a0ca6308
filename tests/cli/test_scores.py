"""``qnml scores``."""

import qnml


def test_every_score_is_listed_with_its_flags(qnml_command):
    document = qnml_command("scores", "--json").document
    assert [score["name"] for score in document["scores"]] == list(qnml.scores.SCORES)
    by_name = {score["name"]: score for score in document["scores"]}
    assert by_name["qnml"]["equivalent"]
    assert not by_name["fnml"]["equivalent"]
    assert not by_name["nml"]["decomposable"]
    assert by_name["bdeu"]["parameter"]["name"] == "ess"
    assert by_name["bdq"]["parameter"]["named"] == ["jeffreys", "jaasaari", "watanabe-roos"]
    assert by_name["bic"]["parameter"] is None


def test_people_see_a_line_for_each(qnml_command):
    firsts = [line.split()[0] for line in qnml_command("scores").out.splitlines() if line.split()]
    for name in qnml.scores.SCORES:
        assert name in firsts
