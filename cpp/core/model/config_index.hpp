// Where the distribution of a parent configuration stands in a table that lists some configurations only.
//
// Configurations are packed, first parent highest, into as few 64-bit mixed-radix words as the numbers of levels need.
// One small word indexes an array; anything larger is hashed and compared word by word, so a find is never a guess.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace qnml {

// Scratch memory for packing a block of rows; one per thread, for any number of indices.
struct PackedRows {
  std::vector<std::uint64_t> words;   // first words of all rows, then their second words, …
  std::vector<std::uint8_t> strays;   // not 0 where a parent holds no level
  std::vector<std::uint64_t> tags;    // one number for all words of a row
  std::vector<std::uint32_t> places;  // what a look-up gives
  std::size_t rows = 0;
};

// words = words × levels + codes, row by row; the highest bit of a stray is set where a code is negative.
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
  // Every configuration listed, numbered in mixed radix, the last parent changing fastest.
  explicit ConfigIndex(std::span<const std::uint32_t> levels);
  // The k configurations listed in `configs`, k × parents codes, numbered as they come.
  // Throws std::invalid_argument where codes are no levels or a configuration is listed twice.
  ConfigIndex(std::span<const std::uint32_t> levels, std::span<const std::int32_t> configs, std::size_t k);

  // Number of configurations listed, which is also the place of every other one.
  std::size_t listed() const { return listed_; }
  std::size_t parents() const { return levels_.size(); }

  void start(PackedRows& packed, std::size_t rows) const {
    packed.rows = rows;
    packed.words.assign(rows * words_, 0);
    packed.strays.assign(rows, 0);
    packed.places.resize(rows);
  }

  // Adds the codes of the next parent; negative ones are no levels and make the row a stray.
  template <class Code>
  void append(PackedRows& packed, std::size_t parent, const Code* codes) const {
    extend_words(codes, packed.rows, levels_[parent], packed.words.data() + word_of_[parent] * packed.rows,
                 packed.strays.data());
  }

  // Adds the next parent as its first level in every row.
  void append_first(PackedRows& packed, std::size_t parent) const {
    std::uint64_t* const words = packed.words.data() + word_of_[parent] * packed.rows;
    for (std::size_t row = 0; row < packed.rows; ++row) words[row] *= levels_[parent];
  }

  // Moves a parent to its next level in every row.
  void advance(PackedRows& packed, std::size_t parent) const {
    std::uint64_t* const words = packed.words.data() + word_of_[parent] * packed.rows;
    for (std::size_t row = 0; row < packed.rows; ++row) words[row] += stride_[parent];
  }

  // Once every parent has been added: fills packed.places.
  void find(PackedRows& packed) const;

 private:
  struct Slot {
    std::uint64_t tag = 0;  // the word itself, or a mixture of the words
    std::uint32_t place = 0;
  };

  void lay_out();
  void find_hashed(PackedRows& packed) const;
  bool is_at(std::size_t place, const PackedRows& packed, std::size_t row) const;
  std::uint32_t search(const PackedRows& packed, std::size_t row) const;

  std::vector<std::uint32_t> levels_;
  std::vector<std::size_t> word_of_;   // which word each parent is packed into
  std::vector<std::uint64_t> stride_;  // weight of each parent's code in its word
  std::size_t words_ = 1;
  std::uint64_t size_ = 0;  // product of the levels, or 0 where one word does not hold it
  std::size_t listed_ = 0;
  bool has_all_ = false;
  std::vector<std::uint32_t> place_of_;  // by word, where that is small
  std::vector<Slot> slots_;              // by hash otherwise
  std::vector<std::uint64_t> keys_;      // words of the listed configurations, where there are several
};

}  // namespace qnml
