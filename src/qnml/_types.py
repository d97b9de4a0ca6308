"""Type names shared by several packages."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["CountArray", "FloatArray", "IndexArray", "Label"]

Label: TypeAlias = str | int | bool
FloatArray: TypeAlias = NDArray[np.float64]
CountArray: TypeAlias = NDArray[np.int64]
IndexArray: TypeAlias = NDArray[np.int32]
