// Draws DAGs under the order prior: an order from its last variable to its first, and parents among the predecessors.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/random.hpp"
#include "core/numbers/extended_double.hpp"
#include "core/sums/family_sums.hpp"
#include "core/sums/order_sums.hpp"
#include "core/sums/parent_draw.hpp"

namespace qnml {

std::vector<std::uint64_t> OrderSums::draw(std::size_t count, std::uint64_t seed, int threads) const {
  const auto n = static_cast<std::size_t>(table_.n());
  // Recomputed rather than kept by compute(), so that only callers who draw pay for them.
  const FamilySums<double> families(table_, threads);
  const ExtendedArray<double> before = sums_of_orders_before(families);
  const ParentDraw<double> draw_parents(table_, families);
  std::vector<std::uint64_t> parents(count * n, 0);
  parallel_for(count, threads, [&](int, std::size_t k) {
    Xoshiro256 random = Xoshiro256::stream(seed, k);
    for (std::uint64_t left = (std::uint64_t{1} << n) - 1; left != 0;) {
      // Each variable in turn is the last one or not. If all others are rejected, the last possible one remains.
      Extended<double> weight = before[left];
      int last = -1;
      for (std::uint64_t rest = left; rest != 0; rest &= rest - 1) {
        const int candidate = std::countr_zero(rest);
        const std::uint64_t others = left ^ std::uint64_t{1} << candidate;
        const Extended<double> mine = before[others] * families(candidate, others);
        if (!mine.is_positive()) continue;
        last = candidate;
        weight = weight - mine;
        if (happens(mine, weight, random)) break;
      }
      const auto chosen = static_cast<std::size_t>(last);
      left ^= std::uint64_t{1} << last;
      parents[k * n + chosen] = draw_parents(last, left, 0, random);
    }
  });
  return parents;
}

}  // namespace qnml
