"""Queries compared with the sum over all states, and queries without an answer."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.inference import joint, posterior, random_parts, settings_for, some_parts

from qnml.errors import InputError, TooLargeError, UnknownNameError
from qnml.graph import Dag
from qnml.model import Network, fit
from qnml.model.inference import answers
from qnml.model.inference.contraction import UnderflowError


def network(parts):
    names, arcs, levels, tables = parts
    return Network(Dag.from_arcs(names, arcs), levels, tables)


def labels(net, codes):
    return {name: net.levels[name][code] for name, code in codes.items()}


@pytest.mark.parametrize("most_by_tree", [2**26, 0], ids=["tree", "contraction"])
@settings(max_examples=150)
@given(data=st.data())
def test_query_is_the_sum_over_all_states(most_by_tree, data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(answers, "MOST_BY_TREE", most_by_tree)
        compare_with_all_states(data)


def compare_with_all_states(data):
    net = network(data.draw(some_parts()))
    seen = data.draw(settings_for(net))
    forced = {name: code for name, code in data.draw(settings_for(net, 2)).items() if name not in seen}
    targets = data.draw(st.lists(st.sampled_from(net.names), min_size=1, max_size=3, unique=True))
    found = net.query(targets, labels(net, seen), labels(net, forced), impossible="nan")
    expected = posterior(net, seen, forced, targets)
    assert found.names == tuple(targets)
    np.testing.assert_allclose(found.values, expected, rtol=1e-10, atol=1e-13)
    total = joint(net, seen, forced, targets).sum()
    log_evidence = net.log_evidence(labels(net, seen), labels(net, forced))
    if total == 0.0:
        assert log_evidence == -math.inf
        with pytest.raises(InputError, match="probability zero"):
            net.query(targets, labels(net, seen), labels(net, forced))
    else:
        assert log_evidence == pytest.approx(math.log(total), abs=1e-10)
        assert found.values.sum() == pytest.approx(1.0, abs=1e-12)


def sprinkler():
    return Network(
        Dag.from_arcs(["rain", "sprinkler", "wet"], [("rain", "wet"), ("sprinkler", "wet")]),
        {"rain": ["no", "yes"], "sprinkler": ["off", "on"], "wet": [0, 1]},
        {
            "rain": [0.8, 0.2],
            "sprinkler": [0.6, 0.4],
            "wet": [[[1.0, 0.0], [0.1, 0.9]], [[0.2, 0.8], [0.01, 0.99]]],
        },
    )


def test_worked_by_hand():
    # P(wet) = .8*.4*.9 + .2*.6*.8 + .2*.4*.99 = .288 + .096 + .0792 = .4632; of that rain has .1752.
    net = sprinkler()
    assert net.query("rain", {"wet": 1})["yes"] == pytest.approx(0.1752 / 0.4632, abs=1e-15)
    assert net.log_evidence({"wet": 1}) == pytest.approx(math.log(0.4632), abs=1e-14)
    # Seeing the sprinkler on explains the wet grass; turning it on says nothing about rain.
    assert net.query("rain", {"sprinkler": "on"})["yes"] == pytest.approx(0.2, abs=1e-15)
    both = net.query(["wet", "rain"], do={"sprinkler": "on"})
    assert both[1, "yes"] == pytest.approx(0.2 * 0.99, abs=1e-15)


def test_labels_are_found_by_value_or_as_text():
    net = sprinkler()
    expected = net.query("rain", {"wet": 1})
    assert net.query("rain", {"wet": "1"}) == expected
    assert net.query("rain", {"wet": np.int64(1)}) == expected


def test_targets_that_are_given_are_certain():
    net = sprinkler()
    found = net.query(["rain", "wet"], {"wet": 1}, {"rain": "no"})
    assert found["no", 1] == 1.0
    assert found.values.sum() == 1.0
    assert net.query("wet", do={"wet": 0})[0] == 1.0


def test_no_evidence_at_all():
    net = sprinkler()
    assert net.query("rain", {}, {}) == net.query("rain")
    assert net.log_evidence({}) == 0.0


def test_one_level_variables():
    net = Network(
        Dag.from_modelstring("[a][b|a][c|b]"),
        {"a": ["only"], "b": ["x", "y"], "c": ["only"]},
        {"a": [1.0], "b": [[0.25, 0.75]], "c": [[1.0], [1.0]]},
    )
    assert net.query("a")["only"] == 1.0
    assert net.query(["c", "b"], {"a": "only"})["only", "y"] == 0.75
    assert net.query("b", {"c": "only", "a": "only"})["y"] == 0.75
    assert net.log_evidence({"c": "only"}) == 0.0
    assert net.most_probable() == ({"a": "only", "b": "y", "c": "only"}, pytest.approx(math.log(0.75)))


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"targets": "rian"}, UnknownNameError, r"targets='rian'\): unknown. Known: rain, .* mean 'rain'"),
        ({"targets": []}, InputError, "at least one"),
        ({"targets": 3}, InputError, "targets=3"),
        ({"targets": ["rain", 3]}, UnknownNameError, "targets=3"),
        ({"targets": ["rain", "rain"]}, InputError, "'rain' is there twice"),
        ({"targets": "rain", "evidence": {"wett": 1}}, UnknownNameError, r"evidence='wett'.*mean 'wet'"),
        ({"targets": "rain", "evidence": {"sprinkler": "yes"}}, UnknownNameError, r"\['sprinkler'\].*Known: off, on"),
        ({"targets": "rain", "do": {"wet": 2}}, UnknownNameError, r"do\['wet'\]=2\): unknown. Known: 0, 1"),
        ({"targets": "rain", "evidence": ["wet"]}, InputError, "a mapping"),
        ({"targets": "rain", "evidence": {"wet": 1}, "do": {"wet": 1}}, InputError, "both evidence and do"),
        ({"targets": "rain", "impossible": "zero"}, InputError, "'raise' or 'nan'"),
    ],
)
def test_wrong_questions_are_refused(arguments, kind, message):
    with pytest.raises(kind, match=message):
        sprinkler().query(**arguments)


def test_impossible_evidence_is_noticed_also_where_it_cannot_matter():
    """The target is d-separated from the contradiction; still the query has no answer."""
    net = Network(
        Dag.from_modelstring("[a][b|a][t]"),
        {"a": ["n", "y"], "b": ["n", "y"], "t": ["n", "y"]},
        {"a": [0.5, 0.5], "b": [[1.0, 0.0], [0.0, 1.0]], "t": [0.3, 0.7]},
    )
    assert net.query("t", {"b": "y"})["y"] == 0.7
    with pytest.raises(InputError, match=r"a=n, b=y has probability zero\. impossible='nan'"):
        net.query("t", {"a": "n", "b": "y"})
    assert np.isnan(net.query("t", {"a": "n", "b": "y"}, impossible="nan").values).all()
    # Under an intervention there is no contradiction.
    assert net.query("t", {"a": "n"}, {"b": "y"})["y"] == 0.7
    with pytest.raises(InputError, match=r"zero under do\(t=n\)"):
        net.most_probable({"a": "n", "b": "y"}, {"t": "n"})


def test_rounded_tables_are_made_to_sum_to_one():
    """Irrelevant variables sum to one whether they are pruned or not."""
    thirds = [0.3333333, 0.3333333, 0.3333333]
    net = Network(
        Dag.from_modelstring("[a][b|a]"), {"a": [0, 1, 2], "b": [0, 1, 2]}, {"a": [0.2, 0.3, 0.5], "b": [thirds] * 3}
    )
    assert net.query("a")[2] == 0.5
    assert net.query(["a", "b"]).values[2].sum() == pytest.approx(0.5, abs=1e-15)
    assert net.log_evidence({"b": 1}) == pytest.approx(-math.log(3), abs=1e-15)


def chain(length, stay=0.9):
    names = [f"x{number}" for number in range(length)]
    dag = Dag.from_arcs(names, itertools.pairwise(names))
    step = [[stay, 1 - stay], [1 - stay, stay]]
    return Network(dag, {name: [0, 1] for name in names}, {"x0": [0.5, 0.5], **dict.fromkeys(names[1:], step)})


def test_a_long_chain():
    """3000 variables: the distance between two of them decides, by (1 + (2 stay - 1)^d) / 2."""
    net = chain(3000, stay=0.999)
    for distance in (1, 100, 2999):
        expected = (1 + 0.998**distance) / 2
        assert net.query("x0", {f"x{distance}": 1})[1] == pytest.approx(expected, rel=1e-11)
    # All observed and alternating: far below the smallest double.
    alternating = {name: number % 2 for number, name in enumerate(net.names)}
    assert net.log_evidence(alternating) == pytest.approx(math.log(0.5) + 2999 * math.log(0.001), rel=1e-12)
    middle = {name: code for name, code in alternating.items() if name != "x1500"}
    assert net.query("x1500", middle)[0] == pytest.approx(0.001**2 / (0.001**2 + 0.999**2), rel=1e-9)


def hidden_contradiction(n_features):
    """A class whose features almost rule out two of three levels, and a proxy that rules out the third."""
    names = ["class", *(f"f{number}" for number in range(n_features)), "proxy"]
    arcs = [("class", name) for name in names[1:]]
    levels = {name: ["no", "yes"] for name in names} | {"class": ["a", "b", "c"]}
    feature = [[0.1, 0.9], [0.9, 0.1], [0.9, 0.1]]
    tables = dict.fromkeys(names, feature) | {"class": [0.5, 0.1, 0.4], "proxy": [[1.0, 0.0], [0.5, 0.5], [0.2, 0.8]]}
    evidence = dict.fromkeys(names[1:], "yes")
    return Network(Dag.from_arcs(names, arcs), levels, tables), evidence


@pytest.mark.parametrize("n_features", [10, 400])
def test_what_underflows_is_not_taken_for_impossible(n_features):
    """0.1^400 is zero as a double; relative to it, b and c have the weights 0.1 * 0.5 and 0.4 * 0.8."""
    net, evidence = hidden_contradiction(n_features)
    found = net.query("class", evidence)
    assert found["a"] == 0.0
    assert found["b"] == pytest.approx(0.05 / 0.37, rel=1e-12)
    expected = math.log(0.37) + n_features * math.log(0.1)
    assert net.log_evidence(evidence) == pytest.approx(expected, rel=1e-12)
    assert net.most_probable(evidence)[0]["class"] == "c"


def test_the_example_above_does_underflow(monkeypatch):
    raised = []

    def contract(*arguments, **options):
        try:
            return answers_contract(*arguments, **options)
        except UnderflowError:
            raised.append(True)
            raise

    answers_contract = answers.contract
    monkeypatch.setattr(answers, "contract", contract)
    monkeypatch.setattr(answers, "MOST_BY_TREE", 0)
    net, evidence = hidden_contradiction(10)
    net.query("class", evidence)
    assert not raised
    net, evidence = hidden_contradiction(400)
    net.query("class", evidence)
    assert raised


def test_forty_parents():
    """A table of 2^41 entries is never created, neither to answer nor to refuse."""
    generator = np.random.default_rng(1)
    names = [f"p{number}" for number in range(40)]
    rows = {name: generator.integers(0, 2, 500) for name in names}
    rows["child"] = generator.integers(0, 2, 500)
    net = fit(rows, Dag.from_arcs([*names, "child"], [(name, "child") for name in names]))
    seen = {name: int(rows[name][7]) for name in names}
    row = net.conditional("child").rows_of([2] * 40, np.array([[seen[name] for name in names]]))[0]
    np.testing.assert_allclose(net.query("child", seen).values, row, rtol=1e-14)
    # With the child unseen, the parents are independent of each other.
    np.testing.assert_allclose(net.query("p3", {"p5": 1}).values, net.table("p3"), rtol=1e-14)
    del seen["p3"], seen["p4"]
    assert net.query(["p3", "child"], seen).values.sum() == pytest.approx(1.0)
    with pytest.raises(TooLargeError, match=r"Induced width 40; .* over 41 variables: p0, p1, .* and 29 more"):
        net.query("child")


def test_answers_do_not_depend_on_the_order_of_nodes():
    net = network(random_parts(3, [2, 3, 2, 2, 3], [(4, 0), (0, 1), (4, 2), (1, 3), (2, 3)], 0.0))
    names = net.names[::-1]
    turned = Network(
        net.dag.reorder(names),
        net.levels,
        {
            name: np.moveaxis(
                net.table(name),
                range(len(net.dag.parents(name))),
                [net.dag.reorder(names).parents(name).index(parent) for parent in net.dag.parents(name)],
            )
            for name in names
        },
    )
    for target in net.names:
        one, other = (each.query(target, {"v3": "l1"}).values for each in (net, turned))
        np.testing.assert_allclose(one, other, rtol=1e-13)
