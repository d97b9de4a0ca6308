// Counting for a walk of the lattice with one weight per row: several functions of the counts. Used by lattice.cpp
// alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "core/counting/lattice.hpp"

namespace qnml {

// One weight per row. The channels are the functions of CountTerms.
template <int kFunctions>
class SingleCounts {
 public:
  static constexpr int kChannels = kFunctions;
  static constexpr std::size_t kFewRows = 4;
  using Weight = std::uint64_t;
  struct Source {
    const CountTerms& terms;
    const std::uint64_t* weights;
  };

  explicit SingleCounts(const Source& source)
      : source_(source), terms_(source.terms.values.data()), table_size_(source.terms.table_size()) {}

  Weight weight(std::uint32_t row) const { return source_.weights[row]; }

  const std::int64_t* term(Weight count) {
    if (count < table_size_) return terms_ + count * kChannels;
    const auto [found, is_new] = beyond_.try_emplace(count);
    if (is_new) source_.terms.beyond(count, found->second.data());
    return found->second.data();
  }

  void tidy() {
    if (beyond_.size() > kMostBeyond) beyond_.clear();
  }

  // Intermediate sums may overflow 64 bits and wrap around; the final sums do not.
  static void add(std::int64_t* to, const std::int64_t* what) {
    for (int c = 0; c < kChannels; ++c) to[c] = sum(to[c], what[c]);
  }
  static void subtract(std::int64_t* from, const std::int64_t* what) {
    for (int c = 0; c < kChannels; ++c) from[c] = difference(from[c], what[c]);
  }
  static void add_pair(std::int64_t* alone, std::int64_t* together, const std::int64_t* one, const std::int64_t* other,
                       const std::int64_t* both) {
    for (int c = 0; c < kChannels; ++c) {
      const std::int64_t apart = sum(one[c], other[c]);
      alone[c] = sum(alone[c], apart);
      together[c] = sum(together[c], difference(both[c], apart));
    }
  }
  static std::int64_t sum(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  }
  static std::int64_t difference(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
  }

 private:
  static constexpr std::size_t kMostBeyond = std::size_t{1} << 16;  // number of remembered terms beyond the table

  Source source_;
  const std::int64_t* terms_;
  std::uint64_t table_size_;
  std::unordered_map<std::uint64_t, std::array<std::int64_t, kChannels>> beyond_;  // terms already computed
};

}  // namespace qnml
