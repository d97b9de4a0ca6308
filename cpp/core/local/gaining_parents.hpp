// Who gains as one parent more of a child, given the parents it has: found once for each set of parents.
//
// A search that is shaken and climbs back asks for the same sets over and over. Of the variables that could be added
// few gain, so that the list of those is short, where their scores would have to be looked up one by one.
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
  using Gains = std::vector<Gain>;  // by the number of the other

  // Of each child `partners` are tried. About `memory_bytes` are kept.
  GainingParents(FamilyCache& families, const AdmittedClasses& rules, const std::vector<std::vector<int>>& partners,
                 double memory_bytes);

  // Nothing where they were not found yet. Valid until the next make_room().
  const Gains* known(int child, const std::vector<int>& sorted_parents) const;
  // Safe to call from several threads.
  Gains find(int child, const std::vector<int>& sorted_parents);
  void keep(int child, const std::vector<int>& sorted_parents, Gains gains);
  // Forgets all when there are too many.
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
