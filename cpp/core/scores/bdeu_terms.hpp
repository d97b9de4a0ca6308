// The terms of bdeu in whole units.
//
// A cell of count c has the term log Gamma(e + c) - log Gamma(e). Its weight e = ess / m depends on the set through the
// product m of its levels. One walk of the lattice still serves all sets, by sums that do not depend on e:
//   log e + log Gamma(c) + [c > 1] log(1 + e) + [c > 2] log(1 + e / 2) + sum_{k = 3}^{c - 1} log(1 + e / k),
// where the last sum is a polynomial in e of degree three, up to an error of 1e-13 for e up to 1/150. Its coefficients
// are sums over k of powers of 1 / k. The seven sums over cells are packed as fields into a few 64-bit numbers.
//
// Sets with a larger weight have few cells; the term of each cell is computed and rounded.
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
  // A unit is 2^-bits. `products` are the products of levels by index, `whole_logs` their logarithms in units.
  BdeuTerms(double ess, std::uint64_t total, int bits, const std::vector<double>& products,
            const std::vector<std::int64_t>& whole_logs);

  std::size_t channels() const override { return channels_; }
  void fill(std::uint64_t size, std::size_t stride, std::int64_t* values) const override;
  void fill_one(std::uint64_t count, std::int64_t* values) const override;
  const BdeuTerms* packed() const override { return this; }

  // Whether the channels do not give the value of sets with this product of levels, so that their counts are needed.
  bool needs_counts(std::uint32_t index) const { return (*products_)[index] < series_from_; }
  std::int64_t value(const Profile& profile, std::uint32_t index) const;
  // The term of a cell of such a set.
  std::int64_t cell(std::uint64_t count, std::uint32_t index) const;

  // The value of any other set, from the sums of its channels. Sums for many row weights are [channel * lanes + lane].
  std::int64_t value(const std::int64_t* sums, std::uint32_t index) const;
  void values(const std::int64_t* sums, std::size_t lanes, std::uint32_t index, std::int64_t* out) const;

  // The same as plain numbers, for a device: a value is the sum of the first four fields times their factors, plus a
  // polynomial in e of the others times their steps (see `mixed` in bdeu_terms.cpp). Weights are by product index.
  struct PlainForm {
    std::vector<std::int32_t> channel, shift;  // of the fields
    std::vector<std::uint64_t> mask;
    std::vector<double> step;
    std::int64_t gamma_factor = 0;
    std::vector<std::int64_t> log_weight, log_two, log_three;
    std::vector<double> e;
  };
  PlainForm plain_form() const;

  // Upper bound, in units, on the rounding error of all cells of a set together.
  double rounding() const { return rounding_; }

 private:
  enum { kCells, kGamma, kTwo, kThree, kFirst, kSecond, kThird, kFields };
  // Bits of a channel. The field counts steps of 2^-fraction.
  struct Field {
    std::size_t channel = 0;
    int shift = 0;
    int width = 64;
    int fraction = 0;
  };
  // The factors of the fields, for sets with one product of levels.
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
  std::array<double, kFields> step_{};  // units per step of a field
  double rounding_ = 0.0;
  std::vector<Weights> weights_;  // by product, unless there are too many products
};

}  // namespace qnml
