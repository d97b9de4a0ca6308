#include "core/scores/family_cache.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/counting/columns.hpp"
#include "core/counting/count.hpp"
#include "core/counting/packed_columns.hpp"
#include "core/counting/set_counter.hpp"
#include "core/numbers/level_product.hpp"
#include "core/numbers/minus_infinity.hpp"
#include "core/scores/score.hpp"
#include "core/scores/score_range.hpp"
#include "core/scores/set_store.hpp"
#include "core/scores/term_cache.hpp"

namespace qnml {
namespace {

// Fingerprint numbers beyond those of variables.
constexpr std::uint64_t kCells = std::uint64_t{1} << 40;
constexpr std::uint64_t kConfigs = std::uint64_t{2} << 40;
constexpr std::uint64_t kFamilies = std::uint64_t{3} << 40;

// Candidates whose values are loaded while earlier ones are scored.
constexpr std::size_t kAhead = 8;

}  // namespace

// What is kept for the rows that count for some of the variables.
struct FamilyCache::Part {
  // The counting memory of one thread.
  struct Workspace {
    Workspace(const Columns& table, const PackedColumns& packed) : counter(table, packed) {}
    SetCounter counter;
    std::vector<std::uint64_t> cells, configs;
    std::vector<int> set;
    std::vector<std::size_t> missing;
  };

  Part(const Columns& given_rows, std::shared_ptr<const Score> given, double memory_bytes)
      : table(given_rows),
        packed(table),
        score(std::move(given)),
        prices(score->prices()),
        cell_score(dynamic_cast<const CellScore*>(score.get())),
        is_set_function(dynamic_cast<const SetScore*>(score.get()) != nullptr),
        store(memory_bytes) {
    double log_levels = 0.0;
    for (const Column& column : table.columns) log_levels += std::log(static_cast<double>(column.levels));
    if (cell_score != nullptr) terms = std::make_unique<TermCache>(*cell_score, score->total(), log_levels);
    for (std::size_t variable = 0; variable < table.columns.size(); ++variable) {
      const std::uint64_t levels = table.columns[variable].levels;
      of_variable.push_back(Fingerprint::of_number(variable));
      const Fingerprint cells = Fingerprint::of_number(kCells);
      cells_of.push_back(cell_score != nullptr ? cells : Fingerprint::of_number(kFamilies + variable));
      configs_of.push_back(is_set_function ? cells : Fingerprint::of_number(kConfigs + levels));
    }
  }

  Fingerprint fingerprint(const std::vector<int>& set) const {
    Fingerprint result;
    for (int member : set) result = result ^ of_variable[static_cast<std::size_t>(member)];
    return result;
  }

  std::unique_ptr<Workspace> borrow() {
    {
      const std::scoped_lock hold(lock);
      if (!idle.empty()) {
        std::unique_ptr<Workspace> mine = std::move(idle.back());
        idle.pop_back();
        return mine;
      }
    }
    return std::make_unique<Workspace>(table, packed);
  }
  void give_back(std::unique_ptr<Workspace> mine) {
    const std::scoped_lock hold(lock);
    idle.push_back(std::move(mine));
  }

