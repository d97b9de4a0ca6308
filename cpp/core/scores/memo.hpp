// Values computed once per key and shared by all threads.
#pragma once

#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace qnml {

class Memo {
 public:
  template <class Compute>
  double get(std::uint64_t key, Compute&& compute) const {
    {
      const std::shared_lock hold(lock_);
      if (auto found = values_.find(key); found != values_.end()) return found->second;
    }
    const double value = compute();
    const std::unique_lock hold(lock_);
    values_.emplace(key, value);
    return value;
  }

 private:
  mutable std::shared_mutex lock_;
  mutable std::unordered_map<std::uint64_t, double> values_;
};

}  // namespace qnml
