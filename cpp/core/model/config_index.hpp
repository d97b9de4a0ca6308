// Finds the distribution of a parent configuration in a table that may list only some configurations.
//
// Configurations are packed, first parent highest, into as few 64-bit mixed-radix words as possible. A single small
// word indexes an array. Anything larger is hashed and compared word by word, so a match is always exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace qnml {

// Scratch memory for packing a block of rows; one per thread, shared by any number of indices.
struct PackedRows {
  std::vector<std::uint64_t> words;   // first words of all rows, then their second words, …
  std::vector<std::uint8_t> strays;   // nonzero if a parent has no known level
  std::vector<std::uint64_t> tags;    // one number for all words of a row
  std::vector<std::uint32_t> places;  // the results of a look-up
  std::size_t rows = 0;
};

// words = words × levels + codes, row by row; sets the highest bit of a stray if a code is negative.
void extend_words(const std::int8_t* codes, std::size_t rows, std::uint32_t levels, std::uint64_t* words,
                  std::uint8_t* strays);
void extend_words(const std::int16_t* codes, std::size_t rows, std::uint32_t levels, std::uint64_t* words,
                  std::uint8_t* strays);
void extend_words(const std::int32_t* codes, std::size_t rows, std::uint32_t levels, std::uint64_t* words,
                  std::uint8_t* strays);
void extend_words(const std::uint8_t* codes, std::size_t rows, std::uint32_t levels, std::uint64_t* words,
                  std::uint8_t* strays);
void extend_words(const std::uint16_t* codes, std::size_t rows, std::uint32_t levels, std::uint64_t* words,
                  std::uint8_t* strays);

class ConfigIndex {
 public:
  // Lists every configuration, numbered in mixed radix, the last parent varying fastest.
  explicit ConfigIndex(std::span<const std::uint32_t> levels);
  // Lists the k configurations in `configs`, k × parents codes, numbered in the given order.
  // Throws std::invalid_argument if a code is not a level or a configuration is listed twice.
  ConfigIndex(std::span<const std::uint32_t> levels, std::span<const std::int32_t> configs, std::size_t k);

  // Number of listed configurations, which is also the place of all unlisted ones.
  std::size_t listed() const { return listed_; }
  std::size_t parents() const { return levels_.size(); }

  void start(PackedRows& packed, std::size_t rows) const {
    packed.rows = rows;
    packed.words.assign(rows * words_, 0);
    packed.strays.assign(rows, 0);
    packed.places.resize(rows);
  }

  // Appends the codes of the next parent; a negative code is no level and makes the row a stray.
  template <class Code>
  void append(PackedRows& packed, std::size_t parent, const Code* codes) const {
    extend_words(codes, packed.rows, levels_[parent], packed.words.data() + word_of_[parent] * packed.rows,
                 packed.strays.data());
  }

  // Appends the next parent with its first level in every row.
  void append_first(PackedRows& packed, std::size_t parent) const {
    std::uint64_t* const words = packed.words.data() + word_of_[parent] * packed.rows;
    for (std::size_t row = 0; row < packed.rows; ++row) words[row] *= levels_[parent];
  }

  // Advances a parent to its next level in every row.
  void advance(PackedRows& packed, std::size_t parent) const {
    std::uint64_t* const words = packed.words.data() + word_of_[parent] * packed.rows;
    for (std::size_t row = 0; row < packed.rows; ++row) words[row] += stride_[parent];
  }

  // Fills packed.places. Call after every parent has been appended.
  void find(PackedRows& packed) const;

 private:
  struct Slot {
    std::uint64_t tag = 0;  // the word itself, or a hash of the words
    std::uint32_t place = 0;
  };

  void lay_out();
  void find_hashed(PackedRows& packed) const;
  bool is_at(std::size_t place, const PackedRows& packed, std::size_t row) const;
  std::uint32_t search(const PackedRows& packed, std::size_t row) const;

  std::vector<std::uint32_t> levels_;
  std::vector<std::size_t> word_of_;   // the word that each parent is packed into
  std::vector<std::uint64_t> stride_;  // weight of each parent's code in its word
  std::size_t words_ = 1;
  std::uint64_t size_ = 0;  // product of the levels, or 0 if it does not fit into one word
  std::size_t listed_ = 0;
  bool has_all_ = false;
  std::vector<std::uint32_t> place_of_;  // by word, if small
  std::vector<Slot> slots_;              // by hash otherwise
  std::vector<std::uint64_t> keys_;      // words of the listed configurations, if there are several per configuration
};

}  // namespace qnml
