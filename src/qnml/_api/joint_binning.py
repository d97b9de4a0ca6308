"""`JointBinning`: what is known about bins that were learned together with a network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from qnml._api.clock import seconds_said

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["JointBinning"]


@dataclass(frozen=True)
class JointBinning:
    """The bins that were learned together with a network, and the length of the code they shorten; all in nats.

    Attributes
    ----------
    code_length : float
        What was minimised: `network` + `positions` + `choices`. Widths are in the units of the columns, so only
        differences mean something.
    network : float
        Minus the score of the network on the binned table, and minus its log prior.
    positions : float
        Code length of the positions of the numbers within their bins.
    choices : float
        Code length of the choice of the cuts.
    separate : float
        The code length of the NML histogram of each column by itself, with the best network for these bins.
    starts : tuple of pairs
        The code length that alternating reached from each start: ``"nml"``, the bins of each column by itself, and
        ``"frequency"``, eight bins of equal counts.
    cuts : mapping of tuples
        The cuts of each binned column.
    trace : tuple of pairs
        From the better start, what was chosen, ``"network"`` or ``"bins"``, and the code length then. It never rises.
    is_settled : bool
        Whether no network found, and no other bins of a single column, shorten the code; False after a time limit or
        Ctrl-C.
    seconds : float
        Wall-clock time of everything. The times in the certificate are those of the last search for a network.
    """

    code_length: float
    network: float
    positions: float
    choices: float
    separate: float
    starts: tuple[tuple[str, float], ...]
    cuts: Mapping[str, tuple[float, ...]]
    trace: tuple[tuple[str, float], ...]
    is_settled: bool
    seconds: float

    def sentence(self) -> str:
        """What is known about the bins, in words."""
        if not self.cuts:
            return "No column was binned: the table has no numbers."
        columns = f"{len(self.cuts)} column{'' if len(self.cuts) == 1 else 's'}"
        learned = (
            f"Bins of {columns} learned together with the network in {seconds_said(self.seconds)}: the code is "
            f"{self.separate - self.code_length:.2f} nats shorter than with the bins of each column by itself."
        )
        if not self.is_settled:
            return f"{learned} Stopped early: other bins may shorten it further."
        return (
            f"{learned} No other bins of a single column shorten it; bins and network together are a local optimum, "
            "the best from two starts."
        )
