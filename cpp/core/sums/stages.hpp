// The stages of the sums, as Control names them. Python compares these names to forecast how long the sums still take.
#pragma once

namespace qnml::sums_stage {

inline constexpr const char* kCounting = "counting";
inline constexpr const char* kSums = "sums";
inline constexpr const char* kCompletions = "completions";
inline constexpr const char* kProbabilities = "probabilities";

}  // namespace qnml::sums_stage
