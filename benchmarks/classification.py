"""Compare `BayesNetClassifier` with classifiers of scikit-learn and pyAgrum on the UCI sets of the paper.

    python benchmarks/classification.py [--folds 5] [--sets iris,wine] [--output docs/classification.md]

Needs the data folder. Every method sees the same folds of the same discretized columns, with its default settings
(except pyAgrum's threshold, see there) and on one thread; seconds are for learning and predicting over all folds.
With --output the page is written to a file, otherwise it is printed.
"""

from __future__ import annotations

import argparse
import datetime
import sys
import time
import warnings
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import CategoricalNB
from threadpoolctl import threadpool_limits

import qnml
from qnml.sklearn import BayesNetClassifier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

TARGET = "class"
# Row numbers, which are useless for new rows; glass is sorted by class.
IDENTIFIERS = {"glass": ["ATT1"], "bc_wisconsin": ["ATT1"]}
# Lower bound on probabilities, since a probability of 0 for the correct class would make the log-loss infinite.
LEAST_PROBABILITY = 1e-6
CLEAR = 2.0  # standard errors of a paired difference
OURS = "qnml"


@dataclass(frozen=True)
class Problem:
    """A data set in the forms that the methods require."""

    name: str
    frame: pl.DataFrame  # declared categories
    codes: np.ndarray
    arities: list[int]
    y: np.ndarray
    n_classes: int


@dataclass(frozen=True)
class Outcome:
    """Results of one method on one data set, row by row; all NaN if it failed."""

    correct: np.ndarray
    losses: np.ndarray
    seconds: float
    failure: str = ""


def load(name: str) -> Problem:
    """Load a data set as discretized by the authors of the paper, without identifiers and constant columns."""
    table = qnml.datasets.load_table(f"uci/{name}")
    left_out = [TARGET, *IDENTIFIERS.get(name, ()), *(column for column in table.names if table.arities[column] == 1)]
    features = [column for column in table.names if column not in left_out]
    series = []
    for column in features:
        levels = [str(label) for label in table.levels[column]]
        series.append(pl.Series(column, levels, dtype=pl.Enum(levels)).gather(pl.Series(table.codes(column))))
    codes = np.column_stack([table.codes(column).astype(np.int64) for column in features])
    return Problem(
        name,
        pl.DataFrame(series),
        codes,
        [table.arities[column] for column in features],
        table.codes(TARGET).astype(np.int64),
        table.arities[TARGET],
    )


