// What the walk of the lattice counts: one weight a row and several functions of the counts, or many weights a row and
// one function. Used by lattice.cpp alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "core/lanes.hpp"
#include "core/lattice.hpp"

namespace qnml {

// One weight a row. The channels are the functions of CountTerms.
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

  static void add(std::int64_t* to, const std::int64_t* what) {
    for (int c = 0; c < kChannels; ++c) to[c] += what[c];
  }
  static void subtract(std::int64_t* from, const std::int64_t* what) {
    for (int c = 0; c < kChannels; ++c) from[c] -= what[c];
  }
  static void add_pair(std::int64_t* alone, std::int64_t* together, const std::int64_t* one, const std::int64_t* other,
                       const std::int64_t* both) {
    for (int c = 0; c < kChannels; ++c) {
      alone[c] += one[c] + other[c];
      together[c] += both[c] - one[c] - other[c];
    }
  }

 private:
  static constexpr std::size_t kMostBeyond = std::size_t{1} << 16;  // terms beyond the table that are remembered

  Source source_;
  const std::int64_t* terms_;
  std::uint64_t table_size_;
  std::unordered_map<std::uint64_t, std::array<std::int64_t, kChannels>> beyond_;  // terms already computed
};

// Many weights a row, each with sums of its own: the channels are the weights. For terms of one function that are
// tabled for every count.
template <int kWeights, class Count>
class ManyCounts {
 public:
  static constexpr int kChannels = kWeights;
  static constexpr std::size_t kFewRows = 2;  // looking a term up for every weight costs more than another split
  struct Weight {
    Count of[kWeights] = {};
    Weight& operator+=(const Weight& other) {
      add_counts(of, other.of, kWeights);
      return *this;
    }
  };
  struct Source {
    const CountTerms& terms;
    const Weight* weights;
  };

  explicit ManyCounts(const Source& source) : source_(source) {}

  const Weight& weight(std::uint32_t row) const { return source_.weights[row]; }

  // Good until a few calls later.
  const std::int64_t* term(const Weight& counts) {
    std::int64_t* found = terms_[turn_];
    turn_ = (turn_ + 1) % kTurns;
    look_up(source_.terms.values.data(), counts.of, found, kWeights);
    return found;
  }

  void tidy() {}

  static void add(std::int64_t* to, const std::int64_t* what) { add_sums(to, what, kWeights); }
  static void subtract(std::int64_t* from, const std::int64_t* what) { subtract_sums(from, what, kWeights); }
  static void add_pair(std::int64_t* alone, std::int64_t* together, const std::int64_t* one, const std::int64_t* other,
                       const std::int64_t* both) {
    add_pair_sums(alone, together, one, other, both, kWeights);
  }

 private:
  static constexpr int kTurns = 4;  // a pair of rows needs three at once

  Source source_;
  std::int64_t terms_[kTurns][kWeights];
  int turn_ = 0;
};

}  // namespace qnml
