"""A progress bar on standard error, fed with the stage and the share of it that is done."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["progress_bar"]


@contextmanager
def progress_bar() -> Iterator[Callable[[str, float], None]]:
    """Yield a function (stage, share done) that moves the bar; the bar vanishes at the end."""
    columns = (
        TextColumn("{task.description:<14}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("first answer", total=1.0)

        def watch(stage: str, share: float) -> None:
            bar.update(task, description=stage, completed=min(share, 1.0))

        yield watch
