#include "core/scores/term_cache.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <utility>

#include "core/base/random.hpp"
#include "core/numbers/level_product.hpp"
#include "core/scores/score.hpp"

namespace qnml {
namespace {

// Added to stored terms, so that none is zero.
constexpr std::int64_t kShift = std::int64_t{1} << 62;

// Larger counts are few; their terms are computed each time.
constexpr std::uint64_t kLongest = 1 << 16;
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

}  // namespace

TermCache::TermCache(const CellScore& score, std::uint64_t total, double log_levels)
    : score_(score), length_(std::min(total, kLongest) + 1), most_tables_(kMostBytes / (8 * length_)) {
  // The sum of terms is below this in absolute value (see score_range.hpp; the logarithm of the weight of a prior is at
  // most 709 in absolute value). Scaled sums stay below 2^61.
  const double largest = static_cast<double>(total) * (std::log(static_cast<double>(total)) + log_levels + 710.0);
  scale_ = std::ldexp(1.0, std::min(static_cast<int>(std::floor(61.0 - std::log2(largest))), 44));
}

// Null if there are too many tables to keep, or no memory for another.
std::int64_t* TermCache::table(double product, double child_levels) {
  const Key key(product, child_levels);
  // Threads that share a lock wait for each other even if they only read.
  const std::uint64_t mixed =
      mix64(std::bit_cast<std::uint64_t>(product) ^ mix64(std::bit_cast<std::uint64_t>(child_levels)));
  std::atomic<const Tables::value_type*>& recent = recent_[mixed % kRecent];
  const Tables::value_type* entry = recent.load(std::memory_order_acquire);
  if (entry == nullptr || entry->first != key) {
    entry = find_or_make(key);
    if (entry == nullptr) return nullptr;
    recent.store(entry, std::memory_order_release);
  }
  return entry->second.get();
}

const TermCache::Tables::value_type* TermCache::find_or_make(const Key& key) {
  {
    const std::shared_lock hold(lock_);
    if (const auto found = tables_.find(key); found != tables_.end()) return &*found;
    if (tables_.size() >= most_tables_) return nullptr;
  }
  const std::unique_lock hold(lock_);
  const auto [place, is_new] = tables_.try_emplace(key);
  if (is_new) place->second.reset(static_cast<std::int64_t*>(std::calloc(length_, sizeof(std::int64_t))));
  return &*place;
}

template <class Term>
double TermCache::sum(std::span<const std::uint64_t> counts, std::int64_t* table, Term&& term) const {
  std::int64_t total = 0;
  for (std::uint64_t count : counts) {
    const bool is_tabled = table != nullptr && count < length_;
    std::int64_t stored = is_tabled ? std::atomic_ref(table[count]).load(std::memory_order_relaxed) : 0;
    if (stored == 0) {
      stored = std::llround(term(static_cast<double>(count)) * scale_) + kShift;
      if (is_tabled) std::atomic_ref(table[count]).store(stored, std::memory_order_relaxed);
    }
    total += stored - kShift;
  }
  return static_cast<double>(total) / scale_;
}

double TermCache::sum_cells(std::span<const std::uint64_t> counts, const LevelProduct& levels) {
  return sum(counts, table(score_.depends_on_levels() ? levels.value : 0.0, 0.0),
             [&](double count) { return score_.cell(count, levels); });
}

double TermCache::sum_configs(std::span<const std::uint64_t> counts, const LevelProduct& levels, double child_levels) {
  return sum(counts, table(score_.depends_on_levels() ? levels.value : 0.0, child_levels),
             [&](double count) { return score_.config(count, levels, child_levels); });
}

}  // namespace qnml
