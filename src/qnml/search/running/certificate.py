"""Certificates: what a search has proven about its network."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from qnml._html import paragraph

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["GIVEN_UP", "SEARCHES", "Certificate"]

# Why ``method="auto"`` has no proof although it began an exact search.
GIVEN_UP = "exact search given up"

# Descriptions of the searches that look for a good network first and for a proof afterwards.
SEARCHES = {
    "ges": "a greedy search over equivalence classes",
    "hill-climbing": "hill climbing with a tabu list",
    "order": "a search over orders of the variables",
}
# A bound is worth reading if its gap is at most this share of what the network gains over the one without arcs.
_WORTH_READING = 0.1


@dataclass(frozen=True)
class Certificate:
    """How good the network is, how that was established, and at what cost.

    Attributes
    ----------
    optimal : whether it is proven that no admitted network scores higher by more than 1e-9 of the score.
    score : score of the network, in nats.
    bound : upper bound on the score of every admitted network. Equals `score` if optimal.
    ties : whether networks of another equivalence class have the same score, within 1e-9 of it; None if not
        examined.
    tie_rule : how the winner was chosen among networks of equal score.
    method : ``"lattice"`` (all sets of variables counted) or ``"families"`` (only the admitted families counted), which
        prove their result; ``"order"``, ``"hill-climbing"`` or ``"ges"``, which look for a proof afterwards and may
        have none; ``"tree"``, ``"forest"`` or ``"tan"``, which prove theirs among the networks of this shape.
    stop_reason : None, ``"time limit"``, ``"interrupted"``, ``"memory limit"``, ``"work limit"`` (a stage of
        the search scored as many families as `effort` allows; ``effort="thorough"`` has no such limit) or
        ``"exact search given up"`` (``method="auto"`` began one after the search named by `method`, and it far exceeded
        its forecast).
    families_scored : number of families scored; for ``"order"`` and ``"hill-climbing"``, sets of variables counted.
    families_pruned : number of families left out because a subset of the parents scores at least as high.
    candidates : number of families that entered the order search; for ``"order"`` and ``"hill-climbing"``, arcs to
        choose from.
    states : number of sets of variables visited by the order search.
    visits : rows visited by the lattice walk.
    seconds : wall-clock time per stage.
    peak_memory : highest memory use of the process so far, in bytes.
    trace : for ``"order"`` and ``"hill-climbing"``, the seconds at which each better network was found, and its score.
    n_proven : number of variables whose parents are proven to be those of a network with the highest score: all if
        optimal; otherwise those in parts of the network that could be solved on their own.
    empty : score of the network without arcs, in nats; None where it was not needed or not computed.
    most_parents : the network is proven optimal among admitted networks in which no variable has more parents than
        this; None if there is no such limit, or no such proof. If `optimal`, it is the limit that was asked for;
        otherwise a second proof was made under it.
    among : the networks that `optimal` and `bound` speak of, in the plural, where these are not all admitted networks:
        ``"trees"``, say; otherwise empty.
    """

    optimal: bool
    score: float
    bound: float
    ties: bool | None
    tie_rule: str
    method: str
    stop_reason: str | None
    families_scored: int
    families_pruned: int
    candidates: int
    states: int
    visits: int
    seconds: Mapping[str, float] = field(default_factory=dict)
    peak_memory: int = 0
    trace: tuple[tuple[float, float], ...] = ()
    n_proven: int = 0
    among: str = ""
    empty: float | None = None
    most_parents: int | None = None

    @property
    def gap(self) -> float:
        """Upper bound on how much higher another network can score, in nats; 0 if optimal."""
        return self.bound - self.score

    @property
    def gap_share(self) -> float | None:
        """The gap as a share of what the network gains over the one without arcs; None if that is unknown or zero."""
        if self.optimal:
            return 0.0
        gain = 0.0 if self.empty is None else self.score - self.empty
        return self.gap / gain if gain > 0.0 else None

    @property
    def is_bound_worth_reading(self) -> bool:
        """Whether the gap is at most a tenth of what the network gains over the one without arcs, else not printed."""
        return self.gap_share is not None and self.gap_share <= _WORTH_READING

    @property
    def total_seconds(self) -> float:
        """Wall-clock time of all stages."""
        return sum(self.seconds.values())

    def __repr__(self) -> str:
        proven = "proven optimal" if self.optimal else "not proven"
        if self.most_parents is not None:
            proven = f"proven optimal among at most {self.most_parents} parents"
        if not self.optimal and self.is_bound_worth_reading:
            proven += f", gap {self.gap:.4g}"
        return f"Certificate({proven}, score {self.score:.4f}, method={self.method!r}, {self.total_seconds:.2g} s)"

    def _repr_html_(self) -> str:
        return paragraph(self.sentence())

    def sentence(self) -> str:
        """The certificate in words."""
        if self.method in SEARCHES:
            return self._of_search()
        took = f"{self.total_seconds:.2g} s, {self.families_scored:,} families scored"
        if self.among:
            return f"Proven optimal among {self.among}: none of them scores more ({took})."
        if not self.optimal:
            why = {"interrupted": "interrupted", None: "stopped early"}.get(
                self.stop_reason, f"{self.stop_reason} reached"
            )
            return f"Not proven optimal ({why}): the best found in {took}.{self._bound()}"
        proven = f"Proven optimal{self._limited()}"
        if self.ties:
            chosen = {
                "canonical": "this one has the fewest parameters, then the fewest arcs, then comes first by name",
                "larger": "this one has the most parameters",
                "random": "this one was drawn at random",
            }[self.tie_rule]
            return f"{proven}; other networks score the same, and {chosen} ({took})."
        if self.ties is None:
            return f"{proven}; whether others score the same was not examined ({took})."
        return f"{proven}: no other network, up to equivalence, scores as much ({took})."

    def _limited(self) -> str:
        if self.most_parents is None:
            return ""
        return f" among networks with at most {self.most_parents} parent{'' if self.most_parents == 1 else 's'} each"

    def _bound(self) -> str:
        """The bound in words, if it is worth reading."""
        if not self.is_bound_worth_reading or self.gap_share is None:
            return ""
        return (
            f" No network scores more than {self.bound:.2f}, {self.gap:.2f} nats above this one: "
            f"{100.0 * self.gap_share:.2g} % of what it gains over the network without arcs."
        )

    def _of_search(self) -> str:
        if self.optimal:
            return (
                f"Proven optimal{self._limited()}: found by {SEARCHES[self.method]}, and no network scores more; "
                f"whether others score the same was not examined ({self.total_seconds:.2g} s, "
                f"{self.families_scored:,} sets of variables counted)."
            )
        cut_short = "" if self.stop_reason is None else f", {self.stop_reason}"
        reached = " reached" if self.stop_reason is not None and self.stop_reason.endswith("limit") else ""
        last = f", the last improvement at {self.trace[-1][0]:.2g} s" if len(self.trace) > 1 else ""
        parts = f" The parents of {self.n_proven} variables are proven optimal." if self.n_proven else ""
        known = "Not proven optimal" if self.most_parents is None else f"Proven optimal{self._limited()}, not among all"
        return (
            f"{known}: the best that {SEARCHES[self.method]} found in {self.total_seconds:.2g} s "
            f"({self.families_scored:,} sets of variables counted{last}{cut_short}{reached})."
            f"{self._bound()}{parts}{self._advice()}"
        )

    def _advice(self) -> str:
        if self.stop_reason == "work limit":
            return " effort='thorough' lifts the limit on work; give a time_limit with it."
        if self.stop_reason == GIVEN_UP:
            return (
                f" An exact search was given up after {self.seconds.get('exact search', 0.0):.2g} s: it far exceeded "
                f"its forecast. effort='thorough' lets it continue as long as memory lasts."
            )
        return ""
