"""Finding networks from local scores, within what is known beforehand."""

from qnml.search.certificate import Certificate
from qnml.search.exact import Plan
from qnml.search.knowledge import CompiledKnowledge, Knowledge

__all__ = ["Certificate", "CompiledKnowledge", "Knowledge", "Plan"]
