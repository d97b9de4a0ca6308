// Recognizes equivalent networks: first by a shared signature, then with certainty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/random.hpp"

namespace qnml {

// Sums over the families of a network to the same number for all members of its equivalence class: for any set function
// R, the sum of R(parents + child) - R(parents) depends only on the standard imset of the class (Studeny 2005).
inline std::uint64_t class_signature(int child, std::uint64_t parents) {
  auto random_of = [](std::uint64_t set) { return mix64(mix64(set + golden_gamma) ^ golden_gamma); };
  return random_of(parents | std::uint64_t{1} << child) - random_of(parents);
}

// Whether two acyclic graphs have the same adjacencies and the same v-structures (Verma and Pearl 1990).
bool are_equivalent(const std::uint32_t* first, const std::uint32_t* second, int n);

// Places of the networks with a given signature; several may share one.
class ClassIndex {
 public:
  struct Place {
    std::uint32_t list;
    std::uint32_t place;
  };

  // Calls is_it(place) for every place under the key until one returns true; adds `place` if none does.
  template <class IsIt>
  bool find_or_add(std::uint64_t key, Place place, IsIt&& is_it) {
    if (2 * (count_ + 1) > keys_.size()) grow();
    std::size_t slot = key & (keys_.size() - 1);
    for (; used_[slot]; slot = (slot + 1) & (keys_.size() - 1)) {
      if (keys_[slot] == key && is_it(places_[slot])) return true;
    }
    put(slot, key, place);
    ++count_;
    return false;
  }

  double bytes() const { return 17.0 * static_cast<double>(keys_.size()); }

 private:
  void grow();
  void put(std::size_t slot, std::uint64_t key, Place place) {
    keys_[slot] = key;
    places_[slot] = place;
    used_[slot] = 1;
  }

  std::vector<std::uint64_t> keys_;
  std::vector<Place> places_;
  std::vector<std::uint8_t> used_;
  std::size_t count_ = 0;
};

}  // namespace qnml
