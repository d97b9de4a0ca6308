// Candidate parent sets of one child, as in cpp/core/exact/candidates_dense.cpp and candidate_filter.hpp, where the
// reasons are. Parent sets are numbered by t, without the bit of the child.

#ifndef TILE_BITS
#define TILE_BITS 12u
#endif

#define IMPOSSIBLE (-(1ll << 61))

// Numbers of one child, in one array.
enum {
  kBit,
  kIndexBits,   // index_low has 2^kIndexBits entries
  kHasArcs,     // whether the number of parents has a price
  kIsFree,      // whether every set is admitted
  kAllowed,     // as sets t
  kRequired,
  kMostParents,
  kBase,        // score of the smallest admitted set
  kShift,       // see GainScale
  kTolerance,
  kSliceBits,   // the values are those of the sets that agree on all but the lowest kSliceBits bits of t, and the child's
  kDropTied,
  kNumbers
};

enum { kBest, kTied, kBeaten, kDoubtful };  // Rank in candidate_filter.hpp

struct Child {
  const i64* number;
  const i64* cells;
  const i64* configs;
  const i64* prices;     // by product index
  const u8* fits;        // by product index, unless all sets are admitted
  const i64* arcs;       // price by number of parents
  const u32* index_low;  // product index: of the low bits of t, and of the others
  const u32* index_high;
};

__device__ inline i64 value_of(const Child& child, u64 t) {
  const i64* number = child.number;
  const u32 bit = (u32)number[kBit];
  const u32 index_bits = (u32)number[kIndexBits];
  const u32 index = child.index_low[t & ((1ull << index_bits) - 1)] + child.index_high[t >> index_bits];
  if (number[kIsFree] == 0) {
    const u64 required = (u64)number[kRequired];
    if ((t & ~(u64)number[kAllowed]) != 0 || (required & ~t) != 0 || __popcll(t) > number[kMostParents] ||
        (child.fits[index] == 0 && t != required)) {
      return IMPOSSIBLE;
    }
  }
  const u64 parents = insert_zero(t & ((1ull << number[kSliceBits]) - 1), bit);
  i64 value = child.cells[parents | 1ull << bit] - child.configs[parents] - child.prices[index];
  if (number[kHasArcs] != 0) value -= child.arcs[__popcll(t)];
  return value;
}

__device__ inline i32 gain_of(const Child& child, i64 value) {
  const i64 base = child.number[kBase];
  return value < base ? -1 : (i32)((value - base) >> child.number[kShift]);
}

// gains[t - first] for a tile of sets from `first` on: the largest gain among the subsets of t that agree with it on all
// bits above the tile. `scored` counts the admitted sets.
extern "C" __global__ void fill_gains(const i64* number, const i64* cells, const i64* configs, const i64* prices,
                                      const u8* fits, const i64* arcs, const u32* index_low, const u32* index_high,
                                      u64 first, u32 tile_bits, i32* gains, u64* scored) {
  __shared__ i32 tile[1u << TILE_BITS];
  __shared__ u32 admitted;
  const Child child = {number, cells, configs, prices, fits, arcs, index_low, index_high};
  const u32 size = 1u << tile_bits;
  const u64 start = (u64)blockIdx.x << tile_bits;
  if (threadIdx.x == 0) admitted = 0;
  __syncthreads();
  u32 mine = 0;
  for (u32 i = threadIdx.x; i < size; i += blockDim.x) {
    const i64 value = value_of(child, first + start + i);
    mine += value != IMPOSSIBLE;
    tile[i] = gain_of(child, value);
  }
  atomicAdd(&admitted, mine);
  __syncthreads();
  for (u32 half = 1; half < size; half <<= 1) {
    for (u32 i = threadIdx.x; i < size / 2; i += blockDim.x) {
      const u32 without = (i & ~(half - 1)) << 1 | (i & (half - 1));
      if (tile[without] > tile[without | half]) tile[without | half] = tile[without];
    }
    __syncthreads();
  }
  for (u32 i = threadIdx.x; i < size; i += blockDim.x) gains[start + i] = tile[i];
  if (threadIdx.x == 0) atomicAdd(scored, (u64)admitted);
}

// The transform along `BITS` bits from `bit` on: every thread takes 2^BITS gains that differ in these bits alone.
template <u32 BITS>
__device__ inline void spread(u32 bit, u64 columns, i32* gains) {
  const u64 k = (u64)blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= columns) return;
  const u64 low = (1ull << bit) - 1;
  i32* mine = gains + ((k & ~low) << BITS | (k & low));
  i32 gain[1u << BITS];
#pragma unroll
  for (u32 m = 0; m < 1u << BITS; ++m) gain[m] = mine[(u64)m << bit];
