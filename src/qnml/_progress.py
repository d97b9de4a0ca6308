"""Progress bars on standard error: one fed with stages and shares, one that counts.

Rich is imported with the first bar: calls without one do not wait for it.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["counting_bar", "progress_bar"]

_LINE_SECONDS = 60.0


@contextmanager
def progress_bar() -> Iterator[Callable[[str, float], None]]:
    """Yield a function (stage, share done) that moves the bar; the bar vanishes at the end."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

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


@contextmanager
def counting_bar(unit: str) -> Iterator[Callable[[int, int, float | None], None]]:
    """Yield a function (done, total, seconds left or None) that moves a bar with counts, the rate and a forecast.

    Without a terminal it prints a line from time to time instead, so that the log of a long run shows progress.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn
    from rich.text import Text

    console = Console(stderr=True, highlight=False)
    started = time.monotonic()
    if not console.is_terminal:
        next_line = started + _LINE_SECONDS

        def tell(done: int, total: int, seconds_left: float | None) -> None:
            nonlocal next_line
            now = time.monotonic()
            if now >= next_line:
                next_line = now + _LINE_SECONDS
                console.print(Text(_counted(done, total, unit, now - started, seconds_left)), soft_wrap=True)

        yield tell
        return
    columns = (BarColumn(bar_width=24), TextColumn("{task.fields[told]}"))
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None, told="starting")

        def move(done: int, total: int, seconds_left: float | None) -> None:
            told = _counted(done, total, unit, time.monotonic() - started, seconds_left)
            bar.update(task, completed=done, total=max(total, 1), told=told)

        yield move


def _counted(done: int, total: int, unit: str, seconds: float, seconds_left: float | None) -> str:
    rate = f"{done / seconds:,.0f} per second" if seconds > 0 else ""
    left = "time left not known yet" if seconds_left is None else f"about {_span(seconds_left)} left"
    return f"{done:,} of {total:,} {unit}, {rate}, {_span(seconds)} so far, {left}"


def _span(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole} s" if whole < 120 else f"{whole // 60} min" if whole < 7200 else f"{whole / 3600:.1f} h"