  const Columns& table;
  PackedColumns packed;
  std::shared_ptr<const Score> score;
  Prices prices;
  const CellScore* cell_score;
  bool is_set_function;
  std::unique_ptr<TermCache> terms;
  SetStore store;
  // The key of a value is the variables of its set and the kind of sum: over cells, over configurations by the levels
  // of the child, or a whole family by the child.
  std::vector<Fingerprint> of_variable, cells_of, configs_of;
  std::mutex lock;
  std::vector<std::unique_ptr<Workspace>> idle;
  std::atomic<std::uint64_t> counted{0};
};

FamilyCache::FamilyCache(const Columns& table, const std::shared_ptr<const Score>& score, double most_cells,
                         double memory_bytes, const std::vector<std::shared_ptr<const Score>>& part_scores)
    : table_(table), most_cells_(most_cells), admitted_(table.columns.size()) {
  const std::size_t n_parts = table.n_parts();
  for (std::size_t k = 0; k < n_parts; ++k) {
    parts_.push_back(std::make_unique<Part>(table.part(k), table.is_split() ? part_scores[k] : score,
                                            memory_bytes / static_cast<double>(n_parts)));
  }
  const auto n = static_cast<double>(table.total);
  double largest = 1.0, price = 0.0;
  for (const Column& column : table.columns) largest += n * (std::log(n) + std::log(column.levels));
  for (int child = 0; child < n_variables(); ++child) price += price_of(child, {});
  // The network without arcs scores at least -(largest + price).
  unit_ = std::ldexp(1.0, static_cast<int>(std::ceil(std::log2(std::max(largest, price)))) - 52);
  never_ = std::ldexp(unit_, 53) + kBelowAnyWeight;
}

double FamilyCache::price_of(int child, const std::vector<int>& parents) const {
  const double parameters = (table_.levels(child) - 1.0) * levels(parents);
  const Part& part = part_of(child);
  const double of_parameters = part.prices.per_parameter > 0.0 ? part.prices.per_parameter * parameters : 0.0;
  return of_parameters + part.prices.per_arc * static_cast<double>(parents.size()) +
         part.score->prior().price(static_cast<int>(parents.size()));
}

FamilyCache::~FamilyCache() = default;

void FamilyCache::admit(int child, const std::vector<int>& sorted_parents) {
  admitted_[static_cast<std::size_t>(child)] = sorted_parents;
  never_ += price_of(child, sorted_parents);
}

bool FamilyCache::is_equivalent() const { return parts_.size() == 1 && parts_.front()->is_set_function; }

std::uint64_t FamilyCache::sets_counted() const {
  std::uint64_t sum = 0;
  for (const auto& part : parts_) sum += part->counted;
  return sum;
}

double FamilyCache::levels(const std::vector<int>& set) const {
  double product = 1.0;
  for (int member : set) product *= table_.levels(member);
  return product;
}

double FamilyCache::on_grid(double value) const {
  if (std::isnan(value)) throw std::domain_error("a score is not a number");
  return std::round(value / unit_) * unit_;
}

double FamilyCache::cells_value(const Part& part, std::span<const std::uint64_t> counts,
                                const std::vector<int>& sorted_set) const {
  LevelProduct product;
  for (int member : sorted_set) product = product.times(table_.levels(member));
  return on_grid(part.terms->sum_cells(counts, product) -
                 part.cell_score->price_with_prior(product, static_cast<int>(sorted_set.size())));
}

double FamilyCache::configs_value(std::span<const std::uint64_t> counts, const std::vector<int>& sorted_set,
                                  int child) const {
  const Part& part = part_of(child);
  if (part.is_set_function) return cells_value(part, counts, sorted_set);
  LevelProduct product;
  for (int member : sorted_set) product = product.times(table_.levels(member));
  const double child_levels = table_.levels(child);
  return on_grid(part.terms->sum_configs(counts, product, child_levels) -
                 part.cell_score->price_with_prior(product, static_cast<int>(sorted_set.size())));
}

// For scores that do not add up over cells.
double FamilyCache::family_value(std::vector<std::uint64_t>& cells, std::vector<std::uint64_t>& configs, int child,
                                 const std::vector<int>& sorted_parents) const {
  auto to_profile = [](std::vector<std::uint64_t>& counts) {
    std::sort(counts.begin(), counts.end());
    Profile profile;
    for (std::uint64_t count : counts) {
      if (!profile.counts.empty() && profile.counts.back() == count) {
        ++profile.cells.back();
      } else {
        profile.counts.push_back(count);
        profile.cells.push_back(1);
      }
    }
    return profile;
  };
  LevelProduct product;
  for (int parent : sorted_parents) product = product.times(table_.levels(parent));
  const Profile of_cells = to_profile(cells), of_configs = to_profile(configs);
  return on_grid(part_of(child).score->local({of_cells, of_configs, static_cast<double>(table_.levels(child)), product,
                                              static_cast<int>(sorted_parents.size())}));
}

void FamilyCache::additions(int child, const std::vector<int>& sorted_parents, std::span<const int> candidates,
                            double* scores) {
  const auto c = static_cast<std::size_t>(child);
  Part& part = part_of(child);
  const Fingerprint parents = part.fingerprint(sorted_parents);
  const Fingerprint cells_base = parents ^ part.of_variable[c] ^ part.cells_of[c];
  const Fingerprint configs_base = parents ^ part.configs_of[c];
  const bool is_direct = part.cell_score == nullptr;
  const double base_levels = levels(sorted_parents) * table_.columns[c].levels;
  std::unique_ptr<Part::Workspace> mine;
  std::uint64_t counted = 0;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    if (k + kAhead < candidates.size()) {
      const Fingerprint& next = part.of_variable[static_cast<std::size_t>(candidates[k + kAhead])];
      part.store.prefetch(cells_base ^ next);
      if (!is_direct) part.store.prefetch(configs_base ^ next);
    }
    const auto candidate = static_cast<std::size_t>(candidates[k]);
    if (base_levels * table_.columns[candidate].levels > most_cells_ &&
        !is_admitted(child, sorted_parents, candidates[k])) {
      scores[k] = kMinusInfinity;
      continue;
    }
    const Fingerprint cells_key = cells_base ^ part.of_variable[candidate];
    const Fingerprint configs_key = configs_base ^ part.of_variable[candidate];
    std::optional<double> cells = part.store.find(cells_key);
    std::optional<double> configs = is_direct ? std::optional(0.0) : part.store.find(configs_key);
    if (!cells || !configs) {
      if (!mine) {
        mine = part.borrow();
        mine->counter.split(child, sorted_parents);
      }
      mine->counter.count(candidates[k], mine->cells, mine->configs);
      ++counted;
      mine->set = sorted_parents;
      mine->set.insert(std::lower_bound(mine->set.begin(), mine->set.end(), candidates[k]), candidates[k]);
      if (is_direct) {
        cells = family_value(mine->cells, mine->configs, child, mine->set);
      } else {
        if (!configs) part.store.put(configs_key, *(configs = configs_value(mine->configs, mine->set, child)));
        mine->set.insert(std::lower_bound(mine->set.begin(), mine->set.end(), child), child);
        if (!cells) cells = cells_value(part, mine->cells, mine->set);
      }
      part.store.put(cells_key, *cells);
    }
    // A price beyond double's range: the difference of two infinities must not become a NaN.
    scores[k] = std::isinf(*cells) || *cells - *configs < -never_ ? kMinusInfinity : *cells - *configs;
  }
  if (!mine) return;
  part.counted += counted;
  part.give_back(std::move(mine));
}

