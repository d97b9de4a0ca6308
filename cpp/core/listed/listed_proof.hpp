// An upper bound on the score of any network of listed families and, where possible, a proof that one is optimal.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/control.hpp"
#include "core/listed/listed_orders.hpp"
#include "core/listed/listed_problem.hpp"

namespace qnml {

struct ListedProof {
  std::int64_t bound = 0;  // in units, as the score
  bool optimal = false;    // the network is, up to 1e-9 of its score
  ListedChoice choice;     // a network that scores at least as much as the one given
  std::int64_t score = 0;
  int n_proven = 0;  // variables whose families are those of an optimal network
};

// Prices of clusters bound the score (proving/cluster_bound.hpp), first for the best families of each child, with one
// open choice in place of the others, and for more and more of them; families that cannot be in a better network are
// dropped. What is left is solved by branch and bound, component by component, in at most `cases` cases each. With more
// than kMostProven variables the bound is that of unrelated families.
ListedProof prove_listed(const ListedProblem& problem, const ListedFamilies& families, const ListedChoice& choice,
                         std::size_t cases, Control& control);

}  // namespace qnml
