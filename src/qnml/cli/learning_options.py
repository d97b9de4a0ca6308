"""The options that all learning commands share: ``learn``, ``posterior``, ``bootstrap`` and ``k-best``.

A new option for all of them is a field of `LearningOptions`, and an entry in `arguments` if the library takes it.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cached_property, wraps
from typing import Annotated, Any

import typer

import qnml
from qnml.cli.options import (
    AsJson,
    AskedScore,
    Bins,
    ColumnWishes,
    DataSource,
    Discretize,
    Guard,
    InterventionColumn,
    Jobs,
    KnowledgeFile,
    Levels,
    MaxParents,
    MemoryLimit,
    Missing,
    OneScore,
    Prepare,
    Prior,
    Quiet,
    WeightColumn,
    in_bytes,
    one_score,
    parsed_columns,
    parsed_levels,
    wants_progress,
)
from qnml.cli.read_data import read_data
from qnml.cli.reading_options import ReadingOptions, reading_command
from qnml.errors import InputError

__all__ = ["LearningOptions", "learning_command", "time_limit"]

# These come first and last in the help text; the others take the position of `options` in the command.
_FIRST, _LAST = ("data", "score"), ("quiet", "as_json")


def time_limit(text: str) -> Any:
    """Return the option ``--time``, with a help text that says what is returned after it."""
    return Annotated[float | None, typer.Option("--time", metavar="SECONDS", help=text)]


@dataclass(frozen=True)
class LearningOptions:
    """The shared options as given, and the library arguments made from them.

    Attributes
    ----------
    data : the file with the table.
    score : the score, with its parameter after a colon.
    prior : the prior over structures.
    max_parents, guard, knowledge : restrictions on the structures.
    time, memory, jobs : limits in seconds and gigabytes, and the number of threads.
    prepare, column, missing, levels, weights, interventions, discretize, bins : how the table is read and prepared.
    file : how its file is read.
    quiet, as_json : how the result is shown.
    """

    data: DataSource
    score: OneScore = "qnml"
    prior: Prior = "auto"
    max_parents: MaxParents = None
    guard: Guard = "warn"
    knowledge: KnowledgeFile = None
    time: time_limit("Stop after this time with what was found so far.") = None  # type: ignore[valid-type]
    memory: MemoryLimit = None
    jobs: Jobs = None
    prepare: Prepare = "auto"
    column: ColumnWishes = None
    missing: Missing = None
    levels: Levels = None
    weights: WeightColumn = None
    interventions: InterventionColumn = None
    discretize: Discretize = None
    bins: Bins = 3
    file: ReadingOptions = field(default_factory=ReadingOptions)
    quiet: Quiet = False
    as_json: AsJson = False

    @cached_property
    def asked(self) -> AskedScore:
        """The score and its parameter."""
        return one_score(self.score)

    @cached_property
    def known(self) -> qnml.Knowledge | None:
        """The background knowledge, read from its file."""
        return None if self.knowledge is None else qnml.Knowledge.from_file(self.knowledge)

    def table(self, *, estimates_missing: bool = False) -> qnml.Table:
        """Read and prepare the table; the score and the knowledge are checked first, because that is quick.

        Parameters
        ----------
        estimates_missing
            Whether the command estimates missing cells: then they stay missing by default, if the score admits it.
        """
        _ = self.asked, self.known
        return read_data(
            self.data,
            self.file,
            prepare=self.prepare,
            columns=parsed_columns(self.column or []),
            levels=parsed_levels(self.levels or []),
            missing=self._policy(estimates_missing=estimates_missing),
            weights=self.weights,
            interventions=self.interventions,
            discretize=None if self.discretize == "joint" else self.discretize,
            bins=self.bins,
            memory=self.memory,
        )

    def local_scores(self) -> qnml.LocalScores | None:
        """The local scores, if the data are a JKL file of them; options for reading tables are then refused."""
        if not self.data.lower().endswith(".jkl"):
            return None
        defaults = LearningOptions(self.data)
        of_tables = ("prepare", "column", "missing", "levels", "weights", "interventions", "discretize", "bins")
        wrong = [f"--{name}" for name in of_tables if getattr(self, name) != getattr(defaults, name)]
        if self.file != defaults.file:
            wrong.append("the options that say how a table is read")
        if wrong:
            raise InputError(f"{self.data} holds local scores and no table: leave out {', '.join(wrong)}.")
        return qnml.read_local_scores(self.data)

    @property
    def bins_jointly(self) -> bool:
        """Whether the bins are to be learned with the network: as asked, or by default where the score admits it."""
        if self.discretize is not None or self.prepare != "auto":
            return self.discretize == "joint"
        return self.asked.score.price_ignores_counts and self.asked.score.has_price_of_levels

    def _policy(self, *, estimates_missing: bool) -> str:
        """What is done about missing cells."""
        if self.missing is None and self.prepare == "auto":
            return "em" if estimates_missing and self.asked.score.price_ignores_counts else "category"
        if self.missing in ("em", "indicator") and not estimates_missing:
            raise InputError(
                f"--missing {self.missing}: only 'qnml learn' estimates missing cells. Use --missing category or drop."
            )
        return self.missing or "raise"

    def arguments(self) -> dict[str, Any]:
        """Return the keyword arguments of every learning call and of `qnml.plan`."""
        return {
            "score": self.asked.score.name,
            "prior": self.prior,
            "knowledge": self.known,
            "max_parents": self.max_parents,
            "guard": self.guard,
            "memory_limit": in_bytes(self.memory),
            "n_jobs": self.jobs,
            **self.asked.given,
        }

    def running(self) -> dict[str, Any]:
        """Return the keyword arguments of every learning call that `qnml.plan` does not take."""
        return {"time_limit": self.time, "progress": wants_progress(quiet=self.quiet, as_json=self.as_json)}


def learning_command(**changed: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Create a command from a function with its own options and `options`, a `LearningOptions`.

    typer reads the options of a command from its signature. The signature created here has one parameter for each
    shared option in place of `options`.

    Parameters
    ----------
    **changed
        Shared options that this command describes differently: an annotation, or an annotation and a default.
    """

    def expand(command: Callable[..., None]) -> Callable[..., None]:
        shared = {field.name: _parameter(field.name, field.type, field.default) for field in fields(LearningOptions)}
        for name, change in changed.items():
            annotation, default = change if isinstance(change, tuple) else (change, shared[name].default)
            shared[name] = _parameter(name, annotation, default)
        middle = [one for name, one in shared.items() if name not in (*_FIRST, *_LAST)]
        own: list[inspect.Parameter] = []
        for name, one in inspect.signature(command).parameters.items():
            own += middle if name == "options" else [one]
        signature = inspect.Signature([*(shared[name] for name in _FIRST), *own, *(shared[name] for name in _LAST)])

        @wraps(command)
        def expanded(**given: Any) -> None:
            command(options=LearningOptions(**{name: given.pop(name) for name in shared}), **given)

        expanded.__signature__ = signature  # type: ignore[attr-defined]
        expanded.__annotations__ = {name: one.annotation for name, one in signature.parameters.items()}
        return reading_command(expanded)

    return expand


def _parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    # A dataclass marks a field without a default with a sentinel object.
    kind = inspect.Parameter.KEYWORD_ONLY
    if name == "data":
        return inspect.Parameter(name, kind, annotation=annotation)
    return inspect.Parameter(name, kind, annotation=annotation, default=default)
