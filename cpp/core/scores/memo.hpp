// Values computed once per key and shared by all threads.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

#include "core/base/random.hpp"

namespace qnml {

class Memo {
 public:
  template <class Compute>
  double get(std::uint64_t key, Compute&& compute) const {
    // Entries of the map stay where they are, so recent ones can be read without the lock. Threads that share a lock
    // wait for each other even if they only read.
    std::atomic<const Entry*>& recent = recent_[mix64(key) % kRecent];
    if (const Entry* entry = recent.load(std::memory_order_acquire); entry != nullptr && entry->first == key) {
      return entry->second;
    }
    const Entry* known = find(key);
    if (known == nullptr) {
      const double value = compute();
      const std::unique_lock hold(lock_);
      known = &*values_.emplace(key, value).first;
    }
    recent.store(known, std::memory_order_release);
    return known->second;
  }

 private:
  using Entry = std::pair<const std::uint64_t, double>;
  static constexpr std::size_t kRecent = 1024;

  const Entry* find(std::uint64_t key) const {
    const std::shared_lock hold(lock_);
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : &*found;
  }

  mutable std::shared_mutex lock_;
  mutable std::unordered_map<std::uint64_t, double> values_;
  mutable std::array<std::atomic<const Entry*>, kRecent> recent_{};
};

}  // namespace qnml
