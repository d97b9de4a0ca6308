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

struct FingerprintHash {
  std::size_t operator()(const Fingerprint& key) const { return static_cast<std::size_t>(key.low); }
};

class GainingParents {
 public:
  struct Gain {
    double gain;
    int other;
  };
  using Gains = std::vector<Gain>;  // ascending by `other`

  // Tries the `partners` of each child. Stores about `memory_bytes`, beside the drafts.
  GainingParents(FamilyCache& families, const AdmittedClasses& rules, const std::vector<std::vector<int>>& partners,
                 double memory_bytes);

  const std::vector<int>& partners(int child) const { return partners_[static_cast<std::size_t>(child)]; }
  // Safe to call from several threads.
  Gains find(int child, const std::vector<int>& sorted_parents) const;
  // Clears all lists if they exceed the memory; returns whether it did.
  bool make_room();

  // The lists that one climb found. Several climbs can run at once, since none of them writes to the lists they share;
  // these take a draft when the climb is accepted.
  class Draft {
   public:
    explicit Draft(const GainingParents& shared) : shared_(&shared) {}

    // Null if computed neither here nor before. Valid until lists are taken or cleared.
    const Gains* known(int child, const std::vector<int>& sorted_parents) const;
    void keep(int child, const std::vector<int>& sorted_parents, Gains gains);
    // The families that were scored for its lists.
    double families() const { return families_; }

   private:
    friend class GainingParents;
    struct List {
      Gains gains;
      double families;
    };

    const GainingParents* shared_;
    std::unordered_map<Fingerprint, List, FingerprintHash> lists_;
    double families_ = 0.0;
  };
  // The families that were scored for lists of the draft that are not known by now.
  double new_families(const Draft& draft) const;
  void take(Draft draft);

 private:
  Fingerprint key(int child, const std::vector<int>& sorted_parents) const;

  FamilyCache& families_;
  const AdmittedClasses& rules_;
  const std::vector<std::vector<int>>& partners_;
  std::vector<Fingerprint> as_parent_, as_child_;
  std::unordered_map<Fingerprint, Gains, FingerprintHash> lists_;
  double most_bytes_;
  double bytes_ = 0.0;
};

}  // namespace qnml
