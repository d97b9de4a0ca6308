"""The work behind a served page: answers for networks of any size, and learning again with other knowledge."""

from __future__ import annotations

import ctypes
import threading
import time
from typing import TYPE_CHECKING, Any

import qnml
from qnml.errors import InputError, QnmlError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from qnml.reports.web import ReportPage

__all__ = ["Session"]

_MOST_SECONDS = 3600.0
_MOST_SECONDS_TO_STOP = 20.0


class Session:
    """A page, the knowledge with which its network was learned, and a way to learn it again.

    Parameters
    ----------
    page
        The first page.
    learn
        Makes a page with a network learned with other knowledge, from it and a time limit; None if the network came
        without data.
    knowledge
        What is known at the beginning.
    """

    def __init__(
        self,
        page: ReportPage,
        learn: Callable[[qnml.Knowledge, float], ReportPage] | None = None,
        knowledge: qnml.Knowledge | None = None,
    ) -> None:
        self._page = page
        self._learn = learn
        self.knowledge = knowledge or qnml.Knowledge()
        self._lists = {part: [list(arc) for arc in getattr(self.knowledge, part)] for part in ("required", "forbidden")}
        self._work: threading.Thread | None = None
        self._began = self._seconds = 0.0
        self._failure: str | None = None
        self._number = 0
        self._lock = threading.Lock()

    @property
    def html(self) -> str:
        """The page as it is now."""
        return self._page.served({"canLearn": self._learn is not None, "number": self._number, **self._lists})

    @property
    def lists(self) -> dict[str, Any]:
        """The knowledge with the lists of arcs as they stand in the page, perhaps not learned with yet."""
        found = {**self.knowledge.to_dict(), **self._lists}
        return {part: known for part, known in found.items() if known}

    def keep(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Keep the lists of arcs of the page, for the time when it is opened again, and for the end.

        Parameters
        ----------
        body
            Lists of arcs, ``required`` and ``forbidden``.
        """
        self._lists = {part: [list(arc) for arc in _arcs(body, part)] for part in ("required", "forbidden")}
        return {}

    def answer(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """All marginals under evidence and interventions, with their range over the members of the class.

        Parameters
        ----------
        body
            Levels by variable: ``evidence`` and ``do``.
        """
        net = self._page.contents.network
        evidence, settings = (_levels(body, part, net) for part in ("evidence", "do"))
        found = net.class_marginals(evidence, settings)
        rows = [[[float(p) for p in one[name].values] for name in net.names] for one in found]
        return {
            "marginals": rows[0],
            "low": _extremes(min, rows),
            "high": _extremes(max, rows),
            "logProbability": None if settings else float(found[0].log_evidence),
        }

    def learn(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Begin to learn with other knowledge; `progress` says when it is done.

        Parameters
        ----------
        body
            Lists of arcs, ``required`` and ``forbidden``, and ``seconds``, the time limit.
        """
        if self._learn is None:
            raise InputError("show: the network came without data, so it cannot be learned again.")
        seconds = body.get("seconds", 60)
        if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not 0 < seconds <= _MOST_SECONDS:
            raise InputError(f"show: the time limit must be from 0 to {_MOST_SECONDS:g} seconds.")
        known = self.knowledge
        rest = known.to_dict()
        rest.update(required=_arcs(body, "required"), forbidden=_arcs(body, "forbidden"))
        wanted = qnml.Knowledge(**rest)
        wanted.compile(self._page.contents.network.names)
        self.keep(body)
        with self._lock:
            if self._work is not None and self._work.is_alive():
                raise InputError("show: a search is running already; wait for it.")
            self._failure, self._seconds, self._began = None, float(seconds), time.monotonic()
            self._work = threading.Thread(target=self._run, args=(wanted, float(seconds)), daemon=True)
            self._work.start()
        return self.progress()

    def _run(self, wanted: qnml.Knowledge, seconds: float) -> None:
        assert self._learn is not None
        try:
            page = self._learn(wanted, seconds)
        except QnmlError as error:
            self._failure = str(error)
            return
        except KeyboardInterrupt:  # from `stop`
            self._failure = "Stopped: the network is still the one from before."
            return
        self._page, self.knowledge = page, wanted
        self._number += 1

    def stop(self) -> dict[str, Any]:
        """Tell a running search to stop, as Ctrl-C does: a part that has found something keeps it."""
        work = self._work
        if work is not None and work.is_alive():
            # Signals reach the main thread only; this raises the same exception in the other one.
            thread = ctypes.c_ulong(work.ident or 0)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(KeyboardInterrupt))
        return self.progress()

    def end(self) -> None:
        """Stop what is running, and wait until it has stopped: the interpreter must not end while the core works."""
        deadline = time.monotonic() + _MOST_SECONDS_TO_STOP
        while self._work is not None and self._work.is_alive() and time.monotonic() < deadline:
            self.stop()
            self._work.join(0.1)

    def progress(self) -> dict[str, Any]:
        """Whether a search is running, for how long, and what became of the last one."""
        is_running = self._work is not None and self._work.is_alive()
        return {
            "running": is_running,
            "elapsed": time.monotonic() - self._began if is_running else 0.0,
            "seconds": self._seconds,
            "failure": self._failure,
            "number": self._number,
        }


def _extremes(pick: Callable[[tuple[float, ...]], float], found: list[list[list[float]]]) -> list[list[float]]:
    return [[pick(of_level) for of_level in zip(*rows, strict=True)] for rows in zip(*found, strict=True)]


def _levels(body: Mapping[str, Any], part: str, net: qnml.Network) -> dict[str, Any]:
    given = body.get(part, {})
    if not isinstance(given, dict) or not all(isinstance(level, str) for level in given.values()):
        raise InputError(f"show: {part} must be levels by variable.")
    # The page knows levels by their text.
    found = {}
    for name, text in given.items():
        by_text = {str(level): level for level in net.levels.get(name, ())}
        if text not in by_text:
            raise InputError(f"show: {part}: there is no variable {name!r} with a level {text!r}.")
        found[name] = by_text[text]
    return found


def _arcs(body: Mapping[str, Any], part: str) -> list[tuple[str, str]]:
    given = body.get(part, [])
    is_list = isinstance(given, list) and all(isinstance(arc, list) and len(arc) == 2 for arc in given)
    if not is_list or not all(isinstance(name, str) for arc in given for name in arc):
        raise InputError(f"show: {part} must be a list of pairs of names.")
    return [(parent, child) for parent, child in given]
