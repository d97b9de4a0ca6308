// The scores by name. This is the only place that knows which scores there are.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/counting/columns.hpp"
#include "core/scores/score.hpp"
#include "core/scores/structure_prior.hpp"

namespace qnml {

enum class ScoreKind { loglik, aic, bic, hqc, ebic, qnml, fnml, bdeu, bdq, bds, bdj, k2, qnml_switched, fnml_switched };

struct ScoreEntry {
  ScoreKind kind;
  const char* name;
  std::unique_ptr<const Score> (*make)(const ScoreSettings& settings);
};

// In the order of ScoreKind.
std::span<const ScoreEntry> score_entries();

// See ScoreSettings for the arguments. Throws std::invalid_argument if the total is not a multiple of the scale, or if
// the score does not admit the scale.
std::unique_ptr<const Score> make_score(ScoreKind kind, double parameter, std::uint64_t total, int n_variables,
                                        std::uint64_t scale = 1, PriorKind prior = PriorKind::uniform);
std::unique_ptr<const Score> make_score(ScoreKind kind, double parameter, const Columns& table, std::uint64_t scale = 1,
                                        PriorKind prior = PriorKind::uniform);

// For each part of a table the score made for its total; one score if the table is not split. A part without rows, of
// variables that were set in all of them, scores zero.
std::vector<std::shared_ptr<const Score>> make_part_scores(ScoreKind kind, double parameter, const Columns& table,
                                                           int n_variables, std::uint64_t scale = 1,
                                                           PriorKind prior = PriorKind::uniform);

// What holds for a score whatever its parameter and the data.
struct ScoreTraits {
  bool is_set_function;
  bool has_cell_sums;           // it adds up over cells
  bool has_own_configurations;  // configurations of the parents have terms of their own
  bool has_price_of_arcs;
  bool price_ignores_counts;  // a fit minus a price that follows from the levels and the number of observations
  bool has_price_of_levels;   // more levels of a variable cost more
};
ScoreTraits score_traits(ScoreKind kind);

}  // namespace qnml
