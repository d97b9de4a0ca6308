"""Preparation of raw tables: what each column holds, what is done to it, and the same for new rows."""

from __future__ import annotations

from qnml.data.preparation.applying import prepared_columns
from qnml.data.preparation.column import ColumnPreparation
from qnml.data.preparation.preparation import Preparation

__all__ = ["ColumnPreparation", "Preparation", "prepared_columns"]
