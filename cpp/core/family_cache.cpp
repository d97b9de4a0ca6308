#include "core/family_cache.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

namespace qnml {

struct FamilyCache::Parts {
  std::unique_ptr<Score> score;
  std::vector<std::vector<int>> admitted;
  std::atomic<std::uint64_t> counted{0};
};

FamilyCache::FamilyCache(const Columns& table, ScoreKind kind, double parameter, double most_cells, double)
    : table_(table), most_cells_(most_cells), parts_(std::make_unique<Parts>()) {
  const double n = static_cast<double>(table.total);
  double largest = 1.0;
  for (const Column& column : table.columns) largest += n * (std::log(n) + std::log(column.levels));
  unit_ = std::ldexp(1.0, static_cast<int>(std::ceil(std::log2(largest))) - 52);
  parts_->score = make_score(kind, parameter, table.total, n_variables());
  parts_->admitted.resize(table.columns.size());
}

FamilyCache::~FamilyCache() = default;

void FamilyCache::admit(int child, const std::vector<int>& sorted_parents) {
  parts_->admitted[static_cast<std::size_t>(child)] = sorted_parents;
}

bool FamilyCache::is_admitted(int child, const std::vector<int>& sorted_parents, double cells) const {
  return cells <= most_cells_ || sorted_parents.empty() ||
         sorted_parents == parts_->admitted[static_cast<std::size_t>(child)];
}

double FamilyCache::score(int child, const std::vector<int>& sorted_parents) {
  LevelProduct levels;
  for (int parent : sorted_parents) levels = levels.times(table_.columns[static_cast<std::size_t>(parent)].levels);
  const double child_levels = table_.columns[static_cast<std::size_t>(child)].levels;
  if (!is_admitted(child, sorted_parents, levels.value * child_levels)) return -std::numeric_limits<double>::infinity();
  Counter counter(table_);
  Profile cells, configs;
  counter.family(child, sorted_parents, cells, configs);
  ++parts_->counted;
  const double local =
      parts_->score->local({cells, configs, child_levels, levels, static_cast<int>(sorted_parents.size())});
  return std::round(local / unit_) * unit_;
}

void FamilyCache::additions(int child, const std::vector<int>& sorted_parents, std::span<const int> candidates,
                            double* scores) {
  std::vector<int> more;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    more = sorted_parents;
    more.insert(std::lower_bound(more.begin(), more.end(), candidates[k]), candidates[k]);
    scores[k] = score(child, more);
  }
}

bool FamilyCache::is_equivalent() const { return dynamic_cast<const SetScore*>(parts_->score.get()) != nullptr; }

std::uint64_t FamilyCache::sets_counted() const { return parts_->counted; }

}  // namespace qnml
