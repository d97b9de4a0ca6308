// A store of bounded size for values of sets of variables. New values evict old ones when it is full.
//
// The key of a set is a fingerprint of 128 bits, the exclusive or of random words of its members, so that adding a
// variable is one operation. Among 10^9 sets two share a fingerprint with probability below 1e-20.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/random.hpp"

namespace qnml {

struct Fingerprint {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  static Fingerprint of_number(std::uint64_t number) {
    Xoshiro256 random = Xoshiro256::stream(0x5e75ULL, number);
    return {random.next(), random.next()};
  }
  Fingerprint operator^(const Fingerprint& other) const { return {low ^ other.low, high ^ other.high}; }
  bool operator==(const Fingerprint& other) const = default;
};

// Safe to share between threads.
class SetStore {
 public:
  explicit SetStore(double memory_bytes) {
    const double buckets = memory_bytes / (kShards * sizeof(Bucket));
    most_buckets_ = 1;
    while (2.0 * static_cast<double>(most_buckets_) <= buckets) most_buckets_ *= 2;
    for (Shard& shard : shards_) shard.take(std::vector<Bucket>(std::min(kFirstBuckets, most_buckets_)));
  }

  std::optional<double> find(const Fingerprint& key) const {
    const Shard& shard = shards_[key.high % kShards];
    const std::scoped_lock hold(shard.lock);
    for (const Entry& entry : shard.of(key)) {
      if (entry.key == key) return entry.value;
    }
    return std::nullopt;
  }

  // Asks the processor to load what `find` will read: in a large store most of its time is waiting for memory.
  void prefetch(const Fingerprint& key) const {
#if defined(__GNUC__)
    const Shard& shard = shards_[key.high % kShards];
    // An address: without the lock the bucket may be gone, which does no harm.
    const std::uintptr_t bucket = reinterpret_cast<std::uintptr_t>(shard.first.load(std::memory_order_relaxed)) +
                                  sizeof(Bucket) * (key.low & shard.last.load(std::memory_order_relaxed));
    // NOLINTBEGIN(performance-no-int-to-ptr): nothing is read through these pointers.
    __builtin_prefetch(reinterpret_cast<const void*>(bucket));
    __builtin_prefetch(reinterpret_cast<const void*>(bucket + sizeof(Bucket) - 1));
    // NOLINTEND(performance-no-int-to-ptr)
#endif
  }

  void put(const Fingerprint& key, double value) {
    Shard& shard = shards_[key.high % kShards];
    const std::scoped_lock hold(shard.lock);
    const std::size_t room = shard.size() < kRoomyBuckets ? shard.size() : 2 * shard.size();
    if (shard.filled >= room && shard.size() < most_buckets_) grow(shard);
    if (place(shard.of(key), {key, value})) ++shard.filled;
  }

 private:
  // Many more than threads, so that two threads seldom meet at one.
  static constexpr std::size_t kShards = 256;
  static constexpr std::size_t kWays = 4;
  static constexpr std::size_t kFirstBuckets = 4;
  // A small store grows early, because an evicted value must be counted again. A large one saves memory.
  static constexpr std::size_t kRoomyBuckets = 2048;

  struct Entry {
    Fingerprint key;  // all zero: free. The empty set has that key, but it is never stored
    double value = 0.0;
  };
  using Bucket = std::array<Entry, kWays>;  // newest first
  // What every access uses fits into one cache line, and neighbours share none: processors fetch lines in pairs.
  struct alignas(128) Shard {
    // Of the buckets: changed under the lock, but prefetch() reads them without it.
    std::atomic<Bucket*> first{nullptr};
    std::atomic<std::size_t> last{0};
    mutable std::mutex lock;
    std::size_t filled = 0;
    std::vector<Bucket> buckets;

    void take(std::vector<Bucket> given) {
      buckets = std::move(given);
      first.store(buckets.data(), std::memory_order_relaxed);
      last.store(buckets.size() - 1, std::memory_order_relaxed);
    }
    std::size_t size() const { return last.load(std::memory_order_relaxed) + 1; }
    Bucket& of(const Fingerprint& key) const {
      return first.load(std::memory_order_relaxed)[key.low & last.load(std::memory_order_relaxed)];
    }
  };

  // Returns whether the entry took a free place.
  static bool place(Bucket& bucket, const Entry& entry) {
    std::size_t slot = 0;
    while (slot + 1 < kWays && bucket[slot].key != entry.key && bucket[slot].key != Fingerprint{}) ++slot;
    const bool was_free = bucket[slot].key == Fingerprint{};
    for (; slot > 0; --slot) bucket[slot] = bucket[slot - 1];
    bucket[0] = entry;
    return was_free;
  }

  static void grow(Shard& shard) {
    std::vector<Bucket> old = std::move(shard.buckets);
    shard.take(std::vector<Bucket>(2 * old.size()));
    shard.filled = 0;
    for (const Bucket& bucket : old) {
      for (std::size_t slot = kWays; slot-- > 0;) {
        const Entry& entry = bucket[slot];
        if (entry.key != Fingerprint{} && place(shard.of(entry.key), entry)) ++shard.filled;
      }
    }
  }

  std::size_t most_buckets_ = 1;
  std::array<Shard, kShards> shards_;
};

}  // namespace qnml
