// Random numbers that depend only on a seed and a stream number, never on the scheduling of threads.
//
// SplitMix64: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
// xoshiro256++: D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47(4), 2021.
// Both are implemented from the published recurrences and tested against the output of their authors' reference
// programs (tests/model/test_sampling.py).
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace qnml {

// The finalizer of SplitMix64: a bijection on 64 bits whose outputs look unrelated for related inputs.
constexpr std::uint64_t mix64(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15ULL;

class Xoshiro256 {
 public:
  explicit constexpr Xoshiro256(const std::array<std::uint64_t, 4>& state) : state_(state) {}

  // The state of stream k of a seed consists of the outputs 4k .. 4k+3 of one SplitMix64 sequence, so no two streams of
  // a seed share a state. The seed is mixed first: adjacent seeds must not be adjacent points of one sequence.
  static constexpr Xoshiro256 stream(std::uint64_t seed, std::uint64_t k) {
    std::array<std::uint64_t, 4> state{};
    std::uint64_t counter = mix64(seed + golden_gamma) + 4 * k * golden_gamma;
    for (std::uint64_t& word : state) word = mix64(counter += golden_gamma);
    return Xoshiro256(state);
  }

  // The state of the generator; a generator made from it continues the sequence.
  constexpr const std::array<std::uint64_t, 4>& state() const { return state_; }

  constexpr std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform on the multiples of 2^-53 in [0, 1): 1 is never returned, as the inverse-CDF look-up requires.
  constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace qnml
