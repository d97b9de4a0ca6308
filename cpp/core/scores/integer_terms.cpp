#include "core/scores/integer_terms.hpp"

#include <cstddef>
#include <cstdint>

#include "core/scores/score.hpp"

namespace qnml {

void FitTerms::fill(std::uint64_t size, std::size_t stride, std::int64_t* values) const {
  for (std::uint64_t count = 1; count < size; ++count) fill_one(count, values + count * stride);
}

void RoundedTerms::fill(std::uint64_t size, std::size_t stride, std::int64_t* values) const {
  for (std::uint64_t count = 1; count < size; ++count) RoundedTerms::fill_one(count, values + count * stride);
}

void RoundedTerms::fill_one(std::uint64_t count, std::int64_t* values) const {
  const auto c = static_cast<double>(count);
  values[0] = units_.rounded(score_.cell(c, {}));
  for (std::size_t k = 0; k < config_levels_.size(); ++k) {
    values[1 + k] = units_.rounded(score_.config(c, {}, config_levels_[k]));
  }
}

}  // namespace qnml
