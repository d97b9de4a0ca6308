// Shared by all kernels. The files of this folder are joined into one source and compiled by NVRTC, which has no
// standard library, or by a C++ compiler behind tests/gpu/host_cuda.hpp.
//
// Everything is integer arithmetic, apart from the polynomial of bdeu, which is compiled without fused multiply-adds.
// So values do not depend on the order in which threads add, and are those of the core to the last bit.

#ifndef DYNAMIC_SHARED
#define DYNAMIC_SHARED(type, name) extern __shared__ type name[]
#endif

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef int i32;
typedef long long i64;

// Sets of variables, with and without the bit of one of them: as in cpp/core/numbers/subset_transform.hpp.
__device__ inline u64 insert_zero(u64 set, u32 bit) {
  const u64 low = (1ull << bit) - 1;
  return (set & low) | (set & ~low) << 1;
}
