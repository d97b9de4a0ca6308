#include "core/scores/make_score.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>

#include "core/counting/columns.hpp"
#include "core/numbers/level_product.hpp"
#include "core/scores/dirichlet_quotient.hpp"
#include "core/scores/dirichlet_scores.hpp"
#include "core/scores/normalized_likelihood.hpp"
#include "core/scores/penalized_likelihood.hpp"
#include "core/scores/score.hpp"
#include "core/scores/structure_prior.hpp"
#include "core/scores/switched_regrets.hpp"

namespace qnml {
namespace {

template <class T>
std::unique_ptr<const Score> make(const ScoreSettings& settings) {
  return std::make_unique<T>(settings);
}

// For traits: hqc has no price below a handful of rows.
constexpr std::uint64_t kManyRows = 100;

constexpr ScoreEntry kEntries[] = {
    {ScoreKind::loglik, "loglik", make<LogLikelihood>},
    {ScoreKind::aic, "aic", make<Aic>},
    {ScoreKind::bic, "bic", make<Bic>},
    {ScoreKind::hqc, "hqc", make<HannanQuinn>},
    {ScoreKind::ebic, "ebic", make<ExtendedBic>},
    {ScoreKind::qnml, "qnml", make<QuotientNml>},
    {ScoreKind::fnml, "fnml", make<FactorizedNml>},
    {ScoreKind::bdeu, "bdeu", make<EquivalentUniformDirichlet>},
    {ScoreKind::bdq, "bdq", make<QuotientDirichlet>},
    {ScoreKind::bds, "bds", make<SparseDirichlet>},
    {ScoreKind::bdj, "bdj", make<JeffreysDirichlet>},
    {ScoreKind::k2, "k2", make<K2>},
    {ScoreKind::qnml_switched, "qnml_switched", make<SwitchedQuotientNml>},
    {ScoreKind::fnml_switched, "fnml_switched", make<SwitchedFactorizedNml>},
};

}  // namespace

std::span<const ScoreEntry> score_entries() { return kEntries; }

std::unique_ptr<const Score> make_score(ScoreKind kind, double parameter, std::uint64_t total, int n_variables,
                                        std::uint64_t scale, PriorKind prior) {
  if (scale == 0 || total % scale != 0)
    throw std::invalid_argument("make_score: the total is no multiple of the scale");
  for (const ScoreEntry& entry : kEntries) {
    if (entry.kind != kind) continue;
    std::unique_ptr<const Score> score = entry.make({parameter, total, n_variables, scale, prior});
    if (scale != 1 && !score->price_ignores_counts()) {
      throw std::invalid_argument("make_score: the price of this score depends on the counts, which must be whole");
    }
    return score;
  }
  throw std::logic_error("make_score: a score without an entry");
}

std::unique_ptr<const Score> make_score(ScoreKind kind, double parameter, const Columns& table, std::uint64_t scale,
                                        PriorKind prior) {
  return make_score(kind, parameter, table.total, static_cast<int>(table.columns.size()), scale, prior);
}

std::vector<std::shared_ptr<const Score>> make_part_scores(ScoreKind kind, double parameter, const Columns& table,
                                                           int n_variables, std::uint64_t scale, PriorKind prior) {
  std::vector<std::shared_ptr<const Score>> scores;
  for (std::size_t part = 0; part < table.n_parts(); ++part) {
    const std::uint64_t total = table.part(part).total;
    // The likelihood of no rows is one, whatever the parents. Prices may be logarithms of the total.
    scores.push_back(total == 0 ? make_score(ScoreKind::loglik, 0.0, scale, n_variables, scale, prior)
                                : make_score(kind, parameter, total, n_variables, scale, prior));
  }
  return scores;
}

ScoreTraits score_traits(ScoreKind kind) {
  // The price of an arc may be zero for some parameters, or for a single variable.
  const std::unique_ptr<const Score> score = make_score(kind, 1.0, kManyRows, 2);
  const auto* of_cells = dynamic_cast<const CellScore*>(score.get());
  return {dynamic_cast<const SetScore*>(score.get()) != nullptr,
          of_cells != nullptr,
          dynamic_cast<const ConfigScore*>(score.get()) != nullptr,
          score->prices().per_arc > 0.0,
          score->price_ignores_counts(),
          of_cells != nullptr && of_cells->price(LevelProduct::of(3.0), 1) > of_cells->price(LevelProduct::of(2.0), 1)};
}

}  // namespace qnml
