// Tells whether an equivalence class has a member that obeys the rules, and finds one.
//
// The arrows of the class are in all its networks. The lines of each component can be directed independently of the
// others. Nodes are removed one after another. A node becomes the child of the nodes it still has lines to, provided
// these are pairwise adjacent and the rules admit them as its parents. A node that can be removed can be removed first:
// in a sequence that removes it later, the other nodes only lose a parent, and every rule that admits a parent set also
// admits its subsets, except for required parents, and these cannot be removed before their child. So removals never
// need to be undone, and if the process gets stuck, no such network exists.
#pragma once

#include <cstddef>
#include <vector>

#include "core/counting/columns.hpp"
#include "core/graph/partial_dag.hpp"
#include "core/graph/rules.hpp"

namespace qnml {

class AdmittedClasses {
 public:
  // The admitted families are those of FamilyCache with the `most_cells` and the required parents of the rules.
  AdmittedClasses(const Columns& table, const Rules& rules);

  // Whether the rules treat all networks of a class alike: they concern adjacency regardless of direction, and the size
  // of the largest families. Reversing an arc between two variables with the same other parents passes the larger
  // family from one of them to the other.
  bool are_of_classes() const { return are_of_classes_; }
  // Whether the two may be adjacent, in some direction.
  bool is_pair_allowed(int a, int b) const { return rules_.allowed.test(a, b) || rules_.allowed.test(b, a); }
  bool is_pair_required(int a, int b) const { return rules_.required.test(a, b) || rules_.required.test(b, a); }
  // False if no class with such a family, of this many parents and cells, is admitted.
  bool may_have(std::size_t parents, double cells) const;
  double levels(int variable) const { return levels_[static_cast<std::size_t>(variable)]; }
  // The product of the levels of a family.
  double cells(int child, const std::vector<int>& parents) const;

  // Whether the class has a member that obeys the rules, as far as the families of these nodes and the lines of their
  // components are concerned.
  bool has_member(const PartialDag& graph, const std::vector<int>& nodes) const;
  // The parents of each variable in a member of the class that obeys the rules. Among several members, earlier
  // variables tend to be parents. The class must have such a member.
  std::vector<std::vector<int>> member(const PartialDag& graph) const;

 private:
  bool is_arrow_admitted(int from, int to) const {
    return rules_.allowed.test(to, from) && !rules_.required.test(from, to);
  }
  bool is_family_admitted(int child, const std::vector<int>& parents) const;
  bool direct(const PartialDag& graph, const std::vector<int>& component, std::vector<std::vector<int>>& parents) const;

  const Rules& rules_;
  std::vector<double> levels_;
  std::size_t most_parents_ = 0;  // largest number of parents that any variable may have
  bool has_required_ = false;
  bool are_of_classes_ = true;
};

}  // namespace qnml
