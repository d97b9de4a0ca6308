// The variables that gain as an additional parent of a child, computed once for each parent set.
//
// A search that is perturbed and climbs again requests the same parent sets many times. Few variables gain, so a list
// of them is short; looking up the scores of all would take longer.
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "core/graph/class_member.hpp"
#include "core/scores/family_cache.hpp"
#include "core/scores/set_store.hpp"

namespace qnml {

class GainingParents {
 public:
  struct Gain {
    double gain;
    int other;
  };
  using Gains = std::vector<Gain>;  // ascending by `other`

  // Tries the `partners` of each child. Stores about `memory_bytes`.
  GainingParents(FamilyCache& families, const AdmittedClasses& rules, const std::vector<std::vector<int>>& partners,
                 double memory_bytes);

  // Null if not computed yet. Valid until the next make_room().
  const Gains* known(int child, const std::vector<int>& sorted_parents) const;
  // Safe to call from several threads.
  Gains find(int child, const std::vector<int>& sorted_parents);
  void keep(int child, const std::vector<int>& sorted_parents, Gains gains);
  // Clears all lists if they exceed the memory.
  void make_room();

 private:
  struct Hash {
    std::size_t operator()(const Fingerprint& key) const { return static_cast<std::size_t>(key.low); }
  };

  Fingerprint key(int child, const std::vector<int>& sorted_parents) const;

  FamilyCache& families_;
  const AdmittedClasses& rules_;
  const std::vector<std::vector<int>>& partners_;
  std::vector<Fingerprint> as_parent_, as_child_;
  std::unordered_map<Fingerprint, Gains, Hash> lists_;
  double most_bytes_;
  double bytes_ = 0.0;
};

}  // namespace qnml
