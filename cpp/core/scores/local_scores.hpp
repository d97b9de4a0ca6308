// Local scores of a list of families.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/columns.hpp"
#include "core/scores/score.hpp"

namespace qnml {

struct FamilyList {
  std::span<const std::int32_t> children;
  std::span<const std::int64_t> offsets;  // parents of family f are parents[offsets[f] .. offsets[f + 1])
  std::span<const std::int32_t> parents;
};

// Scores every family on the rows that count for it, in nats whatever the scale of the score, in parallel over
// families; the result does not depend on the number of threads. `scores`: made for each part of the table. After a
// stop some families are not scored.
std::vector<double> local_scores(const Columns& table, const FamilyList& families,
                                 const std::vector<std::shared_ptr<const Score>>& scores, int threads,
                                 Control& control);

}  // namespace qnml
