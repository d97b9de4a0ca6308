// Messages through a junction tree, towards its roots and back (F. Jensen, S. Lauritzen, K. Olesen, "Bayesian updating
// in causal probabilistic networks by local computations", Computational Statistics Quarterly 4, 1990).
//
// Every message towards the root is divided by its largest entry, and the logarithm of the divisor is kept. Entries of
// one table may still be hundreds of orders of magnitude apart. The product of the smallest positive entries of what a
// clique multiplies bounds its own; where that is no normal double, `collect` gives up, and the caller starts again
// with logarithms. So zero always means impossible. On the way back nothing needs to be watched: what vanishes there
// has a probability below 1e-300 given the evidence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/control.hpp"
#include "core/inference/domain.hpp"
#include "core/inference/junction_tree.hpp"

namespace qnml {

// The evidence of one question. `codes`: of all variables, read where a variable is fixed. `weights`: of the levels of
// each variable with soft evidence, at most 1; empty for the others.
struct Evidence {
  std::span<const std::int32_t> codes;
  std::vector<std::span<const double>> weights;
};

template <class Domain>
class Propagation {
 public:
  // The tree must outlive this. Allocates all memory; one object serves any number of questions of its tree.
  explicit Propagation(const JunctionTree& tree) : tree_(tree), space_(tree.workspace()) {}

  // Multiplies the tables and sends messages to the roots. False if digits may have been lost.
  bool collect(const Evidence& evidence, Control& control);
  // The logarithm of the probability of the evidence, or of the explanation if the question asks for one; minus
  // infinity if it is impossible.
  double log_total() const { return log_total_; }

  // After `collect`, of evidence that is possible: the marginals of the wanted variables, one after another.
  void distribute(std::span<const std::int32_t> codes, std::span<double> answer, Control& control);
  // The joint distribution of the free wanted variables.
  void joint(std::span<double> answer) const;

  // The table of a clique: after `collect`, the product of all that is beneath it.
  const double* table(const JunctionTree::Clique& clique) const { return space_.data() + clique.table; }

 private:
  bool fill_factors(const Evidence& evidence);
  bool multiply(const JunctionTree::Clique& clique);
  double send(const JunctionTree::Clique& clique);
  void receive(const JunctionTree::Clique& clique);
  void read(const JunctionTree::Source& source, const double* table, std::span<double> answer) const;

  const JunctionTree& tree_;
  std::vector<double> space_;
  std::vector<double> lowest_;  // smallest positive entry of each factor
  std::vector<double> message_lowest_;
  double log_total_ = 0.0;
};

}  // namespace qnml
