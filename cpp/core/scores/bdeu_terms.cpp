#include "core/scores/bdeu_terms.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "core/base/simd.hpp"
#include "core/counting/count.hpp"
#include "core/numbers/special.hpp"

namespace qnml {
namespace {

// The largest weight of a cell for which the polynomial is used.
constexpr double kLargest = 1.0 / 150.0;

// Powers of 1 / k that are summed; the omitted ones are below 1e-18 for each cell.
constexpr int kPowers = 6;

// Below these totals the fields fit into three channels, and into four.
constexpr std::uint64_t kMostInThree = std::uint64_t{1} << 15;
constexpr std::uint64_t kMostInFour = std::uint64_t{1} << 20;

// Doubles represent whole numbers of this many bits exactly.
constexpr int kDoubleBits = 52;

constexpr std::size_t kMostWeights = std::size_t{1} << 16;

// e^j, for j = 1 .. kPowers, as a polynomial of degree three without a constant term. Its remainder is a multiple of
// e (e - a) (e - b) (e - c), whose maximum on the interval is smallest for the Chebyshev polynomial with one of its
// zeros at 0.
struct Powers {
  double of[kPowers + 1][3] = {};
};

Powers reduced_powers() {
  const double pi = std::acos(-1.0);
  const double outer = std::cos(pi / 8.0);
  double zero[3];
  for (int i = 0; i < 3; ++i) zero[i] = kLargest * (std::cos((2 * i + 1) * pi / 8.0) + outer) / (1.0 + outer);
  const double sum = zero[0] + zero[1] + zero[2];
  const double pairs = zero[0] * zero[1] + zero[0] * zero[2] + zero[1] * zero[2];
  const double product = zero[0] * zero[1] * zero[2];
  Powers powers;
  powers.of[1][0] = 1.0;
  for (int j = 1; j < kPowers; ++j) {
    const double* now = powers.of[j];
    powers.of[j + 1][0] = now[2] * product;
    powers.of[j + 1][1] = now[0] - now[2] * pairs;
    powers.of[j + 1][2] = now[1] + now[2] * sum;
  }
  return powers;
}

// The factors of e, -e^2 and e^3, all positive, from the sums over k = 3 .. c - 1 of k^-j for j = 1 .. kPowers.
std::array<double, 3> coefficients(const double* sums) {
  static const Powers powers = reduced_powers();
  std::array<double, 3> factors{};
  for (int j = kPowers; j >= 1; --j) {
    const double signed_sum = (j % 2 == 1 ? 1.0 : -1.0) / j * sums[j - 1];
    for (std::size_t i = 0; i < 3; ++i) factors[i] += signed_sum * powers.of[j][i];
  }
  factors[1] = -factors[1];
  return factors;
}

// Sum of k^-m for k = 3 .. n by the Euler-Maclaurin formula, for n of at least a million, where four terms are exact.
double harmonic_tail(double n, int m) {
  constexpr double kZeta[] = {0.0,
                              0.0,
                              1.64493406684822643647,
                              1.20205690315959428540,
                              1.08232323371113819152,
                              1.03692775514336992633,
                              1.01734306198444913971};
  const double first_two = 1.0 + std::pow(2.0, -m);
  const double rest = 0.5 * std::pow(n, -m) - m / 12.0 * std::pow(n, -m - 1);
  if (m == 1) return std::log(n) + std::numbers::egamma + rest - first_two;
  return kZeta[m] - std::pow(n, 1 - m) / (m - 1) + rest - first_two;
}

}  // namespace

BdeuTerms::BdeuTerms(double ess, std::uint64_t total, int bits, const std::vector<double>& products,
                     const std::vector<std::int64_t>& whole_logs)
    : ess_(ess),
      total_(total),
      bits_(bits),
      products_(&products),
      whole_logs_(&whole_logs),
      series_from_(ess / kLargest) {
  if (total < kMostInThree) {
    set_fields({{kCells, kGamma}, {kTwo, kFirst}, {kThree, kSecond, kThird}});
  } else if (total < kMostInFour) {
    set_fields({{kGamma}, {kCells, kTwo, kThree}, {kFirst}, {kSecond, kThird}});
  } else {
    set_fields({{kCells}, {kGamma}, {kTwo}, {kThree}, {kFirst}, {kSecond}, {kThird}});
  }
  for (std::uint32_t index = 0; products.size() <= kMostWeights && index < products.size(); ++index) {
    weights_.push_back(weights(index));
  }
}

// Bits needed for the sum over all cells of a set, including the rounding of each cell.
int BdeuTerms::width(int field, int fraction) const {
  const auto n = static_cast<double>(total_);
  double most = 0.0;  // a cell of count c adds at most c times this
  double cells = n;   // that add anything
  switch (field) {
    case kCells:
      most = 1.0;
      break;
    case kTwo:
      most = 1.0 / 2.0;
      break;
    case kThree:
      most = 1.0 / 3.0;
      break;
    case kGamma:
      most = log_gamma(n) / n;
      cells = n / 3.0;
      break;
    default: {
      // Largest for small counts: the sums grow slower than the counts.
      double sums[kPowers] = {};
      for (int count = 4; count < 64; ++count) {
        for (int j = 0; j < kPowers; ++j) sums[j] += std::pow(count - 1.0, -(j + 1));
        most = std::max(most, coefficients(sums)[static_cast<std::size_t>(field - kFirst)] / count);
      }
      cells = n / 4.0;
    }
  }
  return std::ilogb(std::ldexp(most * n, fraction) + 0.5 * cells + 2.0) + 1;
}

// Each field is as fine as the units require, or as fine as fits.
void BdeuTerms::set_fields(const std::vector<std::vector<int>>& words) {
  channels_ = words.size();
  const std::array<int, kFields> fine{0, bits_, 0, 0, bits_ - 5, bits_ - 12, bits_ - 19};
  for (std::size_t channel = 0; channel < words.size(); ++channel) {
    for (int coarser = 0;; ++coarser) {
      int shift = 0;
      for (int field : words[channel]) {
        const int fraction = std::max(fine[static_cast<std::size_t>(field)] - coarser, 0);
        const int bits = width(field, fraction);
        fields_[static_cast<std::size_t>(field)] = {channel, shift, bits, fraction};
        shift += bits;
      }
      const int series = words[channel].back();
      const bool is_exact = series < kFirst || fields_[static_cast<std::size_t>(series)].width <= kDoubleBits;
      if ((shift <= 63 && is_exact) || coarser > bits_) break;
    }
  }
  double weight = 1.0;
  for (int field = 0; field < kFields; ++field) {
    const auto f = static_cast<std::size_t>(field);
    step_[f] = std::ldexp(1.0, bits_ - fields_[f].fraction);
    if (field >= kFirst) weight *= kLargest;
    if (field == kGamma || field >= kFirst) rounding_ += 0.5 * weight * step_[f];
  }
  rounding_ = static_cast<double>(total_) * (rounding_ + std::ldexp(1e-13, bits_) + 4.0);
}

void BdeuTerms::pack(const std::array<double, kFields>& parts, std::int64_t* values) const {
  std::array<std::uint64_t, kFields> channels{};
  for (std::size_t f = 0; f < kFields; ++f) {
    const Field& field = fields_[f];
    const auto scaled = static_cast<std::uint64_t>(std::llround(std::ldexp(parts[f], field.fraction)));
    channels[field.channel] |= scaled << field.shift;
  }
  for (std::size_t c = 0; c < channels_; ++c) values[c] = static_cast<std::int64_t>(channels[c]);
}

void BdeuTerms::fill(std::uint64_t size, std::size_t stride, std::int64_t* values) const {
  double sums[kPowers] = {};
  for (std::uint64_t count = 1; count < size; ++count) {
    const double k = static_cast<double>(count) - 1.0;
    if (k >= 3.0) {
      double power = 1.0;
      for (double& sum : sums) sum += (power /= k);
    }
    const std::array<double, 3> factors = coefficients(sums);
    pack({1.0, log_gamma(static_cast<double>(count)), count > 1 ? 1.0 : 0.0, count > 2 ? 1.0 : 0.0, factors[0],
          factors[1], factors[2]},
         values + count * stride);
  }
}

void BdeuTerms::fill_one(std::uint64_t count, std::int64_t* values) const {
  const auto c = static_cast<double>(count);
  double sums[kPowers];
  for (int j = 0; j < kPowers; ++j) sums[j] = harmonic_tail(c - 1.0, j + 1);
  const std::array<double, 3> factors = coefficients(sums);
  pack({1.0, log_gamma(c), 1.0, 1.0, factors[0], factors[1], factors[2]}, values);
}

BdeuTerms::Weights BdeuTerms::weights(std::uint32_t index) const {
  const double e = ess_ / (*products_)[index];
  auto whole = [&](double value) { return std::llround(std::ldexp(value, bits_)); };
  // The logarithm of the weight is consistent with those of other products.
  return {whole(std::log(ess_)) - (*whole_logs_)[index], whole(std::log1p(e)), whole(std::log1p(0.5 * e)), e};
}

std::int64_t BdeuTerms::cell(std::uint64_t count, std::uint32_t index) const {
  if (count == 0) return 0;
  const Weights mine = weights_.empty() ? weights(index) : weights_[index];
  return mine.log_weight + std::llround(std::ldexp(log_rising(mine.e + 1.0, static_cast<double>(count) - 1.0), bits_));
}

std::int64_t BdeuTerms::value(const Profile& profile, std::uint32_t index) const {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < profile.counts.size(); ++i) {
    sum += static_cast<std::int64_t>(profile.cells[i]) * cell(profile.counts[i], index);
  }
  return sum;
}

