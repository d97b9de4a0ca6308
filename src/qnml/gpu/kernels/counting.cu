// Sums over the cells of every set of variables: for each set, the sum over its cells of a function of their counts, for
// CHANNELS functions at once.
//
// As on the CPU (cpp/core/counting/lattice.hpp), bits are ordered by entropy, identical rows are merged, and a cell of
// one row, which can never split again, leaves the walk with its term. A block of threads takes all sets that agree on
// the highest bits. It splits the rows along the middle bits: the partition of a set is that of the set without its
// lowest bit, split once more. Below, the `low` bits of lowest entropy, at most five, form a block of 2^low sets that are
// computed together:
// - Rows of one cell that agree on all low bits are merged into an item.
// - For an item j and every mask m, let T(m) be the weight of the items of its cell that agree with j on exactly the
//   bits of m. Sums over supersets turn T(U) into the count of the cell of j after splitting by the low set U.
// - Each cell is counted once: by its first item. T also counts the earlier items, in its high digits, so that the item
//   is the first of its cell exactly if these digits are zero after the sums.
// A warp takes 32 items, one for each lane, and then 32 sets, one for each lane: the table in shared memory is read along
// the other side, and its rows are 33 long so that both directions are free of bank conflicts.

#ifndef CHANNELS
#define CHANNELS 1
#endif
#ifndef TALLY
#define TALLY u32  // u64 where a count and a number of items do not fit into 32 bits
#endif

#define LANES 32u
#define TALLY_ROW 33u
#define MOST_SLOTS 20u
#define EMPTY 0xFFFFFFFFu
#define DROPPED 0xFFFFFFFFu

// The rows that are left in the walk, with the cells they are in. Cells have at least two rows.
struct Slot {
  u32* row;
  u32* cell;
  u32 rows;
  u32 cells;
  u64 base[CHANNELS];  // of the cells that left
};

// Memory of a block of threads for one step.
struct Work {
  u32* keys;  // open addressing
  u32* found;
  u32* place;      // by row: its place among the keys; while splitting
  u64* signature;  // of the items, cell by cell; in the same memory as `place`
  u32* weight;
  u32* cell;
  u32* size;   // of the cells, in items
  u32* start;  // of their items
  u32 most_keys;
};

__device__ inline u32 power_above(u32 number) {
  u32 power = 32;
  while (power < number) power <<= 1;
  return power;
}

__device__ inline u32 find_or_add(u32* keys, u32 mask, u32 key) {
  u32 place = key * 0x9E3779B1u;
  place ^= place >> 15;
  for (;; ++place) {
    const u32 before = atomicCAS(&keys[place & mask], EMPTY, key);
    if (before == EMPTY || before == key) return place & mask;
  }
}

// One bit per low variable: whether two signatures, with a byte for each, agree in it.
__device__ inline u32 agreement(u64 a, u64 b) {
  const u64 difference = a ^ b;
  const u64 low = 0x7F7F7F7F7F7F7F7Full;
  const u64 zero_bytes = ~(((difference & low) + low) | difference | low);
  return (u32)((zero_bytes >> 7) * 0x0102040810204080ull >> 56);
}

__device__ inline void clear_keys(const Work& work, u32 size) {
  for (u32 i = threadIdx.x; i < size; i += blockDim.x) {
    work.keys[i] = EMPTY;
    work.found[i] = 0;
  }
}

