"""`report`: learn what is needed, ask how sure it is, and put it into one page.

Examples
--------
>>> import qnml
>>> page = qnml.report(qnml.datasets.sample("cancer", 500, seed=1))
>>> page.html.startswith("<!doctype html>")
True
"""

from __future__ import annotations

import math
import warnings
from itertools import islice
from typing import TYPE_CHECKING, Any

from qnml._api.arguments import MOST_SEED, as_table, check_time_limit, check_whole_number
from qnml._api.bootstrap import bootstrap
from qnml._api.k_best import k_best
from qnml._api.learn import learn
from qnml._api.posterior import posterior
from qnml._api.report_contents import Answers, ArcProbabilities, Left, ReportContents, SingleAnswers
from qnml._api.search_result import SearchResult
from qnml._checks import check_choice, checked_path, checked_text, checked_texts
from qnml.errors import QnmlError, bad_argument
from qnml.graph.masks import bits
from qnml.graph.meek import PartialOrientation
from qnml.graph.parent_choices import parent_choices
from qnml.model import Network
from qnml.model.inference.clique_tree import clique_tree
from qnml.model.residuals import residual_dependence

if TYPE_CHECKING:
    from os import PathLike

    from qnml._api.k_best_result import KBest
    from qnml.model.inference.marginal_answers import Marginals
    from qnml.model.residuals import Residual
    from qnml.reports.web.page import ReportPage
    from qnml.search import Knowledge

__all__ = ["report"]

PROBABILITIES = ("auto", "posterior", "bootstrap", "none")

# Exact sums over networks, and the best classes, take seconds up to here.
_EXACT_UP_TO = 15
_REPLICATES = 100
_RANKED = 10
# Pairs of more variables than this are not compared: the work grows with their square.
_PAIRS_UP_TO = 120
# Beyond this a browser would take more than a moment for each answer, or the page would be too large.
_MOST_CLIQUE_CELLS = 400_000
_MOST_TABLE_CELLS = 60_000
_MOST_PARENT_SETS = 64
# Answers to each single piece of evidence are computed beforehand up to so many results and multiplications.
_MOST_SINGLE_NUMBERS = 250_000
_MOST_SINGLE_WORK = 2e10


def report(
    source: Any,
    path: str | PathLike[str] | None = None,
    *,
    title: str | None = None,
    probabilities: str = "auto",
    parameters: str = "snml",
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    guard: str = "warn",
    time_limit: float | None = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
    seed: int | None = None,
    name: str | None = None,
    commands: tuple[str, ...] | None = None,
    **learning: Any,
) -> ReportPage:
    """One web page about a learned network that anybody can open: the story, the network, how sure it is, what if.

    The page is a single file without a connection to anywhere. The network in it can be moved and searched; clicking
    the bars of a variable sets evidence, and all probabilities follow.

    Parameters
    ----------
    source : the result of :func:`learn`, a :class:`Network`, or data, from which a network is learned first.
    path : the file to write, ending in ``.html``; without it the page is only returned.
    title : the heading; by default the name of the source.
    probabilities : how the probabilities of arcs are computed: ``"posterior"`` (see :func:`qnml.posterior`),
        ``"bootstrap"`` (the share of 100 resampled tables), ``"auto"`` (the posterior up to 15 variables, otherwise
        the bootstrap) or ``"none"``.
    parameters : the rule for the probability tables, as for :func:`qnml.fit`.
    knowledge, max_parents, guard : rules for networks, as for :func:`learn`; with a result, those it was learned with,
        so that probabilities and other networks obey them as well.
    time_limit : seconds for learning, and as many again for the probabilities of arcs and for the best classes.
    n_jobs : threads; all cores by default.
    progress : show a progress bar on standard error.
    seed : seed of the search and of the bootstrap; 0 by default.
    name : what the page calls the source, such as the name of a file.
    commands : what the page says can be run to make it again; by default the call in Python.
    **learning : further arguments of :func:`learn`, such as `score`; only with data.

    Returns
    -------
    ReportPage
        With `html`, the text of the page, and `save`. Notebooks show it.
    """
    from qnml.reports.web.page import ReportPage

    check_choice("report", "probabilities", probabilities, PROBABILITIES)
    time_limit = check_time_limit("report", time_limit)
    # A page that says how to make it again always has a seed.
    seed = check_whole_number("report", "seed", seed, 0, MOST_SEED) or 0
    if path is not None and checked_path("report", "path", path).suffix.lower() not in (".html", ".htm"):
        raise bad_argument("report", "path", str(path), "a file name ending in .html")
    rules = {"knowledge": knowledge, "max_parents": max_parents, "guard": guard, "n_jobs": n_jobs, "progress": progress}
    limits = {"time_limit": time_limit, "seed": seed}
    result = _learned(source, {**rules, **limits, **learning}, learning)
    network = source if result is None else result.fit(parameters)
    called = "a network" if isinstance(source, Network) else "a table"
    if commands is not None:
        commands = tuple(checked_texts("report", "commands", commands))
    said = called if name is None else checked_text("report", "name", name, "text")
    contents = ReportContents(
        title=_title(title, name),
        source=said,
        network=network,
        result=result,
        probabilities=_probabilities(result, probabilities, rules, limits),
        ranked=_ranked(result, rules, time_limit),
        residuals=_residuals(result, network),
        answers=_answers(network),
        commands=(_call(said, isinstance(source, Network)),) if commands is None else commands,
    )
    page = ReportPage(contents)
    if path is not None:
        page.save(path)
    return page


