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

GainingParents::Gains GainingParents::find(int child, const std::vector<int>& sorted_parents) const {
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

const GainingParents::Gains* GainingParents::Draft::known(int child, const std::vector<int>& sorted_parents) const {
  const Fingerprint key = shared_->key(child, sorted_parents);
  if (const auto before = shared_->lists_.find(key); before != shared_->lists_.end()) return &before->second;
  const auto here = lists_.find(key);
  return here == lists_.end() ? nullptr : &here->second.gains;
}

void GainingParents::Draft::keep(int child, const std::vector<int>& sorted_parents, Gains gains) {
  const auto families = static_cast<double>(shared_->partners(child).size());
  if (lists_.emplace(shared_->key(child, sorted_parents), List{std::move(gains), families}).second) {
    families_ += families;
  }
}

double GainingParents::new_families(const Draft& draft) const {
  double families = 0.0;
  for (const auto& [key, list] : draft.lists_) families += lists_.contains(key) ? 0.0 : list.families;
  return families;
}

void GainingParents::take(Draft draft) {
  for (auto& [key, list] : draft.lists_) {
    const auto size = static_cast<double>(list.gains.size() * sizeof(Gain));
    if (lists_.emplace(key, std::move(list.gains)).second) bytes_ += kListBytes + size;
  }
}

bool GainingParents::make_room() {
  if (bytes_ <= most_bytes_) return false;
  lists_.clear();
  bytes_ = 0.0;
  return true;
}

}  // namespace qnml
