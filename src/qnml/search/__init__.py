"""Finding networks from local scores, within what is known beforehand."""

from qnml.search.knowledge.knowledge import CompiledKnowledge, Knowledge
from qnml.search.plan import Plan
from qnml.search.problem import SearchProblem
from qnml.search.running.certificate import Certificate

__all__ = ["Certificate", "CompiledKnowledge", "Knowledge", "Plan", "SearchProblem"]
