// The unit in which searches add scores, and logarithms in that unit.
//
// For up to kConsistentRows observations the logarithm of a whole number is the sum of the rounded logarithms of its
// prime factors, so that identities such as 4 log 4 = 4 (2 log 2) hold exactly.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace qnml {

class Units {
 public:
  // A unit is 2^-bits nats. `most_levels`: the largest number of levels of a variable.
  Units(int bits, std::uint64_t total, std::uint32_t most_levels);

  int bits() const { return bits_; }
  double size() const { return std::ldexp(1.0, -bits_); }
  // The nearest whole number of units. Throws std::domain_error for numbers that are not finite.
  std::int64_t rounded(double nats) const;
  // Whether logarithms are consistent with those of prime factors.
  bool is_consistent() const { return !logs_.empty(); }
  // log(number), an even number of units, so that half a logarithm is whole as well.
  std::int64_t log_of(std::uint64_t number) const;
  // count log(count), for counts up to the total.
  std::int64_t count_log_count(std::uint64_t count) const;

 private:
  int bits_;
  double scale_;
  std::vector<std::int64_t> logs_;
};

// All products of levels of sets of columns, by an index (see IntegerScore::stride).
struct LevelProducts {
  std::vector<double> value{1.0};
  std::vector<double> log{0.0};
  std::vector<std::int64_t> log_in_units{0};  // sums of Units::log_of
};

}  // namespace qnml
