"""How many threads a call may use."""

from __future__ import annotations

import numpy as np
import pytest

from qnml._jobs import available_cores, resolve_jobs
from qnml.errors import InputError


def test_none_and_minus_one_mean_all_cores() -> None:
    assert resolve_jobs("learn", None) == resolve_jobs("learn", -1) == available_cores()


@pytest.mark.usefixtures("many_cores")
def test_more_than_there_are_is_cut() -> None:
    assert [resolve_jobs("learn", wanted) for wanted in (1, 8, 9, 4096, np.int32(3))] == [1, 8, 8, 8, 3]


@pytest.mark.parametrize("wrong", [0, -2, 4097, 2**31 - 1, 2**31, 2**70, 1.0, True, "2", [2], np.array(2)])
def test_beyond_reason_is_refused(wrong: object) -> None:
    with pytest.raises(InputError, match=r"learn\(n_jobs=.*from 1 to 4096"):
        resolve_jobs("learn", wrong)