namespace {

// Conversions of numbers from 0 to 2^52, without an instruction that only some vector units have.
constexpr double kTwo52 = 4503599627370496.0;
QNML_INLINE double to_double(std::uint64_t number) {
  return std::bit_cast<double>(number | std::bit_cast<std::uint64_t>(kTwo52)) - kTwo52;
}
QNML_INLINE std::uint64_t to_nearest(double number) {
  return std::bit_cast<std::uint64_t>(number + kTwo52) ^ std::bit_cast<std::uint64_t>(kTwo52);
}

// The places and the factors of the fields.
struct Mix {
  struct Part {
    const std::int64_t* sums;
    int shift;
    std::uint64_t mask;
    std::uint64_t factor;  // of the fields before kFirst
    double step;           // of the other fields, in units
  };
  Part part[7];
  double e;
};

// Integer arithmetic except for the polynomial, which rounds like doubles on every machine.
QNML_INLINE std::uint64_t mixed(const Mix& mix, std::size_t k) {
  std::uint64_t fields[7];
  for (int f = 0; f < 7; ++f)
    fields[f] = static_cast<std::uint64_t>(mix.part[f].sums[k]) >> mix.part[f].shift & mix.part[f].mask;
  std::uint64_t whole = 0;
  for (int f = 0; f < 4; ++f) whole += fields[f] * mix.part[f].factor;
  const double third = mix.e * (mix.part[6].step * to_double(fields[6]));
  const double second = mix.e * (mix.part[5].step * to_double(fields[5]) - third);
  return whole + to_nearest(mix.e * (mix.part[4].step * to_double(fields[4]) - second));
}

QNML_VECTOR_CLONES void mix_lanes(const Mix& given, std::size_t lanes, std::int64_t* __restrict out) {
  const Mix mix = given;
  for (std::size_t k = 0; k < lanes; ++k) out[k] = static_cast<std::int64_t>(mixed(mix, k));
}

}  // namespace

