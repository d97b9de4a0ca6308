"""Bayesian networks with probabilities: the model, its parameters, sampling, inference and files."""

from qnml.model.files import NETWORK_FORMATS, STRUCTURE_FORMATS
from qnml.model.files.dagitty_text import read_dagitty
from qnml.model.fit import fit
from qnml.model.hand_over import from_networkx, to_dowhy, to_networkx, to_pgmpy, to_pyagrum
from qnml.model.network import Network
from qnml.model.parameters import RULES, ParameterRule, Parameters
from qnml.model.read import (
    NETWORK_KINDS,
    STRUCTURE_KINDS,
    read_network,
    read_structure,
    write_network,
    write_structure,
)
from qnml.model.tables import Conditional, DenseTable, SparseTable
from qnml.model.taking_over import from_pgmpy, from_pyagrum

__all__ = [
    "NETWORK_FORMATS",
    "NETWORK_KINDS",
    "RULES",
    "STRUCTURE_FORMATS",
    "STRUCTURE_KINDS",
    "Conditional",
    "DenseTable",
    "Network",
    "ParameterRule",
    "Parameters",
    "SparseTable",
    "fit",
    "from_networkx",
    "from_pgmpy",
    "from_pyagrum",
    "read_dagitty",
    "read_network",
    "read_structure",
    "to_dowhy",
    "to_networkx",
    "to_pgmpy",
    "to_pyagrum",
    "write_network",
    "write_structure",
]
