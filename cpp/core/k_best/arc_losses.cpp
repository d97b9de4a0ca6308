#include "core/k_best/arc_losses.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/k_best/family_ranks.hpp"
#include "core/numbers/subset_transform.hpp"

namespace qnml {
namespace {

constexpr std::int64_t kNotAdmitted = std::int64_t{1} << 56;  // a sum of 32 of them does not overflow

// Scales the shares of the parents down until their sum is at most the loss.
void share_out(std::int64_t loss, std::uint64_t parents, std::int64_t* shares) {
  std::int64_t sum = 0;
  for (std::uint64_t rest = parents; rest != 0; rest &= rest - 1) sum += shares[std::countr_zero(rest)];
  if (sum <= loss) return;
  // A little less than the proportion, so that rounding cannot raise the sum above the loss.
  const double proportion = static_cast<double>(loss) / static_cast<double>(sum) * (1.0 - 1e-12);
  for (std::uint64_t rest = parents; rest != 0; rest &= rest - 1) {
    std::int64_t& share = shares[std::countr_zero(rest)];
    share = static_cast<std::int64_t>(static_cast<double>(share) * proportion);
  }
}

}  // namespace

// Shares never increase, so a family whose constraint is satisfied once keeps it satisfied: one pass suffices. The best
// families, which have the smallest losses, come first.
ArcLosses::ArcLosses(const std::vector<FamilyRanks>& families, Control& control, int threads)
    : n_(families.size()), loss_(n_ * n_, kNotAdmitted) {
  parallel_for(n_, threads, [&](int, std::size_t child) {
    const FamilyRanks& mine = families[child];
    for (std::size_t rank = 0; rank < mine.parents.size(); ++rank) {
      if ((rank & 0xFFF) == 0 && control.is_stopped()) return;
      const std::uint64_t parents = mine.parents[rank];
      const std::uint32_t best = mine.best_inside[remove_bit(parents, static_cast<int>(child))];
      share_out(mine.value[best].score - mine.value[rank].score, parents, &loss_[child * n_]);
    }
  });
}

std::int64_t ArcLosses::least(int parent, std::uint64_t set) const {
  std::int64_t least = kNotAdmitted;
  for (std::uint64_t rest = set & ~(std::uint64_t{1} << parent); rest != 0; rest &= rest - 1) {
    least = std::min(least, loss(parent, std::countr_zero(rest)));
  }
  return least;
}

}  // namespace qnml
