"""Data sets and networks by name: some bundled, the others in an optional data folder."""

from qnml.datasets.catalog import names
from qnml.datasets.folder import data_folder
from qnml.datasets.loading import load, load_network, load_table, sample

__all__ = ["data_folder", "load", "load_network", "load_table", "names", "sample"]