def our_classifier(problem: Problem, train: np.ndarray, test: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities and their classes by qnml."""
    model = BayesNetClassifier().fit(problem.frame[train], problem.y[train])
    return model.predict_proba(problem.frame[test]), model.classes_


def our_tan(problem: Problem, train: np.ndarray, test: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities and their classes by the best tree-augmented classifier of qnml."""
    model = BayesNetClassifier(shape="tan").fit(problem.frame[train], problem.y[train])
    return model.predict_proba(problem.frame[test]), model.classes_


def naive_bayes(problem: Problem, train: np.ndarray, test: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities and their classes by scikit-learn's naive Bayes."""
    model = CategoricalNB(min_categories=problem.arities).fit(problem.codes[train], problem.y[train])
    return model.predict_proba(problem.codes[test]), model.classes_


def boosting(problem: Problem, train: np.ndarray, test: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities and their classes by scikit-learn's gradient boosting."""
    every = list(range(problem.codes.shape[1]))
    model = HistGradientBoostingClassifier(categorical_features=every, random_state=1)
    model.fit(problem.codes[train], problem.y[train])
    return model.predict_proba(problem.codes[test]), model.classes_


def pyagrum_classifier(method: str) -> Callable[..., tuple[np.ndarray, np.ndarray]]:
    """Probabilities and their classes by pyAgrum with the given learning method."""

    def run(problem: Problem, train: np.ndarray, test: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        from pyagrum.lib.discreteTypeProcessor import DiscreteTypeProcessor
        from pyagrum.skbn import BNClassifier

        names = problem.frame.columns
        text = pd.DataFrame([[f"L{code}" for code in row] for row in problem.codes.tolist()], columns=names)
        processor = DiscreteTypeProcessor()
        for name, arity in zip(names, problem.arities, strict=True):
            declared = "|".join(f"L{code}" for code in range(arity))
            processor.setDiscretizationParameters(name, "NoDiscretization", f"{{{declared}}}")
        model = BNClassifier(type_processor=processor, learningMethod=method)
        model.fit(text.iloc[train], [f"C{label}" for label in problem.y[train]])
        # With two classes it chooses a threshold on the ROC curve and distorts its probabilities accordingly. That
        # improves neither accuracy nor log-loss; at 0.5 they are the posterior of its network.
        model.threshold_ = 0.5
        return model.predict_proba(text.iloc[test]), np.array([int(label[1:]) for label in model.classes_])

    return run


def methods() -> dict[str, Any]:
    """The methods by their names in the tables."""
    found: dict[str, Any] = {OURS: our_classifier, "qnml TAN": our_tan}
    found |= {"naive Bayes": naive_bayes, "boosting": boosting}
    try:
        import pyagrum
    except ImportError:
        print("pyAgrum is absent and left out (pip install 'qnml[bench]').")
        return found
    pyagrum.setNumberOfThreads(1)
    return {**found, "pyAgrum MIIC": pyagrum_classifier("MIIC"), "pyAgrum TAN": pyagrum_classifier("TAN")}


def run(problem: Problem, predict: Any, folds: Iterable[tuple[np.ndarray, np.ndarray]]) -> Outcome:
    """Predict every row with a model that has not seen it."""
    n_rows = len(problem.y)
    probabilities = np.zeros((n_rows, problem.n_classes))
    start = time.perf_counter()
    for train, test in folds:
        try:
            found, classes = predict(problem, train, test)
        except Exception as error:  # whatever another program raises counts as no prediction
            unknown = np.full(n_rows, np.nan)
            return Outcome(unknown, unknown, np.nan, f"{type(error).__name__}: {' '.join(str(error).split())[:200]}")
        probabilities[test[:, None], classes[None, :]] = found
    seconds = time.perf_counter() - start
    chosen = probabilities.argmax(axis=1)
    given = np.maximum(probabilities[np.arange(n_rows), problem.y], LEAST_PROBABILITY)
    return Outcome((chosen == problem.y).astype(float), -np.log(given), seconds)


def warm_up(known: dict[str, Any]) -> None:
    """Use every method once, so that imports at the first call are not timed."""
    rows = np.arange(150)
    for predict in known.values():
        run(load("iris"), predict, [(rows, rows)])


def clear_difference(ours: np.ndarray, theirs: np.ndarray) -> int:
    """1 if the first mean is clearly higher, -1 if it is clearly lower, 0 if there is no clear difference."""
    difference = ours - theirs
    error = difference.std(ddof=1) / np.sqrt(len(difference))
    return int(np.sign(difference.mean())) if abs(difference.mean()) > CLEAR * error else 0


Outcomes = dict[str, dict[str, Outcome]]


def score_table(outcomes: Outcomes, problems: dict[str, Problem], value: Callable[[Outcome], float], best: Any) -> str:
    """One line per data set, the best method in bold."""
    names = list(next(iter(outcomes.values())))
    lines = ["| set | rows | columns | classes | " + " | ".join(names) + " |", "|---" * 4 + "|---:" * len(names) + "|"]
    for key, by_method in outcomes.items():
        problem = problems[key]
        values = [round(value(by_method[name]), 3) for name in names]
        top = best(one for one in values if not np.isnan(one))
        cells = ["failed" if np.isnan(one) else f"**{one:.3f}**" if one == top else f"{one:.3f}" for one in values]
        shape = f"{len(problem.y)} | {problem.codes.shape[1]} | {len(np.unique(problem.y))}"
        lines.append(f"| {key} | {shape} | {' | '.join(cells)} |")
    whole = [by_method for by_method in outcomes.values() if not any(one.failure for one in by_method.values())]
    means = [np.mean([value(by_method[name]) for by_method in whole]) for name in names]
    lines.append("| **mean** | | | | " + " | ".join(f"{mean:.3f}" for mean in means) + " |")
    return "\n".join(lines)


def time_table(outcomes: Outcomes) -> str:
    """Seconds for each data set."""
    names = list(next(iter(outcomes.values())))
    lines = ["| set | " + " | ".join(names) + " |", "|---" + "|---:" * len(names) + "|"]
    for key, by_method in outcomes.items():
        cells = ["–" if by_method[name].failure else f"{by_method[name].seconds:.2f}" for name in names]
        lines.append(f"| {key} | {' | '.join(cells)} |")
    totals = [np.nansum([by_method[name].seconds for by_method in outcomes.values()]) for name in names]
    lines.append("| **all** | " + " | ".join(f"{total:.1f}" for total in totals) + " |")
    return "\n".join(lines)


def verdict_table(outcomes: Outcomes) -> str:
    """How often we are clearly better and clearly worse than each other method, and where we lose."""
    lines = ["| against | measure | better | no clear difference | worse | worse on |", "|---|---|---:|---:|---:|---|"]
    for name in [name for name in next(iter(outcomes.values())) if name != OURS]:
        for measure in ("accuracy", "log-loss"):
            signs = {}
            for key, by_method in outcomes.items():
                ours, theirs = by_method[OURS], by_method[name]
                if theirs.failure:
                    continue
                if measure == "accuracy":
                    signs[key] = clear_difference(ours.correct, theirs.correct)
                else:
                    signs[key] = -clear_difference(ours.losses, theirs.losses)
            counts = [list(signs.values()).count(sign) for sign in (1, 0, -1)]
            lost = ", ".join(key for key, sign in signs.items() if sign == -1) or "–"
            lines.append(f"| {name} | {measure} | {counts[0]} | {counts[1]} | {counts[2]} | {lost} |")
    return "\n".join(lines)


def failure_lines(outcomes: Outcomes) -> str:
    """The failures, if any."""
    lines = [
        f"- {name} on {key}: {outcome.failure}"
        for key, by_method in outcomes.items()
        for name, outcome in by_method.items()
        if outcome.failure
    ]
    return "\n".join(lines) if lines else "None."


def page(outcomes: Outcomes, problems: dict[str, Problem], n_folds: int) -> str:
    """The page of the documentation."""
    versions = [f"qnml {qnml.__version__}", f"scikit-learn {metadata.version('scikit-learn')}"]
    has_pyagrum = any(name.startswith("pyAgrum") for name in next(iter(outcomes.values())))
    versions.append(f"pyAgrum {metadata.version('pyagrum')}" if has_pyagrum else "pyAgrum not installed, left out")
    return f"""# Classification compared with other programs

Written by `benchmarks/classification.py` on {datetime.date.today():%Y-%m-%d}; do not edit. {", ".join(versions)}.

The data sets are the UCI sets of Silander et al. (2018) as discretized by the authors, without identifiers and constant
columns. Each row is predicted by a model that has not seen it, in {n_folds}-fold stratified cross-validation with the
same folds for every method. All methods use their default settings, with one exception described below: **qnml** is
`BayesNetClassifier()` (optimal structure under qNML, sNML parameters), **qnml TAN** is
`BayesNetClassifier(shape="tan")` (the best tree-augmented classifier), **naive Bayes** is scikit-learn's
`CategoricalNB`, **boosting** its `HistGradientBoostingClassifier` with all columns declared categorical, and
**pyAgrum** its `BNClassifier` (MIIC is its default, TAN the tree-augmented naive Bayes). Every method knows the
declared levels of the columns, except boosting, which handles new levels in its own way.

The exception is a default of pyAgrum. For two classes it chooses a threshold on the ROC curve and distorts its
probabilities accordingly, which worsens accuracy and log-loss, the two measures used here. Its threshold is set to 0.5,
where it returns the posterior of its network; its times still include choosing the threshold.

The network is learned for the joint distribution of all columns, without knowing which one is the class. Methods that
model the class alone, such as boosting, have an advantage where the class depends on many columns at once.

## Wins and losses

Number of data sets on which the paired difference over all rows exceeds {CLEAR:g} standard errors, in either direction,
and of those without a clear difference. One in twenty such differences is expected by chance, and there are many here.

{verdict_table(outcomes)}

## Accuracy

Share of rows whose most probable class is correct; higher is better.

{score_table(outcomes, problems, lambda outcome: float(outcome.correct.mean()), max)}

## Log-loss

Mean of −log(probability of the correct class), in nats; lower is better. Probabilities below {LEAST_PROBABILITY:g} are
set to that value, for every method.

{score_table(outcomes, problems, lambda outcome: float(outcome.losses.mean()), min)}

## Seconds

Learning and predicting over all {n_folds} folds, one thread, all methods in the same run on the same machine. Only the
ratios carry over to other machines, and below a second even they are rough.

{time_table(outcomes)}

## Failures

Data sets on which a method failed are excluded from the means.

{failure_lines(outcomes)}
"""


def main() -> int:
    """Run everything; exit code 1 if our own classifier failed on a data set."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--sets", help="names separated by commas; all by default")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, help="file to write the page to")
    options = parser.parse_args()
    every = [name.removeprefix("uci/") for name in qnml.datasets.names() if name.startswith("uci/")]
    chosen = options.sets.split(",") if options.sets else every
    known = methods()
    outcomes: Outcomes = {}
    problems: dict[str, Problem] = {}
    warm_up(known)
    for name in chosen:
        problems[name] = problem = load(name)
        splitter = StratifiedKFold(options.folds, shuffle=True, random_state=options.seed)
        with warnings.catch_warnings():
            # classes with fewer members than folds, and over-full families, are part of the problem
            warnings.simplefilter("ignore")
            folds = list(splitter.split(problem.codes, problem.y))
            with threadpool_limits(1):
                outcomes[name] = {method: run(problem, predict, folds) for method, predict in known.items()}
        shown = [f"{method} {one.correct.mean():.3f} ({one.seconds:.1f} s)" for method, one in outcomes[name].items()]
        print(f"{name}: accuracy {', '.join(shown)}", flush=True)
    text = page(outcomes, problems, options.folds)
    if options.output:
        options.output.write_text(text, encoding="utf-8")
    else:
        print(text)
    return 1 if any(by_method[OURS].failure for by_method in outcomes.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
