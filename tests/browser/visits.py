"""An open page in the browser of the tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Visit"]


class Visit:
    """An open page, with everything it asked for and complained of."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self, path: Path, fragment: str = "") -> Any:
        """Open a file, with a fragment of its address."""
        self.page.goto(path.resolve().as_uri() + fragment)
        return self.page
