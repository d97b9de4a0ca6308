"""Arguments that several commands take, and the parsing of their text."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import typer

from qnml.errors import InputError, bad_argument
from qnml.scores import Score, find_score

__all__ = [
    "AsJson",
    "AskedScore",
    "Bins",
    "ColumnWishes",
    "DataSource",
    "Discretize",
    "Effort",
    "Guard",
    "Jobs",
    "KnowledgeFile",
    "Levels",
    "MaxParents",
    "MemoryLimit",
    "Missing",
    "NetworkSource",
    "OneScore",
    "Prepare",
    "Prior",
    "Quiet",
    "SearchMethod",
    "WeightColumn",
    "in_bytes",
    "one_score",
    "parsed_columns",
    "parsed_levels",
    "parsed_numbers",
    "parsed_scores",
    "wants_progress",
]

DataSource = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="The table: .csv, .tsv or .txt (also with .gz), .xlsx, .parquet, .arrow or .vd/.idt; - is standard input. "
        "Also a folder or a quoted pattern ('data/*.parquet'), a .duckdb file or postgresql://… with --sql. "
        "'learn' and 'k-best' take local scores as well, in a .jkl file.",
    ),
]
NetworkSource = Annotated[
    str,
    typer.Argument(
        metavar="NETWORK",
        help="A network file (.bif, .json, .txt; also with .gz), the name of a bundled network such as asia (a file of "
        "that name is preferred), or a model string such as '[A][B|A]'.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of tables.")]
WeightColumn = Annotated[
    str | None,
    typer.Option("--weights", metavar="COLUMN", help="Column with the weight of each row."),
]
InterventionColumn = Annotated[
    str | None,
    typer.Option(
        "--interventions",
        metavar="COLUMN",
        help="Column that names the variables that were set in each row, joined by '|'; empty or 'none' for none. Such "
        "rows do not count for the families of these variables.",
    ),
]
OneScore = Annotated[str, typer.Option("--score", metavar="NAME", help="The score; 'qnml scores' lists them.")]
SearchMethod = Annotated[
    str,
    typer.Option(
        "--method",
        metavar="auto|exact|order|hill-climbing|ges",
        help="The search. 'exact' proves its answer; 'order', 'hill-climbing' and 'ges' (greedy equivalence search) "
        "take any number of columns and try to prove theirs afterwards; 'auto' runs 'order' ('hill-climbing' with "
        "--effort quick), then 'exact' from its network if that is forecast to take no more than about an hour.",
    ),
]
Effort = Annotated[
    str,
    typer.Option(
        "--effort",
        metavar="quick|default|thorough",
        help="How much work 'order', 'hill-climbing', 'ges' and their proofs may take.",
    ),
]
MaxParents = Annotated[
    int | None, typer.Option("--max-parents", metavar="K", help="Maximum number of parents; no limit by default.")
]
Prior = Annotated[
    str,
    typer.Option(
        "--prior",
        metavar="auto|uniform|sparse",
        help="Prior over structures: none (uniform), or a price of naming the parents of each variable, so that fewer "
        "arcs are there by chance (sparse); 'auto' is sparse for qnml and fnml beyond 30 variables.",
    ),
]
Guard = Annotated[
    str,
    typer.Option(
        "--guard",
        metavar="warn|cap|off",
        help="Families with more cells than half the rows, which the score qnml can prefer without any dependence: "
        "warn of them, exclude them (cap), or admit them silently (off).",
    ),
]
KnowledgeFile = Annotated[
    str | None,
    typer.Option(
        "--knowledge",
        metavar="FILE",
        help="Background knowledge (.toml or .json): required and forbidden arcs, tiers, limits on parents.",
    ),
]
MemoryLimit = Annotated[
    float | None,
    typer.Option("--memory", metavar="GB", help="Memory limit; work that needs more is rejected before it starts."),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", metavar="N", help="Number of threads; all cores by default. The result does not depend on it."
    ),
]
Prepare = Annotated[
    str,
    typer.Option(
        "--prepare",
        metavar="auto|strict",
        help="'auto' bins numbers and leaves out identifiers, constant columns, dates and free text, and says so; "
        "'strict' takes columns as categories and rejects all that cannot be. 'qnml info' shows what would be done.",
    ),
]
ColumnWishes = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="NAME=HOW",
        help="What to do with a column: category, bins, drop, a method such as frequency:4, or cut points such as "
        "18.5,25,30. May be given several times.",
    ),
]
Missing = Annotated[
    str | None,
    typer.Option(
        "--missing",
        metavar="em|indicator|category|drop|raise",
        help="Missing cells: estimate them by EM ('qnml learn' only), also with columns that say what is missing "
        "(indicator), make them a category, drop their rows, or reject them. By default em or else category; with "
        "--prepare strict, raise.",
    ),
]
Levels = Annotated[
    list[str] | None,
    typer.Option(
        "--levels",
        metavar="WHICH",
        help="'observed', 'declared' (by the data), or COLUMN=LABEL,LABEL,… once for each column.",
    ),
]
Discretize = Annotated[
    str | None,
    typer.Option(
        "--discretize",
        metavar="nml|paper|width|frequency",
        help="Bin the numeric columns that have many values (all under --prepare strict): "
        "'nml' by the histogram with the shortest code; 'paper' into 3 bins of equal "
        "width if a column has 7 values or more; 'width' and 'frequency' into --bins bins of equal width or about "
        "equal frequency. By default 'nml' with at most 10 bins, for the columns that --prepare auto bins.",
    ),
]
Bins = Annotated[int, typer.Option("--bins", metavar="N", help="Number of bins for --discretize.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress bar.")]

_BYTES_PER_GB = 1e9


def in_bytes(gigabytes: float | None) -> float | None:
    """Convert a memory limit to bytes."""
    if gigabytes is not None and not gigabytes > 0:
        raise InputError(f"--memory {gigabytes:g}: must be a positive number of gigabytes.")
    return None if gigabytes is None else gigabytes * _BYTES_PER_GB


def wants_progress(*, quiet: bool, as_json: bool) -> bool:
    """Return whether to show progress: standard error is a terminal, and neither --quiet nor --json is given."""
    return not (quiet or as_json) and sys.stderr.isatty()


@dataclass(frozen=True)
class AskedScore:
    """A requested score: its registry entry and the parameters given with it."""

    score: Score
    given: Mapping[str, float | str]

    @property
    def parameters(self) -> dict[str, float | str]:
        """The parameters of the score, with defaults filled in."""
        default = {} if self.score.parameter is None else {self.score.parameter.name: self.score.parameter.default}
        return {**default, **self.given}

    @property
    def label(self) -> str:
        """The name, with its parameters if there are any: ``bdeu(ess=10)``."""
        shown = ", ".join(
            f"{name}={value if isinstance(value, str) else format(value, 'g')}"
            for name, value in self.parameters.items()
        )
        return f"{self.score.name}({shown})" if shown else self.score.name


def parsed_scores(text: str) -> list[AskedScore]:
    """Read ``qnml,bic,bdeu:ess=10``."""
    return [_parsed_score(piece.strip()) for piece in text.split(",")]


def one_score(text: str) -> AskedScore:
    """Parse a single score such as ``bdeu:ess=10``."""
    asked = parsed_scores(text)
    if len(asked) != 1:
        raise InputError(f"--score {text}: one score is needed. Run the command once for each.")
    return asked[0]


def parsed_numbers(command: str, argument: str, text: str) -> list[float]:
    """Read ``100,1e6``."""
    try:
        return [float(piece) for piece in text.split(",")]
    except ValueError:
        allowed = "a number such as 100 or 1e6, or several separated by commas"
        raise bad_argument(command, argument, text, allowed) from None


def parsed_levels(texts: list[str]) -> str | dict[str, list[str]] | None:
    """Parse ``observed``, ``declared``, or any number of ``column=label,label``; None if there are none."""
    if not texts:
        return None
    words = [text for text in texts if "=" not in text]
    if words and len(texts) > 1:
        raise InputError(f"--levels {words[0]}: cannot be combined with another --levels. Give it alone.")
    if words:
        return words[0]
    levels: dict[str, list[str]] = {}
    for text in texts:
        column, _, labels = text.partition("=")
        if column in levels:
            raise InputError(f"--levels {text}: the levels of column {column!r} are given twice. Give them once.")
        levels[column] = labels.split(",")
    return levels


def parsed_columns(texts: list[str]) -> dict[str, str | list[float]] | None:
    """Parse any number of ``column=how``; None if there are none. Numbers separated by commas are cut points."""
    if not texts:
        return None
    columns: dict[str, str | list[float]] = {}
    for text in texts:
        column, equals, how = text.rpartition("=")
        if not equals or not column or not how:
            raise InputError(f"--column {text}: must be NAME=HOW, as in --column age=bins or --column bmi=18.5,25,30.")
        if column in columns:
            raise InputError(f"--column {text}: column {column!r} is given twice. Give it once.")
        try:
            columns[column] = [float(piece) for piece in how.split(",")]
        except ValueError:
            columns[column] = how
    return columns


def _parsed_score(text: str) -> AskedScore:
    name, _, rest = text.partition(":")
    score = find_score("score", name)
    known = next(iter(score.parameter_names), None)
    example = "szpankowski" if score.parameter is None else format(score.parameter.default, "g")
    given: dict[str, float | str] = {}
    for piece in rest.split(":") if rest else []:
        key, equals, value = piece.partition("=")
        if not equals or key != known or key in given:
            allowed = f"takes {known}, as in {name}:{known}={example}" if known is not None else "takes no parameter"
            raise InputError(f"--score {text}: the score '{name}' {allowed}.")
        given[key] = _number_or_word(value)
    return AskedScore(score, given)


def _number_or_word(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
