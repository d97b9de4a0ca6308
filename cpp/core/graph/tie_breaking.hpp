// Tie-breaking: how the core chooses among networks of equal score.
//
// Every rule assigns a number to a family and the sum over its families to a network; the larger sum wins. Equivalent
// networks have the same sum under every rule, so a rule chooses among equivalence classes. Within a class, and among
// classes of equal sums, lower column numbers come first: in parent sets, and for the variable placed last in an order.
// Columns are numbered in the order of their names.
#pragma once

#include <cstdint>
#include <tuple>

namespace qnml {

enum class TieRule { simplest, largest, random };

// Networks are tied if their scores, in units, differ by at most 1e-9 of the score, rounded up. Rounding changes a
// score by about 1e-12 of its size, so scores that are equal by an identity between logarithms of fractions or of sums
// are tied. Scores are at most zero.
constexpr std::int64_t tolerance(std::int64_t score) { return -score / 1'000'000'000 + 1; }

// Free parameters (capped) * 1024 + number of parents. The sum over a network is the same for equivalent networks.
std::int64_t complexity(double parent_configurations, double child_levels, int n_parents);

// The number of a family under a rule; `complexity` is that of the family. Random numbers are differences of a random
// set function, so equivalent networks have equal sums here too.
std::int64_t tie_value(TieRule rule, std::uint64_t seed, int child, std::uint64_t parents, std::int64_t complexity);

// Random numbers that distinguish classes: the networks of equal score belong to several classes exactly if the largest
// and the smallest of their sums differ, except with probability 2^-48.
std::int64_t examination_value(int child, std::uint64_t parents);

// Orders the families of one child: by score, then the simpler first, then by parent set.
template <class Family>
bool comes_first(const Family& a, const Family& b) {
  return std::tuple(-a.score, a.complexity, a.parents) < std::tuple(-b.score, b.complexity, b.parents);
}

// Orders ranked networks: by value (score, then tie), then by the parents of the first column that differs.
template <class Ranked>
bool ranks_before(const Ranked& a, const Ranked& b) {
  return a.first != b.first ? a.first > b.first : a.second < b.second;
}

}  // namespace qnml