#pragma unroll
  for (u32 half = 1; half < 1u << BITS; half <<= 1) {
#pragma unroll
    for (u32 m = 0; m < 1u << BITS; ++m) {
      if ((m & half) != 0 && gain[m ^ half] > gain[m]) gain[m] = gain[m ^ half];
    }
  }
#pragma unroll
  for (u32 m = 1; m < 1u << BITS; ++m) mine[(u64)m << bit] = gain[m];
}

extern "C" __global__ void spread_1(u32 bit, u64 columns, i32* gains) { spread<1>(bit, columns, gains); }
extern "C" __global__ void spread_2(u32 bit, u64 columns, i32* gains) { spread<2>(bit, columns, gains); }
extern "C" __global__ void spread_3(u32 bit, u64 columns, i32* gains) { spread<3>(bit, columns, gains); }
extern "C" __global__ void spread_4(u32 bit, u64 columns, i32* gains) { spread<4>(bit, columns, gains); }
extern "C" __global__ void spread_5(u32 bit, u64 columns, i32* gains) { spread<5>(bit, columns, gains); }
extern "C" __global__ void spread_6(u32 bit, u64 columns, i32* gains) { spread<6>(bit, columns, gains); }

// Lists the sets from `first` on that no subset with one parent fewer beats, with their scores and ranks: see
// CandidateFilter. `found` counts all of them, also those for which there is no room. best[t] is the largest gain among
// the subsets of t.
extern "C" __global__ void list_candidates(const i64* number, const i64* cells, const i64* configs, const i64* prices,
                                           const u8* fits, const i64* arcs, const u32* index_low, const u32* index_high,
                                           u64 first, u64 size, const i32* best, u64 room, u64* found, u64* sets,
                                           i64* scores, u8* ranks) {
  const u64 k = (u64)blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= size) return;
  const Child child = {number, cells, configs, prices, fits, arcs, index_low, index_high};
  const i64 tolerance = number[kTolerance];
  const u64 t = first + k;
  const i64 mine = value_of(child, t);
  const i32 least = best[t] > 0 ? best[t] : 0;
  if (gain_of(child, mine + tolerance) < least) return;
  const i32 mine_gain = gain_of(child, mine);
  u8 rank = kBest;
  for (u64 rest = t; rest != 0; rest &= rest - 1) {
    const u64 subset = t ^ (rest & (~rest + 1));
    if (best[subset] < mine_gain) continue;
    const i64 other = value_of(child, subset);
    if (other > mine + tolerance) return;
    if (other >= mine) {
      rank = kTied;
      break;
    }
    rank = kDoubtful;
  }
  if (rank == kTied && number[kDropTied] != 0) return;
  const u64 at = atomicAdd(found, 1ull);
  if (at >= room) return;
  sets[at] = insert_zero(t, (u32)number[kBit]);
  scores[at] = mine;
  ranks[at] = rank;
}

// Where the values of some sets at a time are on the card, a part of the sets that agree on their highest bits: takes the
// larger of each gain and that of the same set in a part with one of these bits less.
extern "C" __global__ void take_larger(u64 size, const i32* others, i32* gains) {
  const u64 k = (u64)blockIdx.x * blockDim.x + threadIdx.x;
  if (k < size && others[k] > gains[k]) gains[k] = others[k];
}

// As list_candidates, but the values of subsets may not be there: lists the sets t with their scores and, as bits of t,
// the `rivals`: members without which the largest gain inside is not below the own one, so that full scores decide.
extern "C" __global__ void list_rivals(const i64* number, const i64* cells, const i64* configs, const i64* prices,
                                       const u8* fits, const i64* arcs, const u32* index_low, const u32* index_high,
                                       u64 first, u64 size, const i32* best, u64 room, u64* found, u64* sets,
                                       i64* scores, u64* rivals) {
  const u64 k = (u64)blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= size) return;
  const Child child = {number, cells, configs, prices, fits, arcs, index_low, index_high};
  const u64 t = first + k;
  const i64 mine = value_of(child, t);
  const i32 least = best[t] > 0 ? best[t] : 0;
  if (gain_of(child, mine + number[kTolerance]) < least) return;
  const i32 mine_gain = gain_of(child, mine);
  u64 mask = 0;
  for (u64 rest = t; rest != 0; rest &= rest - 1) {
    const u64 bit = rest & (~rest + 1);
    if (best[t ^ bit] >= mine_gain) mask |= bit;
  }
  const u64 at = atomicAdd(found, 1ull);
  if (at >= room) return;
  sets[at] = t;
  scores[at] = mine;
  rivals[at] = mask;
}
