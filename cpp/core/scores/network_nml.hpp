// The normalizing constant of the exact NML distribution of a whole network (paper, eq. 3), for tiny cases.
#pragma once

#include <cstdint>
#include <vector>

namespace qnml {

// log of the sum of the maximized likelihoods over all data sets of `rows` rows. Data sets with the same counts are
// visited once and weighted by their number: C(rows + K - 1, K - 1) visits for K = product of the levels.
double network_regret(const std::vector<std::uint32_t>& levels, const std::vector<std::vector<int>>& parents, int rows);

}  // namespace qnml
