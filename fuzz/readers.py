"""Every reader of the package, by name."""

from __future__ import annotations

from fuzz.documents import DOCUMENT_READERS
from fuzz.networks import NETWORK_READERS
from fuzz.tables import TABLE_READERS

__all__ = ["READERS"]

READERS = {one.name: one for one in (*TABLE_READERS, *NETWORK_READERS, *DOCUMENT_READERS)}