// Splits the cells of `from` by one more variable. All threads of the block call it.
__device__ inline void split(const Slot& from, Slot& to, const Work& work, const u16* codes, u32 observed,
                             const u32* weight, const i64* terms) {
  const u32 size = power_above(2 * from.rows);
  clear_keys(work, size);
  if (threadIdx.x == 0) {
    to.rows = 0;
    to.cells = 0;
    for (u32 c = 0; c < CHANNELS; ++c) to.base[c] = from.base[c];
  }
  __syncthreads();
  for (u32 i = threadIdx.x; i < from.rows; i += blockDim.x) {
    const u32 place = find_or_add(work.keys, size - 1, from.cell[i] * observed + codes[from.row[i]]);
    work.place[i] = place;
    atomicAdd(&work.found[place], 1u);
  }
  __syncthreads();
  for (u32 i = threadIdx.x; i < size; i += blockDim.x) {
    const u32 rows = work.found[i];
    if (rows != 0) work.found[i] = rows == 1 ? DROPPED : atomicAdd(&to.cells, 1u);
  }
  __syncthreads();
  u64 left[CHANNELS] = {};
  bool has_left = false;
  for (u32 i = threadIdx.x; i < from.rows; i += blockDim.x) {
    const u32 row = from.row[i];
    const u32 cell = work.found[work.place[i]];
    if (cell == DROPPED) {
      for (u32 c = 0; c < CHANNELS; ++c) left[c] += (u64)terms[(u64)weight[row] * CHANNELS + c];
      has_left = true;
    } else {
      const u32 at = atomicAdd(&to.rows, 1u);
      to.row[at] = row;
      to.cell[at] = cell;
    }
  }
  if (has_left) {
    for (u32 c = 0; c < CHANNELS; ++c) atomicAdd(&to.base[c], left[c]);
  }
  __syncthreads();
}

// Merges the rows of each cell that agree on the low bits, and lists the items cell by cell. Returns their number.
__device__ inline u32 list_items(const Slot& from, const Work& work, u32 patterns, const u32* pattern_of_row,
                                 const u64* signature_of_pattern, const u32* weight) {
  __shared__ u32 items;
  const u32 size = power_above(2 * from.rows);
  clear_keys(work, size);
  for (u32 i = threadIdx.x; i < from.cells; i += blockDim.x) work.size[i] = 0;
  if (threadIdx.x == 0) items = 0;
  __syncthreads();
  for (u32 i = threadIdx.x; i < from.rows; i += blockDim.x) {
    const u32 row = from.row[i];
    const u32 place = find_or_add(work.keys, size - 1, from.cell[i] * patterns + pattern_of_row[row]);
    atomicAdd(&work.found[place], weight[row]);
  }
  __syncthreads();
  for (u32 i = threadIdx.x; i < size; i += blockDim.x) {
    if (work.keys[i] != EMPTY) atomicAdd(&work.size[work.keys[i] / patterns], 1u);
  }
  __syncthreads();
  for (u32 i = threadIdx.x; i < from.cells; i += blockDim.x) {
    work.start[i] = atomicAdd(&items, work.size[i]);
    work.size[i] = 0;
  }
  __syncthreads();
  for (u32 i = threadIdx.x; i < size; i += blockDim.x) {
    const u32 key = work.keys[i];
    if (key == EMPTY) continue;
    const u32 cell = key / patterns;
    const u32 at = work.start[cell] + atomicAdd(&work.size[cell], 1u);
    work.signature[at] = signature_of_pattern[key % patterns];
    work.weight[at] = work.found[i];
    work.cell[at] = cell;
  }
  __syncthreads();
  return items;
}

// Adds the terms of the cells of all 2^low sets to sums[set * CHANNELS + channel]. All threads of the block call it.
__device__ inline void add_low_sets(const Work& work, u32 items, TALLY* tallies, u64* sums, u32 count_bits,
                                    const i64* terms) {
  const u32 lane = threadIdx.x % LANES;
  const u32 warps = blockDim.x / LANES;
  TALLY* mine = tallies + threadIdx.x / LANES * LANES * TALLY_ROW;
  const TALLY earlier = (TALLY)1 << count_bits;
  u64 sum[CHANNELS] = {};
  bool has_sum = false;
  for (u32 first = threadIdx.x / LANES * LANES; first < items; first += warps * LANES) {
    const u32 item = first + lane;
    for (u32 m = 0; m < LANES; ++m) mine[m * TALLY_ROW + lane] = 0;
    if (item < items) {
      const u32 cell = work.cell[item];
      const u32 last = work.start[cell] + work.size[cell];
      const u64 signature = work.signature[item];
      for (u32 other = work.start[cell]; other < last; ++other) {
        const u32 mask = agreement(signature, work.signature[other]) % LANES;
        mine[mask * TALLY_ROW + lane] += work.weight[other] + (other < item ? earlier : 0);
      }
      TALLY tally[LANES];
#pragma unroll
      for (u32 m = 0; m < LANES; ++m) tally[m] = mine[m * TALLY_ROW + lane];
#pragma unroll
      for (u32 bit = 1; bit < LANES; bit <<= 1) {
#pragma unroll
        for (u32 m = 0; m < LANES; ++m) {
          if ((m & bit) == 0) tally[m] += tally[m | bit];
        }
      }
#pragma unroll
      for (u32 m = 0; m < LANES; ++m) mine[m * TALLY_ROW + lane] = tally[m];
    }
    __syncwarp();
    for (u32 k = 0; k < LANES; ++k) {
      const TALLY tally = mine[lane * TALLY_ROW + k];
      if (tally >= earlier) continue;  // not the first of its cell; a lane without an item counts nothing
      for (u32 c = 0; c < CHANNELS; ++c) sum[c] += (u64)terms[(u64)tally * CHANNELS + c];
    }
    has_sum = true;
    __syncwarp();
  }
  if (has_sum) {
    for (u32 c = 0; c < CHANNELS; ++c) atomicAdd(&sums[lane * CHANNELS + c], sum[c]);
  }
  __syncthreads();
}

