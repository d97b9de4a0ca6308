#include "core/scores/units.hpp"

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace qnml {
namespace {

constexpr std::uint64_t kConsistentRows = 10'000;

std::int64_t even_log(std::uint64_t number, double scale) {
  return 2 * std::llround(0.5 * std::log(static_cast<double>(number)) * scale);
}

}  // namespace

Units::Units(int bits, std::uint64_t total, std::uint32_t most_levels) : bits_(bits), scale_(std::ldexp(1.0, bits)) {
  if (total > kConsistentRows) return;
  // Jeffreys' prior needs the numbers r + 2k for k < N.
  const std::uint64_t most = 2 * total + most_levels + 2;
  std::vector<std::int64_t> logs(most, 0);
  for (std::uint64_t number = 2; number < most; ++number) {
    if (logs[number] != 0) continue;  // a multiple of a smaller prime
    const std::int64_t log = even_log(number, scale_);
    for (std::uint64_t power = number; power < most; power *= number) {
      for (std::uint64_t multiple = power; multiple < most; multiple += power) logs[multiple] += log;
      if (power > most / number) break;
    }
  }
  logs_ = std::move(logs);
}

std::int64_t Units::rounded(double nats) const {
  if (!std::isfinite(nats)) throw std::domain_error("a term of a score is not finite");
  return std::llround(nats * scale_);
}

std::int64_t Units::log_of(std::uint64_t number) const {
  return number < logs_.size() ? logs_[number] : even_log(number, scale_);
}

std::int64_t Units::count_log_count(std::uint64_t count) const {
  if (is_consistent()) return static_cast<std::int64_t>(count) * log_of(count);
  const auto c = static_cast<double>(count);
  return rounded(c * std::log(c));
}

}  // namespace qnml
