"""What a search may claim about its answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Certificate"]


@dataclass(frozen=True)
class Certificate:
    """How good the network is, what was done to know it, and what it cost.

    Attributes
    ----------
    optimal : whether no admitted network scores more, by more than 1e-9 of the score: proven, not hoped.
    score : score of the network, in nats.
    bound : no admitted network scores more than this. Equals `score` when optimal.
    ties : whether networks of another equivalence class score the same, within 1e-9 of the score; None when not
        examined.
    tie_rule : how the winner was chosen among networks of equal score.
    method : ``"lattice"`` (all sets of variables counted) or ``"families"`` (only the admitted families counted).
    stop_reason : None, ``"time limit"``, ``"interrupted"`` or ``"memory limit"``.
    families_scored : families whose score was computed.
    families_pruned : families left out because a subset of the parents scores at least as much.
    candidates : families that entered the search over orders.
    states : sets of variables visited by the search over orders.
    visits : rows visited by the lattice walk.
    seconds : wall-clock time per stage.
    peak_memory : highest memory use of the process so far, in bytes.
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

    @property
    def gap(self) -> float:
        """How much a better network could gain at most, in nats; 0 when optimal."""
        return self.bound - self.score

    @property
    def total_seconds(self) -> float:
        """Wall-clock time of all stages."""
        return sum(self.seconds.values())

    def sentence(self) -> str:
        """The certificate in words."""
        took = f"{self.total_seconds:.2g} s, {self.families_scored:,} families scored"
        if not self.optimal:
            why = {"interrupted": "interrupted", None: "stopped early"}.get(
                self.stop_reason, f"{self.stop_reason} reached"
            )
            return (
                f"Not proven optimal ({why}): no network scores more than {self.bound:.2f}, "
                f"{self.gap:.2f} nats above this one ({took})."
            )
        if self.ties:
            chosen = {
                "canonical": "this one has the fewest parameters, then the fewest arcs, then comes first by name",
                "larger": "this one has the most parameters",
                "random": "this one was drawn at random",
            }[self.tie_rule]
            return f"Proven optimal; other networks score the same, and {chosen} ({took})."
        if self.ties is None:
            return f"Proven optimal; whether others score the same was not examined ({took})."
        return f"Proven optimal: no other network, up to equivalence, scores as much ({took})."
