"""File formats of networks, one module each: text in, Network out, and back."""

from qnml.model.files.bif import read_bif, write_bif
from qnml.model.files.json_format import read_json, write_json
from qnml.model.files.modelstring import looks_like_modelstring, read_modelstring

__all__ = ["looks_like_modelstring", "read_bif", "read_json", "read_modelstring", "write_bif", "write_json"]
