#include "core/family_scores.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/count.hpp"
#include "core/parallel.hpp"
#include "core/subset_transform.hpp"

namespace qnml {

bool FamilyScores::compute(Control& control, int threads) {
  const Lattice lattice(table_, score_.terms());
  column_of_bit_ = lattice.column_of_bit();
  set_product_indices();
  const std::size_t sets = std::size_t{1} << n_variables();
  cells_.assign(sets, 0);
  configs_.assign(score_.n_config_classes(), std::vector<std::int64_t>());
  for (auto& config : configs_) config.assign(sets, 0);
  const auto channels = static_cast<std::size_t>(score_.terms().channels);
  const bool finished = lattice.walk(
      [&](std::uint64_t first, std::size_t count, const std::int64_t* sums) {
        for (std::size_t i = 0; i < count; ++i) {
          const std::int64_t* mine = sums + i * channels;
          cells_[first + i] = score_.cells(mine, product_index(first + i));
          for (std::size_t k = 0; k < configs_.size(); ++k) configs_[k][first + i] = score_.configs(mine, k);
        }
      },
      control, threads);
  visits_ = lattice.visits();
  if (finished) count_small_products(threads);
  return finished;
}

void FamilyScores::adopt(const std::vector<int>& column_of_bit, std::vector<std::int64_t> cells) {
  column_of_bit_ = column_of_bit;
  set_product_indices();
  cells_ = std::move(cells);
}

void FamilyScores::set_product_indices() {
  low_index_.assign(std::size_t{1} << 16, 0);
  const int high_bits = std::max(0, n_variables() - 16);
  high_index_.assign(std::size_t{1} << high_bits, 0);
  auto sum_up = [&](std::vector<std::uint32_t>& index, int first_bit) {
    for (std::size_t set = 1; set < index.size(); ++set) {
      const int bit = std::countr_zero(set) + first_bit;
      if (bit >= n_variables()) continue;
      index[set] = index[set & (set - 1)] + score_.stride(column_of_bit_[static_cast<std::size_t>(bit)]);
    }
  };
  sum_up(low_index_, 0);
  sum_up(high_index_, 16);
}

// Sets whose value the channel sums do not give (see FixedScore::needs_profile).
void FamilyScores::count_small_products(int threads) {
  if (!score_.needs_profile(0)) return;
  std::vector<std::uint64_t> small;
  // Products grow along supersets: depth first, adding lower bits only.
  auto collect = [&](auto&& self, std::uint64_t set, int below) -> void {
    if (!score_.needs_profile(product_index(set))) return;
    small.push_back(set);
    for (int bit = below - 1; bit >= 0; --bit) self(self, set | std::uint64_t{1} << bit, bit);
  };
  collect(collect, 0, n_variables());
  constexpr std::size_t kChunk = 256;
  parallel_for((small.size() + kChunk - 1) / kChunk, threads, [&](int, std::size_t chunk) {
    Counter counter(table_);
    Profile cells, configs;
    std::vector<int> variables;
    const std::size_t last = std::min(small.size(), (chunk + 1) * kChunk);
    for (std::size_t i = chunk * kChunk; i < last; ++i) {
      const std::uint64_t set = small[i];
      if (set == 0) {
        const Profile whole{{table_.total}, {1}};
        cells_[0] = score_.cells(whole, 0);
        continue;
      }
      variables.clear();
      for (std::uint64_t rest = set; rest != 0; rest &= rest - 1) {
        variables.push_back(column_of_bit_[static_cast<std::size_t>(std::countr_zero(rest))]);
      }
      const int child = variables.back();
      variables.pop_back();
      counter.family(child, variables, cells, configs);
      cells_[set] = score_.cells(cells, product_index(set));
    }
  });
}

std::vector<std::int64_t> FamilyScores::prices(int bit) const {
  const int column = column_of_bit_[static_cast<std::size_t>(bit)];
  std::vector<std::int64_t> prices(score_.n_products(), 0);
  for (std::uint32_t index = 0; index < prices.size(); ++index) {
    // Products that only sets with the child have are of no use, and one step further there may be none.
    if (score_.has_room(index, column)) prices[index] = score_.price(column, index);
  }
  return prices;
}

void FamilyScores::fill(int bit, const std::vector<std::int64_t>& prices, std::uint64_t first, std::size_t count,
                        std::int64_t* values) const {
  const int column = column_of_bit_[static_cast<std::size_t>(bit)];
  const auto& configs = configs_.empty() ? cells_ : configs_[static_cast<std::size_t>(score_.config_class(column))];
  const std::uint64_t child = std::uint64_t{1} << bit;
  const std::int64_t per_arc = score_.per_arc();
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint64_t parents = insert_zero(first + k, bit);
    values[k] = cells_[parents | child] - configs[parents] - prices[product_index(parents)];
  }
  for (std::size_t k = 0; per_arc != 0 && k < count; ++k) values[k] -= per_arc * std::popcount(first + k);
}

}  // namespace qnml
