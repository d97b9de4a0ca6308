// Whether a class of equivalent networks has one that obeys the rules, and which.
//
// The arrows of the class are in all of its networks. The lines of a component can be directed apart from those of the
// others: nodes are taken out one after the other, each as the child of those it still has lines to, provided these
// are adjacent to each other and the rules admit them as its parents. Whoever may be taken out may be taken out first:
// in a sequence that takes it out later the others only lose a parent, and every rule that admits parents admits fewer,
// but for required ones, and these cannot go before their child. So it never has to be tried again, and where it gets
// stuck there is no such network.
#pragma once

#include <vector>

#include "core/counting/columns.hpp"
#include "core/graph/partial_dag.hpp"
#include "core/graph/rules.hpp"

namespace qnml {

class AdmittedClasses {
 public:
  // The families admitted are those of FamilyCache with the `most_cells` and the required parents of the rules.
  AdmittedClasses(const Columns& table, const Rules& rules);

  // Whether they are the same for all networks of a class: about pairs whichever the direction, and about the size of
  // the largest families. Turning an arc between two variables that have the same other parents passes the larger
  // family on from the one to the other.
  bool are_of_classes() const { return are_of_classes_; }
  // Whether the two may be adjacent, in some direction.
  bool is_pair_allowed(int a, int b) const { return rules_.allowed.test(a, b) || rules_.allowed.test(b, a); }
  bool is_pair_required(int a, int b) const { return rules_.required.test(a, b) || rules_.required.test(b, a); }
  // False when no class that has such a family, of the child and so many parents with these cells, is admitted.
  bool may_have(std::size_t parents, double cells) const;
  double levels(int variable) const { return levels_[static_cast<std::size_t>(variable)]; }

  // Whether the class has a network that obeys, as far as the families of these nodes and the lines of their
  // components matter.
  bool has_member(const PartialDag& graph, const std::vector<int>& nodes) const;
  // The parents of each variable in a network of the class that obeys. Of several, variables that come earlier tend
  // to be parents. The class has to have one.
  std::vector<std::vector<int>> member(const PartialDag& graph) const;

 private:
  bool is_arrow_admitted(int from, int to) const {
    return rules_.allowed.test(to, from) && !rules_.required.test(from, to);
  }
  bool is_family_admitted(int child, const std::vector<int>& parents) const;
  bool direct(const PartialDag& graph, const std::vector<int>& component, std::vector<std::vector<int>>& parents) const;

  const Rules& rules_;
  std::vector<double> levels_;
  std::size_t most_parents_ = 0;  // that any variable may have
  bool has_required_ = false;
  bool are_of_classes_ = true;
};

}  // namespace qnml
