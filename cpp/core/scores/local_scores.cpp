#include "core/scores/local_scores.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/counting/columns.hpp"
#include "core/counting/count.hpp"
#include "core/numbers/level_product.hpp"
#include "core/scores/score.hpp"

namespace qnml {

std::vector<double> local_scores(const Columns& table, const FamilyList& families,
                                 const std::vector<std::shared_ptr<const Score>>& scores, int threads,
                                 Control& control) {
  struct Scratch {
    explicit Scratch(const Columns& table) : counter(table) {}
    Counter counter;
    Profile cells, configs;
    std::vector<int> parents;
  };
  const std::size_t count = families.children.size();
  std::vector<double> result(count);
  const auto scale = static_cast<double>(scores.front()->scale());
  std::vector<std::unique_ptr<Scratch>> scratch(static_cast<std::size_t>(std::max(threads, 1)) * scores.size());
  parallel_for(count, threads, [&](int thread, std::size_t f) {
    if (control.is_stopped()) return;
    const int child = families.children[f];
    const std::size_t part = table.part_of(child);
    auto& mine = scratch[static_cast<std::size_t>(thread) * scores.size() + part];
    if (!mine) mine = std::make_unique<Scratch>(table.part(part));
    const auto first = static_cast<std::size_t>(families.offsets[f]);
    const auto last = static_cast<std::size_t>(families.offsets[f + 1]);
    mine->parents.assign(families.parents.begin() + static_cast<std::ptrdiff_t>(first),
                         families.parents.begin() + static_cast<std::ptrdiff_t>(last));
    // One order for each set, so that products of levels round alike however the caller listed the parents.
    std::sort(mine->parents.begin(), mine->parents.end());
    LevelProduct parent_levels;
    for (int parent : mine->parents) {
      parent_levels = parent_levels.times(table.levels(parent));
    }
    mine->counter.family(child, mine->parents, mine->cells, mine->configs);
    result[f] = scores[part]->local({mine->cells, mine->configs, static_cast<double>(table.levels(child)),
                                     parent_levels, static_cast<int>(mine->parents.size())}) /
                scale;
  });
  return result;
}

}  // namespace qnml
