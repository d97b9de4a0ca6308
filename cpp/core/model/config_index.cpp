#include "core/model/config_index.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <type_traits>

#include "core/base/random.hpp"
#include "core/base/simd.hpp"

namespace qnml {
namespace {

constexpr std::uint32_t free_slot = std::numeric_limits<std::uint32_t>::max();

// An array over all configurations is always used up to this size, and beyond it up to a few times the number of listed
// configurations: then it takes no more memory than the distributions themselves.
constexpr std::uint64_t always_arrayed = std::uint64_t{1} << 16;
constexpr std::uint64_t arrayed_per_listed = 8;

template <class Code>
inline void extend(const Code* codes, std::size_t rows, std::uint32_t levels, std::uint64_t* words,
                   std::uint8_t* strays) {
  const std::uint64_t factor = levels;
  for (std::size_t row = 0; row < rows; ++row) {
    // The halves separately: vector units multiply 32 by 32 bits, rarely 64 by 64.
    const std::uint64_t low = (words[row] & 0xffffffffULL) * factor;
    const std::uint64_t high = (words[row] >> 32) * factor;
    words[row] = low + (high << 32) + static_cast<std::uint64_t>(codes[row]);
  }
  if constexpr (std::is_signed_v<Code>) {
    for (std::size_t row = 0; row < rows; ++row) {
      using Bits = std::make_unsigned_t<Code>;
      strays[row] |= static_cast<std::uint8_t>((static_cast<Bits>(codes[row]) >> (8 * (sizeof(Code) - 1))) & 0x80);
    }
  }
}

void fetch_early(const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#else
  static_cast<void>(address);
#endif
}

}  // namespace

QNML_VECTOR_CLONES void extend_words(const std::int8_t* codes, std::size_t rows, std::uint32_t levels,
                                     std::uint64_t* words, std::uint8_t* strays) {
  extend(codes, rows, levels, words, strays);
}

QNML_VECTOR_CLONES void extend_words(const std::int16_t* codes, std::size_t rows, std::uint32_t levels,
                                     std::uint64_t* words, std::uint8_t* strays) {
  extend(codes, rows, levels, words, strays);
}

QNML_VECTOR_CLONES void extend_words(const std::int32_t* codes, std::size_t rows, std::uint32_t levels,
                                     std::uint64_t* words, std::uint8_t* strays) {
  extend(codes, rows, levels, words, strays);
}

QNML_VECTOR_CLONES void extend_words(const std::uint8_t* codes, std::size_t rows, std::uint32_t levels,
                                     std::uint64_t* words, std::uint8_t* strays) {
  extend(codes, rows, levels, words, strays);
}

QNML_VECTOR_CLONES void extend_words(const std::uint16_t* codes, std::size_t rows, std::uint32_t levels,
                                     std::uint64_t* words, std::uint8_t* strays) {
  extend(codes, rows, levels, words, strays);
}

void ConfigIndex::lay_out() {
  word_of_.resize(levels_.size());
  stride_.assign(levels_.size(), 1);
  std::uint64_t product = 1;
  words_ = 1;
  for (std::size_t parent = 0; parent < levels_.size(); ++parent) {
    if (levels_[parent] == 0) throw std::invalid_argument("a parent has no levels");
    if (product > std::numeric_limits<std::uint64_t>::max() / levels_[parent]) {
      ++words_;
      product = 1;
    }
    product *= levels_[parent];
    word_of_[parent] = words_ - 1;
  }
  size_ = words_ == 1 ? product : 0;
  for (std::size_t parent = levels_.size(); parent-- > 1;) {
    if (word_of_[parent] == word_of_[parent - 1]) stride_[parent - 1] = stride_[parent] * levels_[parent];
  }
}

ConfigIndex::ConfigIndex(std::span<const std::uint32_t> levels) : levels_(levels.begin(), levels.end()) {
  lay_out();
  if (size_ == 0 || size_ >= free_slot) throw std::invalid_argument("too many configurations to list them all");
  listed_ = static_cast<std::size_t>(size_);
  has_all_ = true;
}

ConfigIndex::ConfigIndex(std::span<const std::uint32_t> levels, std::span<const std::int32_t> configs, std::size_t k)
    : levels_(levels.begin(), levels.end()), listed_(k) {
  lay_out();
  const std::size_t width = levels_.size();
  if (configs.size() != k * width || k >= free_slot) throw std::invalid_argument("configs must be k × parents");
  for (std::size_t i = 0; i < configs.size(); ++i) {
    if (configs[i] < 0 || static_cast<std::uint32_t>(configs[i]) >= levels_[i % width])
      throw std::invalid_argument("a configuration holds a code that is no level");
  }
  keys_.assign(k * words_, 0);
  for (std::size_t place = 0; place < k; ++place) {
    for (std::size_t parent = 0; parent < width; ++parent) {
      keys_[place * words_ + word_of_[parent]] +=
          stride_[parent] * static_cast<std::uint64_t>(configs[place * width + parent]);
    }
  }
  const auto refuse_twice = [] { throw std::invalid_argument("a configuration is listed twice"); };
  if (size_ != 0 && size_ <= std::max<std::uint64_t>(always_arrayed, arrayed_per_listed * k)) {
    place_of_.assign(static_cast<std::size_t>(size_), static_cast<std::uint32_t>(k));
    for (std::size_t place = 0; place < k; ++place) {
      std::uint32_t& entry = place_of_[static_cast<std::size_t>(keys_[place])];
      if (entry != k) refuse_twice();
      entry = static_cast<std::uint32_t>(place);
    }
    keys_.clear();
    return;
  }
  slots_.assign(std::bit_ceil(2 * k + 1), {0, free_slot});
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t place = 0; place < k; ++place) {
    const std::uint64_t* const key = keys_.data() + place * words_;
    std::uint64_t tag = key[0];
    for (std::size_t word = 1; word < words_; ++word) tag = mix64(tag) + key[word];
    std::size_t at = static_cast<std::size_t>(mix64(tag)) & mask;
    while (slots_[at].place != free_slot) {
      const std::uint64_t* const other = keys_.data() + slots_[at].place * words_;
      if (slots_[at].tag == tag && std::equal(key, key + words_, other)) refuse_twice();
      at = (at + 1) & mask;
    }
    slots_[at] = {tag, static_cast<std::uint32_t>(place)};
  }
  if (words_ == 1) keys_.clear();
}

