// Small tables with rules of every kind, and the best network under these rules by dynamic programming over sets.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/graph/rules.hpp"
#include "core/numbers/minus_infinity.hpp"
#include "core/scores/family_cache.hpp"
#include "core/scores/make_score.hpp"
#include "tests/all_scores.hpp"
#include "tests/random_table.hpp"

struct ProvingCase {
  static constexpr int kVariables = 6;
  static constexpr std::uint64_t kSets = 1 << kVariables;
  static constexpr double kParameter = 0.7;

  enum class Rules { none, max_parents, most_cells, arcs };

  ProvingCase(qnml::ScoreKind kind, Rules which, std::size_t rows, unsigned seed,
              qnml::PriorKind prior = qnml::PriorKind::uniform)
      : kind(kind),
        prior(prior),
        table({2, 3, seed % 3 == 0 ? 1U : 2U, 4, 2, 3}, rows, seed),
        rules(qnml::Rules::none(kVariables)) {
    table.make_dependent(seed + 100);
    if (which == Rules::max_parents) rules.max_parents.assign(kVariables, 2);
    if (which == Rules::most_cells) rules.most_cells = static_cast<double>(rows);
    if (which == Rules::arcs) {
      rules.required.set(0, 1);
      rules.allowed.clear(3, 2);
      rules.allowed.clear(3, 4);
    }
    for (int child = 0; child < kVariables; ++child) {
      local.emplace_back();
      for (std::uint64_t set = 0; set < kSets; ++set) local.back().push_back(admitted_score(child, set));
    }
  }

  std::unique_ptr<qnml::FamilyCache> make_cache() const {
    auto families = std::make_unique<qnml::FamilyCache>(table.view, make_score(), rules.most_cells, 1e8);
    for (int child = 0; child < kVariables; ++child) families->admit(child, rules.required.members(child));
    return families;
  }

  std::unique_ptr<const qnml::Score> make_score() const {
    return qnml::make_score(kind, kParameter, table.view, 1, prior);
  }

  double score_of(int child, const std::vector<int>& parents) const {
    std::uint64_t set = 0;
    for (int parent : parents) set |= std::uint64_t{1} << parent;
    return local[static_cast<std::size_t>(child)][set];
  }

  // No family with more parents is admitted any longer.
  void limit_parents(int most) {
    for (std::vector<double>& scores : local) {
      for (std::uint64_t set = 0; set < kSets; ++set) {
        if (std::popcount(set) > most) scores[set] = qnml::kMinusInfinity;
      }
    }
  }

  // The highest score of an admitted network, set by set: a network on a set has a sink, and the rest is a network.
  double best_score() const {
    std::vector<double> best(kSets, qnml::kMinusInfinity);
    best[0] = 0.0;
    for (std::uint64_t set = 1; set < kSets; ++set) {
      for (int sink = 0; sink < kVariables; ++sink) {
        if ((set >> sink & 1) == 0) continue;
        const std::uint64_t others = set ^ std::uint64_t{1} << sink;
        double family = qnml::kMinusInfinity;
        for (std::uint64_t parents = 0; parents < kSets; ++parents) {
          if ((parents & ~others) == 0) family = std::max(family, local[static_cast<std::size_t>(sink)][parents]);
        }
        best[set] = std::max(best[set], best[others] + family);
      }
    }
    return best[kSets - 1];
  }

  qnml::ScoreKind kind;
  qnml::PriorKind prior;
  RandomTable table;
  qnml::Rules rules;
  std::vector<std::vector<double>> local;  // by child and parent set; minus infinity if not admitted

 private:
  double admitted_score(int child, std::uint64_t set) const {
    const std::vector<int> parents = members_of(set);
    const std::vector<int> required = rules.required.members(child);
    double cells = table.view.levels(child);
    for (int parent : parents) {
      if (!rules.allowed.test(child, parent)) return qnml::kMinusInfinity;
      cells *= table.view.levels(parent);
    }
    if (!std::includes(parents.begin(), parents.end(), required.begin(), required.end())) return qnml::kMinusInfinity;
    if (std::popcount(set) > rules.max_parents[static_cast<std::size_t>(child)]) return qnml::kMinusInfinity;
    if (cells > rules.most_cells && parents != required) return qnml::kMinusInfinity;
    return local_score(table.view, kind, kParameter, child, parents) + log_prior(prior, kVariables, std::popcount(set));
  }
};

inline constexpr qnml::PriorKind kBothPriors[] = {qnml::PriorKind::uniform, qnml::PriorKind::sparse};
inline constexpr ProvingCase::Rules kAllRules[] = {ProvingCase::Rules::none, ProvingCase::Rules::max_parents,
                                                   ProvingCase::Rules::most_cells, ProvingCase::Rules::arcs};
