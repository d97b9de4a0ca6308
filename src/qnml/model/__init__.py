"""Networks with probabilities: the model itself, its parameters, drawing from it, and its files."""

from qnml.model.fit import fit
from qnml.model.network import Network
from qnml.model.parameters import RULES, ParameterRule
from qnml.model.read import NETWORK_KINDS, read_network, read_structure, write_network

__all__ = [
    "NETWORK_KINDS",
    "RULES",
    "Network",
    "ParameterRule",
    "fit",
    "read_network",
    "read_structure",
    "write_network",
]
