// The largest size of a score, and the units in which 64-bit sums of scores are exact.
//
// With N observations, n variables, L the sum of log r over the variables' levels r, and w the parameter of a Dirichlet
// prior (1 for scores without one), let
//   S = N (log N + L + |log w| + 1).
// - No sum over the cells of a set exceeds S in absolute value. c log c and log Gamma(c) sum up to at most N log N; the
//   weight e of a cell adds |log e| <= |log w| + L at most once per cell, and there are at most N cells; for large
//   weights the rising factorial e^(c) is at most (e + c)^c. Regrets are at most N log r, since C(N, r) <= r^N.
// - No local score exceeds S in absolute value, apart from prices of parameters and arcs. Fits are at least -N log N.
//   The regrets of a family cost at most N log r: reg(N, e^x) is convex in x with slope at most N. A Dirichlet prior
//   gives each row at least the probability ess / (r (q N + ess)), with q the configurations of the parents, and the
//   quotient of bdq at least alpha / (r (N + alpha)).
// So the sums of all sets and the scores of all networks are within (n + 1) S.
//
// A penalized likelihood charges parameters and arcs in addition, and the prior over structures each family at most
// some highest price. The network of the required arcs alone is always admitted, and it scores at least -M with
//   M = (n + 1) S + the price of its families + n times the price of an arc and the highest price of the prior + 2000.
// No local score is above zero. So no family with a score below -M is in a best network, and each network with such a
// family has less than e^-2000 of the weight of the network of the required arcs; all of them together have less than
// their number times that. A price above M may be replaced by M.
//
// A unit is 2^-b nats with M <= 2^60 units. Then
// - the sum of a set, a family or network that can matter, and a capped price are within 2^60 units;
// - a family is the difference of two sums minus a price and the price of its arcs and of the prior: within 2^62 units;
// - bounds add a slack of 16 (N + 1) units, and for bdeu the rounding of its fields, to such a number: N < 2^52, see
//   below;
// - "impossible" is -2^61, below every family and network that matters, and searches add at most one number to it.
// All of these are 64-bit numbers. b is at least 8, so that terms rounded to units distinguish N up to 2^44 / (n + 1):
// M may be 2^52 nats. Counts are then below 2^52 as well, which doubles represent exactly, and so are the sums of bdeu
// that are computed in doubles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/scores/score.hpp"

namespace qnml {

// The weight of a network this many nats below another is too small, relative to it, for a double.
constexpr double kBelowAnyWeight = 2000.0;

// M is at most this many nats.
constexpr double kLargestScore = 0x1p52;
// And this many units. Families at or below minus this are in no best network, and have no weight relative to others.
constexpr std::int64_t kLargestUnits = std::int64_t{1} << 60;
constexpr bool is_never(std::int64_t units) { return units <= -kLargestUnits; }

// M. `required`: the required parents of each variable, by their numbers; empty if there are none. Infinite if the
// price of a required family exceeds any double.
double largest_score(const Score& score, std::span<const std::uint32_t> levels,
                     const std::vector<std::vector<int>>& required);

// The finest unit for sums of that size: 2^-b nats, 8 <= b <= 44.
int unit_bits(double largest);

// Lists of numbers from bit masks.
std::vector<std::vector<int>> lists_of(std::span<const std::uint64_t> masks);

}  // namespace qnml