void ConfigIndex::find(PackedRows& packed) const {
  const auto none = static_cast<std::uint32_t>(listed_);
  const std::uint64_t* const words = packed.words.data();
  const std::uint8_t* const strays = packed.strays.data();
  std::uint32_t* const places = packed.places.data();
  if (has_all_) {
    for (std::size_t row = 0; row < packed.rows; ++row) {
      places[row] = strays[row] != 0 ? none : static_cast<std::uint32_t>(words[row]);
    }
  } else if (!place_of_.empty()) {
    // The word of a stray may be arbitrary; its look-up goes to the first entry, and the answer is replaced.
    for (std::size_t row = 0; row < packed.rows; ++row) {
      const std::uint32_t place = place_of_[strays[row] != 0 ? 0 : static_cast<std::size_t>(words[row])];
      places[row] = strays[row] != 0 ? none : place;
    }
  } else {
    find_hashed(packed);
  }
}

void ConfigIndex::find_hashed(PackedRows& packed) const {
  const auto none = static_cast<std::uint32_t>(listed_);
  const std::size_t rows = packed.rows;
  const std::size_t mask = slots_.size() - 1;
  packed.tags.resize(rows);
  std::uint64_t* const tags = packed.tags.data();
  // The entries for a block of rows are scattered over a large table, so all are prefetched before the first is read.
  for (std::size_t row = 0; row < rows; ++row) {
    tags[row] = packed.words[row];
    for (std::size_t word = 1; word < words_; ++word) tags[row] = mix64(tags[row]) + packed.words[word * rows + row];
    fetch_early(&slots_[static_cast<std::size_t>(mix64(tags[row])) & mask]);
  }
  for (std::size_t row = 0; row < rows; ++row) {
    std::size_t at = static_cast<std::size_t>(mix64(tags[row])) & mask;
    while (slots_[at].place != free_slot && slots_[at].tag != tags[row]) at = (at + 1) & mask;
    const std::uint32_t found = slots_[at].place;
    packed.places[row] = found == free_slot || packed.strays[row] != 0 ? none : found;
    if (words_ > 1 && packed.places[row] != none) fetch_early(&keys_[found * words_]);
  }
  if (words_ == 1) return;  // the tag was the word itself
  for (std::size_t row = 0; row < rows; ++row) {
    if (packed.places[row] != none && !is_at(packed.places[row], packed, row)) packed.places[row] = search(packed, row);
  }
}

bool ConfigIndex::is_at(std::size_t place, const PackedRows& packed, std::size_t row) const {
  const std::uint64_t* const key = keys_.data() + place * words_;
  for (std::size_t word = 0; word < words_; ++word) {
    if (key[word] != packed.words[word * packed.rows + row]) return false;
  }
  return true;
}

// The full search, for a row whose tag equals that of another configuration.
std::uint32_t ConfigIndex::search(const PackedRows& packed, std::size_t row) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = static_cast<std::size_t>(mix64(packed.tags[row])) & mask; slots_[at].place != free_slot;
       at = (at + 1) & mask) {
    if (slots_[at].tag == packed.tags[row] && is_at(slots_[at].place, packed, row)) return slots_[at].place;
  }
  return static_cast<std::uint32_t>(listed_);
}

}  // namespace qnml
