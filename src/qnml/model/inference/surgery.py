"""Graph surgery: the network under an intervention."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from qnml.graph import Dag
from qnml.model.inference.question import checked_settings

if TYPE_CHECKING:
    from qnml.model.inference.question import Settings
    from qnml.model.network import Network

__all__ = ["intervened"]


def intervened(net: Network, do: Settings) -> Network:
    """Remove the arcs into the variables that are set; see :meth:`qnml.model.Network.do`."""
    forced = checked_settings("Network.do", net, None, do)[1]
    masks = [0 if node in forced else mask for node, mask in enumerate(net.dag.parent_masks)]
    tables = {
        name: np.eye(len(net.levels[name]))[forced[node]] if node in forced else net.conditional(name)
        for node, name in enumerate(net.names)
    }
    return type(net)(Dag.from_masks(net.names, masks), net.levels, tables, net.properties, preparation=net.preparation)
