// A set of up to 256 variables, for sets that are stored in large numbers and compared often.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace qnml {

struct VariableSet {
  static constexpr int kMost = 256;
  std::array<std::uint64_t, kMost / 64> words{};

  static VariableSet of(const std::vector<int>& members) {
    VariableSet set;
    for (int member : members) set.add(member);
    return set;
  }

  bool has(int member) const { return words[static_cast<std::size_t>(member) / 64] >> (member % 64) & 1; }
  void add(int member) { words[static_cast<std::size_t>(member) / 64] |= std::uint64_t{1} << (member % 64); }
  void remove(int member) { words[static_cast<std::size_t>(member) / 64] &= ~(std::uint64_t{1} << (member % 64)); }
  bool is_empty() const { return (words[0] | words[1] | words[2] | words[3]) == 0; }
  bool meets(const VariableSet& other) const {
    return ((words[0] & other.words[0]) | (words[1] & other.words[1]) | (words[2] & other.words[2]) |
            (words[3] & other.words[3])) != 0;
  }
  int n_common(const VariableSet& other) const {
    return std::popcount(words[0] & other.words[0]) + std::popcount(words[1] & other.words[1]) +
           std::popcount(words[2] & other.words[2]) + std::popcount(words[3] & other.words[3]);
  }
  bool is_inside(const VariableSet& other) const {
    return ((words[0] & ~other.words[0]) | (words[1] & ~other.words[1]) | (words[2] & ~other.words[2]) |
            (words[3] & ~other.words[3])) == 0;
  }
  int size() const {
    return std::popcount(words[0]) + std::popcount(words[1]) + std::popcount(words[2]) + std::popcount(words[3]);
  }
  std::vector<int> members() const {
    std::vector<int> found;
    for (std::size_t word = 0; word < words.size(); ++word) {
      for (std::uint64_t rest = words[word]; rest != 0; rest &= rest - 1) {
        found.push_back(static_cast<int>(64 * word) + std::countr_zero(rest));
      }
    }
    return found;
  }
  friend auto operator<=>(const VariableSet&, const VariableSet&) = default;
};

}  // namespace qnml
