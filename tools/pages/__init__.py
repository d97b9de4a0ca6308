"""The code blocks of the documentation: found, run, and compared with the outputs that are printed below them."""

from tools.pages.blocks import Block, blocks_of, with_outputs
from tools.pages.running import Finding, run_page

__all__ = ["Block", "Finding", "blocks_of", "run_page", "with_outputs"]