def _learned(source: Any, given: dict[str, Any], learning: dict[str, Any]) -> SearchResult | None:
    if isinstance(source, SearchResult | Network):
        if learning:
            listed = ", ".join(sorted(learning))
            raise bad_argument("report", listed, "…", "left out: the network is already learned")
        return source if isinstance(source, SearchResult) else None
    return learn(as_table(source), **given)


def _title(title: str | None, name: str | None) -> str:
    if title is not None:
        return checked_text("report", "title", title, "text")
    return "Bayesian network" if name is None else f"Bayesian network of {name}"


def _call(said: str, is_network: bool) -> str:
    given = f'qnml.read_network("{said}")' if is_network else f'qnml.read_table("{said}", prepare="auto")'
    return f'qnml.report({given}, "report.html")'


def _seed(seed: int, is_learned: bool) -> str:
    if is_learned:
        return f"Seed of the resampling: {seed}; that of the search came with the result."
    return f"Seed: {seed}."


def _why_not(result: SearchResult | None) -> Left | None:
    if result is None:
        return Left("The network was given without data.")
    if result.structural_em is not None:
        return Left("The table has missing cells, which only the search for one network estimates.")
    return None


def _asked(result: SearchResult) -> dict[str, Any]:
    bound = result.bound_score
    return {"score": bound.score.name, "prior": result.prior, **bound.parameters}


def _probabilities(
    result: SearchResult | None, wanted: str, rules: dict[str, Any], limits: dict[str, Any]
) -> ArcProbabilities | Left:
    reason = _why_not(result)
    if result is None or reason is not None:
        return reason or Left("")
    if wanted == "none":
        return Left("They were not asked for.")
    if wanted == "auto":
        wanted = "posterior" if len(result.table.names) <= _EXACT_UP_TO else "bootstrap"
    quiet = {**rules, **limits, **_asked(result)}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # the sentence has what they say
            if wanted == "posterior":
                found = posterior(result.table, **quiet)
                return ArcProbabilities(found.names, found.edges, "Posterior probability", found.sentence())
            shares = bootstrap(result.table, _REPLICATES, **quiet)
    except QnmlError as error:
        return Left(f"They could not be computed: {error}")
    return ArcProbabilities(shares.names, shares.edges, "Share of resampled tables", shares.sentence())


def _ranked(result: SearchResult | None, rules: dict[str, Any], time_limit: float | None) -> KBest | Left:
    reason = _why_not(result)
    if result is None or reason is not None:
        return reason or Left("")
    if len(result.table.names) > _EXACT_UP_TO:
        return Left(f"The best networks in order are listed for up to {_EXACT_UP_TO} variables.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            return k_best(result.table, _RANKED, **rules, time_limit=time_limit, **_asked(result))
    except QnmlError as error:
        return Left(f"They could not be computed: {error}")


def _residuals(result: SearchResult | None, network: Network) -> list[Residual] | Left:
    if result is None:
        return Left("The network was given without data.")
    if len(network.names) > _PAIRS_UP_TO:
        return Left(f"Pairs are compared for up to {_PAIRS_UP_TO} variables.")
    if result.table.interventions is not None:
        return Left("Pairs are not compared where variables were set in some rows.")
    try:
        return residual_dependence(network, result.table)
    except QnmlError as error:
        return Left(f"They could not be computed: {error}")


def _answers(network: Network) -> Answers | SingleAnswers | Left:
    tree = clique_tree(network)
    if tree is None:
        return Left("Exact answers about this network do not fit into the memory.")
    levels = [len(network.levels[name]) for name in network.names]
    sizes = [math.prod(levels[one] for one in (child, *own)) for child, own in _families(network)]
    if tree.cells <= _MOST_CLIQUE_CELLS and sum(sizes) <= _MOST_TABLE_CELLS:
        return Answers(tree, _parent_sets(network))
    if sum(levels) ** 2 <= _MOST_SINGLE_NUMBERS and tree.cells * sum(levels) <= _MOST_SINGLE_WORK:
        return _single_answers(network)
    return Left(
        f"The network is too large for a page: exact answers need tables of {tree.cells:,} cells. Ask the library, by "
        "qnml show, qnml query or Network.marginals."
    )


def _families(network: Network) -> list[tuple[int, list[int]]]:
    number = {name: place for place, name in enumerate(network.names)}
    return [(number[name], [number[one] for one in network.dag.parents(name)]) for name in network.names]


def _single_answers(network: Network) -> SingleAnswers:
    def rows(found: Marginals | None) -> tuple[tuple[float, ...], ...] | None:
        return None if found is None else tuple(tuple(map(float, found[name].values)) for name in network.names)

    without = network.marginals()
    found = []
    for name in network.names:
        possible = zip(network.levels[name], without[name].values, strict=True)
        found.append(tuple(rows(network.marginals({name: level}) if p > 0 else None) for level, p in possible))
    return SingleAnswers(rows(without) or (), tuple(found))


def _parent_sets(network: Network) -> tuple[tuple[tuple[int, ...], ...] | None, ...]:
    """The sets of parents in the admitted members of the class, that of the network first; None if there are many."""
    own = network.dag.parent_masks
    graph = network.mpdag
    if graph is None:  # its arcs are taken at their word
        return tuple((tuple(bits(mask)),) for mask in own)
    found: list[tuple[tuple[int, ...], ...] | None] = []
    for node, mask in enumerate(own):
        listed = parent_choices(PartialOrientation(graph.parent_masks, graph.neighbour_masks), [node])
        choices = {parents for (parents,), _ in islice(listed, _MOST_PARENT_SETS + 1)}
        others = sorted(choices - {mask})
        is_short = len(choices) <= _MOST_PARENT_SETS
        found.append(tuple(tuple(bits(one)) for one in (mask, *others)) if is_short else None)
    return tuple(found)
