// Relations between any number of variables: one row of packed bits per variable.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace qnml {

// A square bit matrix. Bit j of row i tells whether the relation holds for the pair (i, j).
class BitRows {
 public:
  explicit BitRows(int n = 0)
      : n_(n), words_((static_cast<std::size_t>(n) + 63) / 64), bits_(static_cast<std::size_t>(n) * words_, 0) {}

  int size() const { return n_; }
  std::size_t words() const { return words_; }
  std::uint64_t* row(int i) { return bits_.data() + static_cast<std::size_t>(i) * words_; }
  const std::uint64_t* row(int i) const { return bits_.data() + static_cast<std::size_t>(i) * words_; }

  bool test(int i, int j) const { return row(i)[j / 64] >> (j % 64) & 1; }
  void set(int i, int j) { row(i)[j / 64] |= std::uint64_t{1} << (j % 64); }
  void clear(int i, int j) { row(i)[j / 64] &= ~(std::uint64_t{1} << (j % 64)); }

  std::vector<int> members(int i) const {
    std::vector<int> found;
    for (std::size_t word = 0; word < words_; ++word) {
      for (std::uint64_t rest = row(i)[word]; rest != 0; rest &= rest - 1) {
        found.push_back(static_cast<int>(64 * word) + std::countr_zero(rest));
      }
    }
    return found;
  }

 private:
  int n_;
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace qnml
