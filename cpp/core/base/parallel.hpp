// The only way the core uses threads: independent tasks, taken in order, that never write to the same memory.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace qnml {

// Runs task(thread, index) for index in [0, tasks). After the first exception no further task starts, and it is
// rethrown.
template <class Task>
void parallel_for(std::size_t tasks, int threads, Task&& task) {
  const std::size_t workers = std::min<std::size_t>(static_cast<std::size_t>(std::max(threads, 1)), tasks);
  if (workers <= 1) {
    for (std::size_t index = 0; index < tasks; ++index) task(0, index);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_lock;
  auto work = [&](int thread) {
    try {
      for (std::size_t index = next++; index < tasks; index = next++) task(thread, index);
    } catch (...) {
      next = tasks;
      const std::scoped_lock hold(failure_lock);
      if (!failure) failure = std::current_exception();
    }
  };
  std::vector<std::thread> pool;
  for (std::size_t thread = 1; thread < workers; ++thread) pool.emplace_back(work, static_cast<int>(thread));
  work(0);
  for (std::thread& thread : pool) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace qnml