// The value of a set of bdeu from its packed sums: as `mixed` in cpp/core/scores/bdeu_terms.cpp, in the same order of
// operations.
struct Packed {
  const i32* channel;
  const i32* shift;
  const u64* mask;
  const double* step;
  i64 gamma_factor;
  const i64* log_weight;
  const i64* log_two;
  const i64* log_three;
  const double* e;
  const u32* stride;
};

__device__ inline double to_double(u64 number) {
  const double two52 = 4503599627370496.0;
  return __longlong_as_double((i64)(number | (u64)__double_as_longlong(two52))) - two52;
}

__device__ inline u64 to_nearest(double number) {
  const double two52 = 4503599627370496.0;
  return (u64)__double_as_longlong(number + two52) ^ (u64)__double_as_longlong(two52);
}

__device__ inline i64 unpacked(const Packed& packed, const u64* sums, u64 set) {
  u32 index = 0;
  for (u32 bit = 0; set >> bit != 0; ++bit) index += set >> bit & 1 ? packed.stride[bit] : 0;
  u64 field[7];
  for (u32 f = 0; f < 7; ++f) field[f] = sums[packed.channel[f]] >> packed.shift[f] & packed.mask[f];
  const u64 whole = field[0] * (u64)packed.log_weight[index] + field[1] * (u64)packed.gamma_factor +
                    field[2] * (u64)packed.log_two[index] + field[3] * (u64)packed.log_three[index];
  const double e = packed.e[index];
  const double third = e * (packed.step[6] * to_double(field[6]));
  const double second = e * (packed.step[5] * to_double(field[5]) - third);
  return (i64)(whole + to_nearest(e * (packed.step[4] * to_double(field[4]) - second)));
}

