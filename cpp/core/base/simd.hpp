// Compile a hot function once for each generation of vector units and pick one when the program starts. Only loops
// over integers are marked, and over doubles that are not summed up (with contraction off, see CMakeLists.txt), so that
// the result is the same on all of them.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__linux__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define QNML_HAS_VECTOR_CLONES
#define QNML_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define QNML_VECTOR_CLONES
#endif

// Vectors of any size as a type.
#if defined(__GNUC__)
#define QNML_HAS_VECTOR_TYPES
#endif

// For what the clones call, so that it is compiled for their vector unit.
#if defined(__GNUC__)
#define QNML_INLINE inline __attribute__((always_inline))
#else
#define QNML_INLINE inline
#endif
