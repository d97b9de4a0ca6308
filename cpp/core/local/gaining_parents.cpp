#include "core/local/gaining_parents.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/graph/class_member.hpp"
#include "core/scores/family_cache.hpp"
#include "core/scores/set_store.hpp"

namespace qnml {
namespace {

// Size of a list in the map, without its elements.
constexpr double kListBytes = 80.0;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

GainingParents::GainingParents(FamilyCache& families, const AdmittedClasses& rules,
                               const std::vector<std::vector<int>>& partners, double memory_bytes)
    : families_(families), rules_(rules), partners_(partners), most_bytes_(memory_bytes) {
  const auto n = static_cast<std::uint64_t>(families.n_variables());
  for (std::uint64_t variable = 0; variable < n; ++variable) {
    as_parent_.push_back(Fingerprint::of_number(variable));
    as_child_.push_back(Fingerprint::of_number(n + variable));
  }
}

Fingerprint GainingParents::key(int child, const std::vector<int>& sorted_parents) const {
  Fingerprint result = as_child_[at(child)];
  for (int parent : sorted_parents) result = result ^ as_parent_[at(parent)];
  return result;
}

const GainingParents::Gains* GainingParents::known(int child, const std::vector<int>& sorted_parents) const {
  const auto found = lists_.find(key(child, sorted_parents));
  return found == lists_.end() ? nullptr : &found->second;
}

GainingParents::Gains GainingParents::find(int child, const std::vector<int>& sorted_parents) {
  const double cells = rules_.cells(child, sorted_parents);
  std::vector<int> others;
  for (int other : partners_[at(child)]) {
    if (rules_.may_have(sorted_parents.size() + 1, cells * rules_.levels(other)) &&
        !std::binary_search(sorted_parents.begin(), sorted_parents.end(), other)) {
      others.push_back(other);
    }
  }
  if (others.empty()) return {};
  const double now = families_.score(child, sorted_parents);
  if (std::isinf(now)) return {};
  std::vector<double> scores(others.size());
  families_.additions(child, sorted_parents, others, scores.data());
  Gains gains;
  for (std::size_t k = 0; k < others.size(); ++k) {
    const double gain = scores[k] - now;
    if (gain > families_.tolerance()) gains.push_back({gain, others[k]});
  }
  return gains;
}

void GainingParents::keep(int child, const std::vector<int>& sorted_parents, Gains gains) {
  const auto size = static_cast<double>(gains.size() * sizeof(Gain));
  if (lists_.emplace(key(child, sorted_parents), std::move(gains)).second) bytes_ += kListBytes + size;
}

void GainingParents::make_room() {
  if (bytes_ <= most_bytes_) return;
  lists_.clear();
  bytes_ = 0.0;
}

}  // namespace qnml
