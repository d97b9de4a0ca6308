// The multinomial regret reg(N, r) = log C(N, r): the price of not knowing the parameters of a categorical variable
// with r values in N observations (paper, eq. 5). Natural logarithms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/numbers/level_product.hpp"

namespace qnml {

// Relative error about 1e-12 for 0 <= n <= 1e12 and any real r >= 1, even beyond the range of doubles.
double regret(std::int64_t n, const LevelProduct& levels);
double regret(std::int64_t n, double r);

// reg(m, r) for m = 0..n and one integer r, by the recurrence of Kontkanen and Myllymaki (2007) in r.
std::vector<double> regret_table(std::int64_t n, std::int64_t r);

// reg(n, r) for r = 1..most_levels, by the same recurrence.
std::vector<double> regrets_by_levels(std::int64_t n, std::size_t most_levels);

// Approximations in the paper, for comparison only: eq. (6), and eq. (7) in a form without cancellation.
double regret_szpankowski(double n, double r);
double regret_szpankowski_weinberger(double n, double r);

}  // namespace qnml
