// Compiles a hot function once per generation of vector units and picks one at program start. Only loops over integers,
// and loops over doubles that do not sum them (with contraction off, see CMakeLists.txt), are marked, so the result is
// the same on all processors.
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

// For functions called by the clones, so that they are compiled for the same vector unit.
#if defined(__GNUC__)
#define QNML_INLINE inline __attribute__((always_inline))
#else
#define QNML_INLINE inline
#endif