// Tasks are the patterns of the bits above low + mid, from first_task on; the sums of the sets of a task are contiguous.
// out[channel * plane + set - first set] gets the sums, or, where the terms are packed, out[set - first set] the value.
extern "C" __global__ void count_sets(u32 n, u32 low, u32 mid, u32 rows, u32 patterns, const u16* codes,
                                      const u32* observed, const u32* pattern_of_row, const u64* signature_of_pattern,
                                      const u32* weight, const i64* terms, u32 count_bits, u64 first_task, u64 n_tasks,
                                      u64* next_task, u32* slots, u32* spare, u64 spare_words, i64* out, u64 plane,
                                      u64* visits, u32 is_packed, const i32* channel, const i32* shift,
                                      const u64* mask, const double* step, i64 gamma_factor, const i64* log_weight,
                                      const i64* log_two, const i64* log_three, const double* e, const u32* stride) {
  DYNAMIC_SHARED(u64, memory);
  __shared__ Slot slot[MOST_SLOTS];
  __shared__ u64 sums[LANES * CHANNELS];
  __shared__ u64 task;
  const Packed packed = {channel, shift, mask, step, gamma_factor, log_weight, log_two, log_three, e, stride};

  // `spare_words` is zero where the work of a step fits into shared memory.
  TALLY* tallies = (TALLY*)memory;
  const u32 warps = blockDim.x / LANES;
  u64* rest = spare_words == 0 ? memory + ((u64)warps * LANES * TALLY_ROW * sizeof(TALLY) + 7) / 8
                               : (u64*)(spare + blockIdx.x * spare_words);
  const u32 most_cells = rows / 2 + 1;
  Work work;
  work.most_keys = power_above(2 * rows);
  work.signature = rest;
  work.place = (u32*)rest;
  work.keys = (u32*)(rest + rows);
  work.found = work.keys + work.most_keys;
  work.weight = work.found + work.most_keys;
  work.cell = work.weight + rows;
  work.size = work.cell + rows;
  work.start = work.size + most_cells;

  const u32 n_slots = mid + 2;
  if (threadIdx.x < n_slots) {
    slot[threadIdx.x].row = slots + ((u64)blockIdx.x * n_slots + threadIdx.x) * 2 * rows;
    slot[threadIdx.x].cell = slot[threadIdx.x].row + rows;
  }
  u64 visited = 0;
  for (;;) {
    if (threadIdx.x == 0) task = atomicAdd(next_task, 1ull);
    __syncthreads();
    if (task >= n_tasks) break;
    const u64 prefix = (first_task + task) << (low + mid);

    // The rows, split along the bits of the prefix, alternate between two slots.
    u32 now = mid;
    for (u32 i = threadIdx.x; i < rows; i += blockDim.x) {
      slot[now].row[i] = i;
      slot[now].cell[i] = 0;
    }
    if (threadIdx.x == 0) {
      slot[now].rows = rows > 1 ? rows : 0;
      slot[now].cells = rows > 1 ? 1 : 0;
      for (u32 c = 0; c < CHANNELS; ++c) slot[now].base[c] = rows == 1 ? (u64)terms[(u64)weight[0] * CHANNELS + c] : 0;
    }
    __syncthreads();
    for (u32 bit = n; bit-- > low + mid;) {
      if ((prefix >> bit & 1) == 0) continue;
      const u32 next = now == mid ? mid + 1 : mid;
      visited += slot[now].rows;
      split(slot[now], slot[next], work, codes + (u64)bit * rows, observed[bit], weight, terms);
      now = next;
    }

    // Sets in numerical order: that of a set without its lowest bit is still in its slot.
    for (u32 middle = 0; middle < 1u << mid; ++middle) {
      u32 mine = now;
      if (middle != 0) {
        const u32 bit = __ffs(middle) - 1;
        const u32 above = middle & (middle - 1);
        const u32 from = above == 0 ? now : __ffs(above) - 1;
        visited += slot[from].rows;
        split(slot[from], slot[bit], work, codes + (u64)(low + bit) * rows, observed[low + bit], weight, terms);
        mine = bit;
      }
      visited += slot[mine].rows;
      for (u32 i = threadIdx.x; i < LANES * CHANNELS; i += blockDim.x) sums[i] = slot[mine].base[i % CHANNELS];
      const u32 items = list_items(slot[mine], work, patterns, pattern_of_row, signature_of_pattern, weight);
      add_low_sets(work, items, tallies, sums, count_bits, terms);
      const u64 set = prefix | (u64)middle << low;
      const u64 at = set - (first_task << (low + mid));
      for (u32 u = threadIdx.x; u < 1u << low; u += blockDim.x) {
        if (is_packed != 0) {
          out[at + u] = unpacked(packed, sums + u * CHANNELS, set | u);
        } else {
          for (u32 c = 0; c < CHANNELS; ++c) out[c * plane + at + u] = (i64)sums[u * CHANNELS + c];
        }
      }
      __syncthreads();
    }
  }
  if (threadIdx.x == 0) atomicAdd(visits, visited);
}

// values[sets[k]] = given[k], for sets from first to first + size - 1.
extern "C" __global__ void set_values(const u64* sets, const i64* given, u64 n_sets, u64 first, u64 size, i64* values) {
  const u64 k = (u64)blockIdx.x * blockDim.x + threadIdx.x;
  if (k < n_sets && sets[k] - first < size) values[sets[k] - first] = given[k];
}
