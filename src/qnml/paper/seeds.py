"""Random generators that depend on the repetition only, not on the worker or the chunk."""

from __future__ import annotations

from zlib import crc32

import numpy as np

__all__ = ["generator"]


def generator(seed: int, experiment: str, subject: str, repetition: int) -> np.random.Generator:
    """The random generator of one repetition.

    Parameters
    ----------
    seed
        The seed of the whole run.
    experiment
        Name of the experiment.
    subject
        Name of the data set or network.
    repetition
        Number of the repetition, from 0.

    Examples
    --------
    >>> first, again = (generator(2018, "structure", "asia", 7).permutation(20).tolist() for _ in range(2))
    >>> first == again, first == generator(2018, "structure", "asia", 8).permutation(20).tolist()
    (True, False)
    """
    return np.random.default_rng([seed, crc32(f"{experiment}/{subject}".encode()), repetition])
