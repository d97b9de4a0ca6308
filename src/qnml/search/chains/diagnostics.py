"""R-hat, effective sample sizes and standard errors of draws along Markov chains.

Series are arrays of shape (chains, draws, quantities). The formulas are those of A. Vehtari, A. Gelman, D. Simpson,
B. Carpenter, P.-C. Bürkner, "Rank-normalization, folding, and localization: an improved R-hat for assessing convergence
of MCMC", Bayesian Analysis 16(2), 2021: every chain is split in two halves, and autocorrelations are summed by Geyer's
initial monotone sequence. Rank normalization does not change R-hat for a quantity with only two values, such as the
presence of an arc: the normal scores of the ranks then take two values as well, hence are an affine function of the
quantity, and R-hat is invariant under affine functions.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from qnml.search.posterior.dag_draws import share_errors
from qnml.search.posterior.interface import Estimate

if TYPE_CHECKING:
    from qnml._types import FloatArray

__all__ = [
    "SampleEstimate",
    "effective_sizes",
    "estimate_shares",
    "estimate_weighted_shares",
    "rank_normalised",
    "split_r_hat",
    "weights_size",
]


@dataclass(frozen=True, eq=False)
class SampleEstimate(Estimate):
    """Shares of events among the draws, and how far they can be trusted.

    Attributes
    ----------
    values : the shares.
    standard_errors : their Monte Carlo standard errors.
    r_hat : split R-hat; infinite if chains are stuck at different values, NaN if nothing ever changed.
    effective_sizes : effective number of independent draws; NaN if nothing ever changed.
    """

    standard_errors: FloatArray
    r_hat: FloatArray
    effective_sizes: FloatArray


def split_r_hat(series: FloatArray) -> FloatArray:
    """Spread over all half chains relative to the spread within them; 1 when they agree.

    Examples
    --------
    >>> stuck = np.stack([np.zeros((10, 1)), np.ones((10, 1))])
    >>> float(split_r_hat(stuck)[0])
    inf
    """
    halves = _halves(series)
    draws = halves.shape[1]
    within = halves.var(axis=1, ddof=1).mean(axis=0)
    between = halves.mean(axis=1).var(axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: FloatArray = np.sqrt((draws - 1) / draws + between / within)
    return ratio


def effective_sizes(series: FloatArray) -> FloatArray:
    """Number of independent draws that would estimate the means as accurately; NaN for constants."""
    halves = _halves(series)
    chains, draws, _ = halves.shape
    covariances = _autocovariances(halves)
    within = covariances[:, 0].mean(axis=0) * draws / (draws - 1)
    overall = within * (draws - 1) / draws + halves.mean(axis=1).var(axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        correlations = 1.0 - (within - covariances.mean(axis=0) * draws / (draws - 1)) / overall
    correlations[0] = 1.0
    pairs = correlations[: draws // 2 * 2].reshape(draws // 2, 2, -1).sum(axis=1)
    # Sums of neighbouring autocorrelations are positive and decreasing for a reversible chain: truncate at the noise.
    counted = np.logical_and.accumulate(pairs > 0, axis=0)
    sums = np.where(counted, np.minimum.accumulate(pairs, axis=0), 0.0).sum(axis=0)
    total = chains * draws
    # Antithetic draws may be worth more than independent ones, within limits.
    times = np.maximum(2.0 * sums - 1.0, 1.0 / np.log10(total))
    return np.where(overall > 0, total / times, np.nan)


def rank_normalised(series: FloatArray) -> FloatArray:
    """Normal scores of the ranks over all chains; ties share their average rank."""
    flat = series.reshape(-1, series.shape[2])
    scores = np.empty_like(flat, dtype=float)
    for column in range(flat.shape[1]):
        _, places, counts = np.unique(flat[:, column], return_inverse=True, return_counts=True)
        ranks = np.cumsum(counts) - (counts - 1) / 2
        normal = NormalDist()
        of_value = np.array([normal.inv_cdf((rank - 0.375) / (len(flat) + 0.25)) for rank in ranks.tolist()])
        scores[:, column] = of_value[places.reshape(-1)]
    return scores.reshape(series.shape)


def estimate_shares(series: FloatArray) -> SampleEstimate:
    """Shares of ones in series of zeros and ones.

    A quantity that never changed within a half chain has no effective size. Its standard error uses the median of the
    other effective sizes, or the number of draws if there is none.
    """
    values = series.mean(axis=(0, 1))
    moves = (values > 0) & (values < 1)
    r_hat = np.full(len(values), np.nan)
    sizes = np.full(len(values), np.nan)
    if moves.any():
        r_hat[moves] = split_r_hat(series[:, :, moves])
        sizes[moves] = effective_sizes(series[:, :, moves])
    total = float(series.shape[0] * series.shape[1])
    known = np.isfinite(sizes)
    typical = min(float(np.median(sizes[known])), total) if known.any() else total
    return SampleEstimate(values, share_errors(values, np.where(known, sizes, typical)), r_hat, sizes)


def weights_size(weights: FloatArray) -> float:
    """Effective number of weighted draws by L. Kish: squared sum of the weights over the sum of their squares.

    Examples
    --------
    >>> weights_size(np.array([1.0, 1.0, 0.0, 0.0]))
    2.0
    """
    return float(weights.sum() ** 2 / (weights**2).sum())


def estimate_weighted_shares(series: FloatArray, weights: FloatArray) -> SampleEstimate:
    """Shares of ones in series of zeros and ones whose draws have weights (chains × draws).

    To first order, the error of a share p = Σ w x / Σ w is that of the mean of w (x − p) / mean(w). No effective size
    exceeds that of the weights: the few draws of high weight that contain an arc may be missing.
    """
    plain = estimate_shares(series)
    relative = (weights / weights.mean())[:, :, None]
    values = (relative * series).mean(axis=(0, 1))
    influence = relative * (series - values)
    most = weights_size(weights)
    moves = np.isfinite(plain.effective_sizes)
    sizes = np.full(len(values), np.nan)
    if moves.any():
        spread = influence[:, :, moves].var(axis=(0, 1))
        known = effective_sizes(influence[:, :, moves])
        sizes[moves] = np.minimum(known * (values * (1.0 - values))[moves] / spread, most)
    known_sizes = sizes[np.isfinite(sizes)]
    typical = float(np.median(known_sizes)) if known_sizes.size else most
    errors = share_errors(values, np.where(np.isfinite(sizes), sizes, typical))
    return SampleEstimate(values, errors, plain.r_hat, sizes)


def _halves(series: FloatArray) -> FloatArray:
    chains, draws, quantities = series.shape
    half = draws // 2
    return np.concatenate([series[:, :half], series[:, draws - half :]]).reshape(2 * chains, half, quantities)


def _autocovariances(series: FloatArray) -> FloatArray:
    """Autocovariances by lag, each divided by the number of draws."""
    draws = series.shape[1]
    centred = series - series.mean(axis=1, keepdims=True)
    # Padding with zeros avoids circular correlation.
    spectrum = np.fft.rfft(centred, n=2 * draws, axis=1)
    found: FloatArray = np.fft.irfft(spectrum * spectrum.conj(), n=2 * draws, axis=1)[:, :draws] / draws
    return found
