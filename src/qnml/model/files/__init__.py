"""File formats of networks, one module each: from text to Network and back."""

from qnml.model.files.bif import read_bif, write_bif
from qnml.model.files.dsc import read_dsc, write_dsc
from qnml.model.files.formats import NETWORK_FORMATS, STRUCTURE_FORMATS, NetworkFormat, StructureFormat
from qnml.model.files.json_format import read_json, write_json
from qnml.model.files.modelstring import looks_like_modelstring, read_modelstring
from qnml.model.files.net import read_net, write_net
from qnml.model.files.structure import write_dagitty, write_dot, write_graphml, write_modelstring
from qnml.model.files.uai import read_uai, write_uai
from qnml.model.files.xdsl import read_xdsl, write_xdsl
from qnml.model.files.xmlbif import read_xmlbif, write_xmlbif

__all__ = [
    "NETWORK_FORMATS",
    "STRUCTURE_FORMATS",
    "NetworkFormat",
    "StructureFormat",
    "looks_like_modelstring",
    "read_bif",
    "read_dsc",
    "read_json",
    "read_modelstring",
    "read_net",
    "read_uai",
    "read_xdsl",
    "read_xmlbif",
    "write_bif",
    "write_dagitty",
    "write_dot",
    "write_dsc",
    "write_graphml",
    "write_json",
    "write_modelstring",
    "write_net",
    "write_uai",
    "write_xdsl",
    "write_xmlbif",
]
