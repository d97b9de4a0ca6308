#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/counting/columns.hpp"
#include "core/scores/make_score.hpp"
#include "core/scores/structure_prior.hpp"
#include "core/scores/superset_bound.hpp"
#include "tests/all_scores.hpp"
#include "tests/close_to.hpp"
#include "tests/doctest.h"
#include "tests/random_table.hpp"

using qnml::PriorKind;
using qnml::StructurePrior;

TEST_CASE("the uniform prior has no price") {
  const StructurePrior prior(PriorKind::uniform, 5, 1.0);
  CHECK(prior.is_uniform());
  CHECK(prior.price(4) == 0.0);
  CHECK(prior.set_price(5) == 0.0);
  CHECK(prior.highest_price() == 0.0);
}

TEST_CASE("a family pays the logarithm of a binomial coefficient, and a set the sum of smaller families") {
  for (int n : {1, 2, 3, 8, 37, 1000}) {
    const StructurePrior prior(PriorKind::sparse, n, 3.0);
    double highest = 0.0, set = 0.0;
    for (int k = 0; k < n; ++k) {
      CHECK(prior.price(k) == close_to(-3.0 * log_prior(PriorKind::sparse, n, k), 1e-9));
      CHECK(prior.price(k) == prior.price(n - 1 - k));
      CHECK(prior.set_price(k) == close_to(set, 1e-9));
      set += prior.price(k);
      highest = std::max(highest, prior.price(k));
    }
    CHECK(prior.price(0) == 0.0);
    CHECK(prior.highest_price() == highest);
  }
}

TEST_CASE("no superset pays less than its range") {
  for (int n = 1; n <= 40; ++n) {
    const StructurePrior prior(PriorKind::sparse, n, 1.0);
    for (int size = 0; size < n; ++size) {
      for (int most = size; most < n; ++most) {
        const StructurePrior::Ranges ranges = prior.ranges(size, most);
        const int far_from = ranges.far_size == 0 ? n : ranges.far_size;
        CHECK(far_from > size);
        double near = std::numeric_limits<double>::infinity(), far = near;
        for (int k = size; k <= most; ++k)
          (k < far_from ? near : far) = std::min(k < far_from ? near : far, prior.price(k));
        CHECK(ranges.near == near);  // and nothing is given away
        if (far_from <= most) CHECK(ranges.far == far);
      }
    }
  }
}

TEST_CASE("no superset scores above the bound, however many parents it has") {
  constexpr int kColumns = 6;
  for (qnml::ScoreKind kind : kAllScores) {
    for (unsigned seed = 0; seed < 6; ++seed) {
      RandomTable table({2, 3, 2, 2, 2, 3}, seed % 2 == 0 ? 6 : 80, seed);
      table.make_dependent(seed + 3);
      const auto score = qnml::make_score(kind, 0.7, table.view, 1, PriorKind::sparse);
      const std::vector<qnml::LevelProduct> fewest = qnml::fewest_levels(table.view);
      std::vector<double> local(std::size_t{1} << kColumns);
      for (std::uint64_t set = 0; set < local.size(); ++set) {
        if ((set & 1) == 0) local[set] = local_score(table.view, kind, 0.7, 0, members_of(set));
      }
      for (std::uint64_t set = 0; set < local.size(); set += 2) {
        // What is known whatever the counts.
        qnml::KnownParents parents;
        for (int member : members_of(set)) parents.levels = parents.levels.times(table.view.levels(member));
        parents.size = static_cast<int>(members_of(set).size());
        for (int most = parents.size; most < kColumns; ++most) {
          const double bound = qnml::bound_with_prior(*score, 2, parents, 0.0, fewest, most);
          for (std::uint64_t larger = set; larger < local.size(); larger += 2) {
            const auto size = static_cast<int>(members_of(larger).size());
            if ((larger & set) != set || size > most) continue;
            CHECK(bound >= local[larger] + log_prior(PriorKind::sparse, kColumns, size) - 1e-9);
          }
        }
      }
    }
  }
}
