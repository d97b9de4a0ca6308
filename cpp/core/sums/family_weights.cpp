#include "core/sums/family_weights.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/counting/columns.hpp"
#include "core/counting/count.hpp"
#include "core/numbers/minus_infinity.hpp"
#include "core/numbers/subset_transform.hpp"
#include "core/problem/integer_scores.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/family_scores.hpp"
#include "core/scores/score_range.hpp"
#include "core/sums/stages.hpp"

namespace qnml {
namespace {

constexpr std::size_t kChunk = 4096;

// For one column: translates sets of the other columns from lattice bits to column numbers.
class Renumbering {
 public:
  Renumbering(const std::vector<int>& column_of_bit, int bit) {
    const int column = column_of_bit[static_cast<std::size_t>(bit)];
    for (std::size_t b = 0; b < column_of_bit.size(); ++b) {
      if (static_cast<int>(b) == bit) continue;
      place_.push_back(remove_bit(std::uint64_t{1} << column_of_bit[b], column));
    }
    const auto low = std::min<std::size_t>(place_.size(), kLowBits);
    low_ = sums(0, low);
    high_ = sums(low, place_.size());
  }
  std::uint64_t operator()(std::uint64_t set) const {
    return low_[set & ((std::uint64_t{1} << kLowBits) - 1)] | high_[set >> kLowBits];
  }

 private:
  static constexpr std::size_t kLowBits = 12;

  std::vector<std::uint64_t> sums(std::size_t first, std::size_t last) const {
    std::vector<std::uint64_t> values(std::size_t{1} << (last - first), 0);
    for (std::size_t set = 1; set < values.size(); ++set) {
      values[set] = values[set & (set - 1)] | place_[first + static_cast<std::size_t>(std::countr_zero(set))];
    }
    return values;
  }

  std::vector<std::uint64_t> place_, low_, high_;
};

class AllFamilies {
 public:
  explicit AllFamilies(const SearchProblem& problem)
      : table_(problem.table),
        rules_(problem.rules),
        is_free_(rules_.is_free()),
        scores_(problem, rules_),
        n_(problem.n_variables()),
        sets_(std::size_t{1} << (n_ - 1)) {}

  bool is_direct() const { return scores_.is_direct(); }

  std::vector<double> run(int threads, Control& control) {
    return is_direct() ? one_by_one(threads, control) : from_lattice(threads, control);
  }

 private:
  bool admits(int column, std::uint64_t others, std::uint32_t product_index) const {
    if (is_free_) return true;
    const double levels = table_.levels(column);
    return rules_.admits(column, insert_zero(others, column), scores_.any().product(product_index) * levels);
  }

  std::vector<double> from_lattice(int threads, Control& control) {
    std::vector<double> result(static_cast<std::size_t>(n_) * sets_);
    for (std::size_t part = 0; part < table_.n_parts(); ++part) {
      FamilyScores scores(table_.part(part), scores_.of_part(part));
      if (!FamilyScores::compute({&scores}, control, threads)) return {};
      parallel_for(static_cast<std::size_t>(n_), threads, [&](int, std::size_t bit) {
        const bool is_own = table_.part_of(scores.column_of_bit()[bit]) == part;
        if (is_own) fill_column(scores, static_cast<int>(bit), result);
      });
    }
    return result;
  }

  void fill_column(const FamilyScores& scores, int bit, std::vector<double>& result) const {
    const int column = scores.column_of_bit()[static_cast<std::size_t>(bit)];
    const Renumbering by_column(scores.column_of_bit(), bit);
    const std::vector<std::int64_t> prices = scores.prices(bit);
    std::vector<std::int64_t> values(std::min(kChunk, sets_));
    double* mine = result.data() + static_cast<std::size_t>(column) * sets_;
    for (std::size_t first = 0; first < sets_; first += kChunk) {
      const std::size_t size = std::min(kChunk, sets_ - first);
      scores.fill(bit, prices, first, size, values.data());
      for (std::size_t k = 0; k < size; ++k) {
        const std::uint64_t others = by_column(first + k);
        const std::uint32_t index = scores.product_index(insert_zero(first + k, bit));
        // A family that can never be in a best network has a weight that vanishes in double precision.
        const bool has_weight = !is_never(values[k]) && admits(column, others, index);
        mine[others] = has_weight ? static_cast<double>(values[k]) * scores_.unit() : kMinusInfinity;
      }
    }
  }

  std::vector<double> one_by_one(int threads, Control& control) const {
    std::vector<double> result(static_cast<std::size_t>(n_) * sets_, kMinusInfinity);
    constexpr std::size_t kFew = 256;
    const std::size_t chunks = (result.size() + kFew - 1) / kFew;
    parallel_for(chunks, threads, [&](int, std::size_t chunk) {
      if (control.is_stopped()) return;
      std::vector<Counter> counters;
      counters.reserve(table_.n_parts());
      for (std::size_t part = 0; part < table_.n_parts(); ++part) counters.emplace_back(table_.part(part));
      Profile cells, configs;
      std::vector<int> members;
      for (std::size_t i = chunk * kFew; i < std::min(result.size(), (chunk + 1) * kFew); ++i) {
        const int column = static_cast<int>(i / sets_);
        const std::uint64_t others = i % sets_;
        members.clear();
        std::uint32_t index = 0;
        for (std::uint64_t rest = insert_zero(others, column); rest != 0; rest &= rest - 1) {
          members.push_back(std::countr_zero(rest));
          index += scores_.any().stride(members.back());
        }
        if (!admits(column, others, index)) continue;
        counters[table_.part_of(column)].family(column, members, cells, configs);
        const auto n_parents = static_cast<int>(members.size());
        result[i] =
            static_cast<double>(scores_.of(column).family(column, index, n_parents, cells, configs)) * scores_.unit();
      }
      control.advance(1.0 / static_cast<double>(chunks));
    });
    if (control.is_stopped()) result.clear();
    return result;
  }

  const Columns& table_;
  MaskRules rules_;
  bool is_free_;
  IntegerScores scores_;
  int n_;
  std::size_t sets_;
};

}  // namespace

std::vector<double> family_log_scores(const SearchProblem& problem, Control& control) {
  const int bits = problem.n_variables();
  if (bits == 0) return {};
  AllFamilies families(problem);
  // The walk reports progress in units of 256 sets, as in learn_exact.
  control.start_stage(sums_stage::kCounting, families.is_direct() ? 1.0 : std::ldexp(1.0, std::max(0, bits - 8)));
  return families.run(problem.threads, control);
}

}  // namespace qnml