BdeuTerms::PlainForm BdeuTerms::plain_form() const {
  PlainForm form;
  for (std::size_t f = 0; f < kFields; ++f) {
    const Field& field = fields_[f];
    form.channel.push_back(static_cast<std::int32_t>(field.channel));
    form.shift.push_back(field.shift);
    form.mask.push_back(~std::uint64_t{0} >> (64 - field.width));
    form.step.push_back(step_[f]);
  }
  form.gamma_factor = std::int64_t{1} << (bits_ - fields_[kGamma].fraction);
  for (std::uint32_t index = 0; index < products_->size(); ++index) {
    const Weights mine = weights_.empty() ? weights(index) : weights_[index];
    form.log_weight.push_back(mine.log_weight);
    form.log_two.push_back(mine.log_two);
    form.log_three.push_back(mine.log_three);
    form.e.push_back(mine.e);
  }
  return form;
}

std::int64_t BdeuTerms::value(const std::int64_t* sums, std::uint32_t index) const {
  std::int64_t value = 0;
  values(sums, 1, index, &value);
  return value;
}

void BdeuTerms::values(const std::int64_t* sums, std::size_t lanes, std::uint32_t index, std::int64_t* out) const {
  const Weights mine = weights_.empty() ? weights(index) : weights_[index];
  Mix mix;
  mix.e = mine.e;
  const std::int64_t factor[] = {mine.log_weight, std::int64_t{1} << (bits_ - fields_[kGamma].fraction), mine.log_two,
                                 mine.log_three};
  for (std::size_t f = 0; f < kFields; ++f) {
    const Field& field = fields_[f];
    mix.part[f] = {sums + field.channel * lanes, field.shift, ~std::uint64_t{0} >> (64 - field.width),
                   f < kFirst ? static_cast<std::uint64_t>(factor[f]) : 0, step_[f]};
  }
  if (lanes == 1) {
    *out = static_cast<std::int64_t>(mixed(mix, 0));
  } else {
    mix_lanes(mix, lanes, out);
  }
}

}  // namespace qnml
