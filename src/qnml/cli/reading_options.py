"""The options of all commands that read a data file, in one bundle."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from typing import Annotated, Any

import typer

from qnml.data import FileOptions

__all__ = ["ReadingOptions", "reading_command"]


@dataclass(frozen=True)
class ReadingOptions:
    """How the data file is to be read, as given; a new option is a field here and in `qnml.data.FileOptions`."""

    separator: Annotated[
        str | None,
        typer.Option(
            "--separator",
            metavar="MARK",
            help="What separates the cells of a text file: one character, or comma, semicolon, tab, pipe or space (any "
            "run of blanks). Guessed by default.",
        ),
    ] = None
    decimal: Annotated[
        str | None,
        typer.Option("--decimal", metavar=".|,", help="Decimal sign of a text file; guessed by default."),
    ] = None
    missing_words: Annotated[
        list[str] | None,
        typer.Option(
            "--missing-words",
            metavar="WORD,WORD,…",
            help="Words that stand for missing cells, besides the empty cell. By default ?, NA, N/A, n/a, "
            "#N/A, <NA>, NaN, nan, null and NULL.",
        ),
    ] = None
    sheet: Annotated[
        str | None,
        typer.Option("--sheet", metavar="NAME|N", help="Sheet of an Excel file, by name or number; the first one."),
    ] = None
    encoding: Annotated[
        str | None,
        typer.Option(
            "--encoding",
            metavar="NAME",
            help="Encoding of a text file, such as cp1252; by default UTF-8, or UTF-16 with a byte-order mark.",
        ),
    ] = None
    no_header: Annotated[
        bool,
        typer.Option("--no-header", help="The first line is no header; the columns are named X1, X2, …."),
    ] = False

    sql: Annotated[
        str | None,
        typer.Option(
            "--sql",
            metavar="SELECT",
            help="What to read from a database: a DuckDB file, or postgresql://…. Of Parquet files it reads the table "
            "'data'.",
        ),
    ] = None

    def file_options(self) -> FileOptions:
        """The options as the library takes them, checked."""
        words = None
        if self.missing_words is not None:
            words = [word for text in self.missing_words for word in text.split(",")]
        return FileOptions(self.separator, self.decimal, words, self.sheet, self.encoding, not self.no_header)


def reading_command(command: Callable[..., None]) -> Callable[..., None]:
    """Create a command from a function with a parameter `file`, a `ReadingOptions`.

    typer reads the options of a command from its signature. The signature created here has one parameter for each
    option in place of `file`.
    """
    shared = [
        inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, annotation=one.type, default=one.default)
        for one in fields(ReadingOptions)
    ]
    own: list[inspect.Parameter] = []
    for name, one in inspect.signature(command).parameters.items():
        own += shared if name == "file" else [one.replace(kind=inspect.Parameter.KEYWORD_ONLY)]
    signature = inspect.Signature(own)

    @wraps(command)
    def expanded(**given: Any) -> None:
        command(file=ReadingOptions(**{one.name: given.pop(one.name) for one in shared}), **given)

    expanded.__signature__ = signature  # type: ignore[attr-defined]
    expanded.__annotations__ = {name: one.annotation for name, one in signature.parameters.items()}
    return expanded
