// Runs the CUDA kernels of src/qnml/gpu/kernels on the CPU, from the same source: every thread of a block is a fiber that
// runs until it meets a barrier. Blocks run one after the other. The order of the threads between two barriers can be
// chosen, so that a missing barrier shows as a different answer.
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#define __global__
#define __device__
#define __shared__ static
#define DYNAMIC_SHARED(type, name) type* name = reinterpret_cast<type*>(host_cuda::shared_memory.data())

struct Index {
  unsigned x = 0;
};

namespace host_cuda {

enum class Waits { no, for_warp, for_block, done };

struct Fiber {
  ucontext_t context{};
  std::unique_ptr<char[]> stack;
  Waits waits = Waits::no;
};

constexpr std::size_t kStack = std::size_t{1} << 17;
constexpr unsigned kWarp = 32;

inline Index thread, block, block_size, grid_size;
inline std::vector<std::uint64_t> shared_memory;
inline std::vector<Fiber> fibers;
inline ucontext_t scheduler;
inline const std::function<void()>* body = nullptr;
inline unsigned order = 0;  // 0: forwards, 1: backwards, else a seed
inline std::uint64_t random_state = 1;

inline void wait(Waits what) {
  Fiber& mine = fibers[thread.x];
  const unsigned me = thread.x;
  mine.waits = what;
  swapcontext(&mine.context, &scheduler);
  thread.x = me;
}

inline void run_fiber() {
  (*body)();
  fibers[thread.x].waits = Waits::done;
}

inline std::uint64_t random() {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

inline void shuffle(std::vector<unsigned>& list) {
  if (order == 1) {
    for (std::size_t i = 0, j = list.size(); i + 1 < j;) std::swap(list[i++], list[--j]);
  } else if (order > 1) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[random() % i]);
  }
}

// Lets those go on whose warp, or block, is complete at the barrier. Threads that returned are not waited for, but a
// barrier of the block is an error then, as is a warp whose threads wait for different things.
inline void open_barriers() {
  bool all_at_block = true;
  unsigned done = 0;
  for (const Fiber& fiber : fibers) {
    all_at_block &= fiber.waits == Waits::for_block;
    done += fiber.waits == Waits::done;
  }
  if (all_at_block) {
    for (Fiber& fiber : fibers) fiber.waits = Waits::no;
    return;
  }
  bool has_opened = false;
  for (std::size_t first = 0; first < fibers.size(); first += kWarp) {
    const std::size_t last = std::min<std::size_t>(first + kWarp, fibers.size());
    bool all = true;
    for (std::size_t i = first; i < last; ++i) all &= fibers[i].waits == Waits::for_warp;
    if (!all) continue;
    for (std::size_t i = first; i < last; ++i) fibers[i].waits = Waits::no;
    has_opened = true;
  }
  if (!has_opened && done < fibers.size()) {
    std::fprintf(stderr, "host_cuda: threads wait at a barrier that not all of them reach\n");
    std::abort();
  }
}

inline void run_block() {
  for (std::size_t i = 0; i < fibers.size(); ++i) {
    Fiber& fiber = fibers[i];
    if (!fiber.stack) fiber.stack = std::make_unique<char[]>(kStack);
    fiber.waits = Waits::no;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = kStack;
    fiber.context.uc_link = &scheduler;
    makecontext(&fiber.context, run_fiber, 0);
  }
  std::vector<unsigned> ready;
  for (;;) {
    ready.clear();
    for (unsigned i = 0; i < fibers.size(); ++i) {
      if (fibers[i].waits == Waits::no) ready.push_back(i);
    }
    if (ready.empty()) return;
    shuffle(ready);
    for (unsigned i : ready) {
      thread.x = i;
      swapcontext(&scheduler, &fibers[i].context);
    }
    open_barriers();
  }
}

inline void launch(unsigned grid, unsigned threads, std::size_t shared_bytes, unsigned thread_order,
                   const std::function<void()>& kernel) {
  grid_size.x = grid;
  block_size.x = threads;
  fibers.resize(threads);
  order = thread_order;
  random_state = thread_order + 1;
  body = &kernel;
  for (unsigned i = 0; i < grid; ++i) {
    block.x = i;
    // What a block leaves behind is no zeros for the next.
    shared_memory.assign(shared_bytes / 8 + 1, 0xA5A5A5A5A5A5A5A5ULL);
    run_block();
  }
}

}  // namespace host_cuda

#define threadIdx host_cuda::thread
#define blockIdx host_cuda::block
#define blockDim host_cuda::block_size
#define gridDim host_cuda::grid_size

inline void __syncthreads() { host_cuda::wait(host_cuda::Waits::for_block); }
inline void __syncwarp() { host_cuda::wait(host_cuda::Waits::for_warp); }

template <class T>
T atomicAdd(T* to, T what) {
  const T before = *to;
  *to = before + what;
  return before;
}
inline unsigned atomicCAS(unsigned* at, unsigned expected, unsigned wanted) {
  const unsigned before = *at;
  if (before == expected) *at = wanted;
  return before;
}
inline int __ffs(int number) { return __builtin_ffs(number); }
inline int __popcll(unsigned long long number) { return __builtin_popcountll(number); }
inline double __longlong_as_double(long long bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline long long __double_as_longlong(double value) {
  long long bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
