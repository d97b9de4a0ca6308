"""Data that live in an engine: databases, lazy frames, folders of files, clusters.

`opening` recognises a source and turns it into a `Relation`, the one promise that all engines keep: group by these
columns and count. What is fetched is small; `plan` decides how (:doc:`engines`).
"""

from qnml.data.engines.opening import opened_relation
from qnml.data.engines.plan import ReadingPlan
from qnml.data.engines.relation import Relation

__all__ = ["ReadingPlan", "Relation", "opened_relation"]
