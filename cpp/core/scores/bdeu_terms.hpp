// bdeu in whole units: what the cells of a set of variables add up to, given the product m of their levels.
//
// A cell of count c adds log Gamma(e + c) - log Gamma(e) with the weight e = ess / m: a function of the set as well.
// One walk of the lattice serves all sets by sums that do not depend on e,
//   log e + log Gamma(c) + [c > 1] log(1 + e) + [c > 2] log(1 + e / 2) + sum_{k = 3}^{c - 1} log(1 + e / k),
// where the last sum is a polynomial in e of the third degree, up to 1e-13 for e up to 1/150. Its coefficients are sums
// over k of powers of 1 / k. The seven sums over cells are fields of a few 64-bit numbers: several functions of the
// counts in one.
//
// Sets with a larger weight have few cells; each of them takes its term as it is, rounded.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/counting/count.hpp"
#include "core/scores/integer_terms.hpp"

namespace qnml {

class BdeuTerms final : public IntegerTerms {
 public:
  // `bits`: a unit is 2^-bits. `whole_logs`: the logarithms of the products in units.
  BdeuTerms(double ess, std::uint64_t total, int bits, const std::vector<double>& products,
            const std::vector<std::int64_t>& whole_logs);

  std::size_t channels() const override { return channels_; }
  void fill(std::uint64_t size, std::size_t stride, std::int64_t* values) const override;
  void fill_one(std::uint64_t count, std::int64_t* values) const override;
  const BdeuTerms* packed() const override { return this; }

  // Whether the channels do not tell the value of sets with this product of levels, so that it takes their counts.
  bool needs_counts(std::uint32_t index) const { return (*products_)[index] < series_from_; }
  std::int64_t value(const Profile& profile, std::uint32_t index) const;
  // What a cell adds to the value of such a set.
  std::int64_t cell(std::uint64_t count, std::uint32_t index) const;

  // From the sums of the channels; of the others. Sums of many weights are [channel * lanes + lane].
  std::int64_t value(const std::int64_t* sums, std::uint32_t index) const;
  void values(const std::int64_t* sums, std::size_t lanes, std::uint32_t index, std::int64_t* out) const;

  // The rounding of all cells of a set together is at most so many units.
  double rounding() const { return rounding_; }

 private:
  enum { kCells, kGamma, kTwo, kThree, kFirst, kSecond, kThird, kFields };
  // Bits of a channel. What it holds is in steps of 2^-fraction.
  struct Field {
    std::size_t channel = 0;
    int shift = 0;
    int width = 64;
    int fraction = 0;
  };
  // What the fields of sets with one product of levels are multiplied with.
  struct Weights {
    std::int64_t log_weight;
    std::int64_t log_two;    // log(1 + e)
    std::int64_t log_three;  // log(1 + e / 2)
    double e;
  };

  void set_fields(const std::vector<std::vector<int>>& words);
  int width(int field, int fraction) const;
  void pack(const std::array<double, kFields>& parts, std::int64_t* values) const;
  Weights weights(std::uint32_t index) const;
  double ess_;
  std::uint64_t total_;
  int bits_;
  const std::vector<double>* products_;
  const std::vector<std::int64_t>* whole_logs_;
  double series_from_;
  std::size_t channels_ = 0;
  std::array<Field, kFields> fields_{};
  std::array<double, kFields> step_{};  // units of what a field holds
  double rounding_ = 0.0;
  std::vector<Weights> weights_;  // by product, where those are not too many
};

}  // namespace qnml