double FamilyCache::score(int child, const std::vector<int>& sorted_parents) {
  if (sorted_parents.empty()) return alone(child);
  const auto c = static_cast<std::size_t>(child);
  Part& part = part_of(child);
  // Both values are in the store: no need to split off a parent.
  if (part.cell_score != nullptr && levels(sorted_parents) * table_.columns[c].levels <= most_cells_) {
    const Fingerprint parents = part.fingerprint(sorted_parents);
    const std::optional<double> cells = part.store.find(parents ^ part.of_variable[c] ^ part.cells_of[c]);
    if (cells && std::isinf(*cells)) return kMinusInfinity;
    if (cells) {
      if (const std::optional<double> configs = part.store.find(parents ^ part.configs_of[c])) {
        return *cells - *configs < -never_ ? kMinusInfinity : *cells - *configs;
      }
    }
  }
  std::vector<int> others(sorted_parents.begin(), sorted_parents.end() - 1);
  double value = 0.0;
  additions(child, others, {&sorted_parents.back(), 1}, &value);
  return value;
}

// Without parents.
double FamilyCache::alone(int child) {
  const auto c = static_cast<std::size_t>(child);
  Part& part = part_of(child);
  // The score itself is stored, under a key that no set of parents has.
  const Fingerprint key = Fingerprint::of_number(2 * kFamilies + c);
  if (const std::optional<double> known = part.store.find(key)) return *known;
  std::unique_ptr<Part::Workspace> mine = part.borrow();
  mine->counter.count_family(child, {}, mine->cells, mine->configs);
  ++part.counted;
  const double value = part.cell_score == nullptr
                           ? family_value(mine->cells, mine->configs, child, {})
                           : cells_value(part, mine->cells, {child}) - configs_value(mine->configs, {}, child);
  part.give_back(std::move(mine));
  part.store.put(key, value);
  return value;
}

bool FamilyCache::is_admitted(int child, const std::vector<int>& sorted_parents, int candidate) const {
  const std::vector<int>& admitted = admitted_[static_cast<std::size_t>(child)];
  if (admitted.size() != sorted_parents.size() + 1) return false;
  std::vector<int> set = sorted_parents;
  set.insert(std::lower_bound(set.begin(), set.end(), candidate), candidate);
  return set == admitted;
}

}  // namespace qnml
