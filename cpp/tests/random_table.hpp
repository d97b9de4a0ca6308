// Random coded tables that own their memory, for tests that compare the core with naive references.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "core/counting/columns.hpp"

struct RandomTable {
  // Columns with more than 256 levels are stored wide. Codes come from the generator's raw bits, not from a standard
  // distribution, whose results differ between standard libraries.
  RandomTable(const std::vector<std::uint32_t>& levels, std::size_t rows, unsigned seed, bool weighted = false)
      : codes(levels.size(), std::vector<std::uint32_t>(rows)), narrow(levels.size()), wide(levels.size()) {
    std::mt19937_64 random(seed);
    view.rows = rows;
    view.total = rows;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      for (std::uint32_t& code : codes[i]) code = static_cast<std::uint32_t>((random() >> 11) % levels[i]);
      narrow[i].assign(codes[i].begin(), codes[i].end());
      wide[i].assign(codes[i].begin(), codes[i].end());
      const bool is_wide = levels[i] > 256;
      const void* start =
          is_wide ? static_cast<const void*>(wide[i].data()) : static_cast<const void*>(narrow[i].data());
      view.columns.push_back({start, is_wide, levels[i]});
    }
    if (weighted) {
      view.total = 0;
      for (std::size_t row = 0; row < rows; ++row) {
        weights.push_back(random() % 4);
        view.total += weights.back();
      }
      view.weights = weights.data();
    }
  }
  // Makes most cells of a column copies of one or two earlier columns, so that there is something to learn.
  void make_dependent(unsigned seed) {
    std::mt19937_64 random(seed);
    for (std::size_t child = 1; child < codes.size(); ++child) {
      const std::size_t sources[] = {random() % child, random() % child};
      for (std::size_t row = 0; row < view.rows; ++row) {
        const std::uint64_t chance = random() >> 32;
        if (chance % 10 < 7) codes[child][row] = codes[sources[chance % 2]][row] % view.columns[child].levels;
        narrow[child][row] = static_cast<std::uint8_t>(codes[child][row]);
        wide[child][row] = static_cast<std::uint16_t>(codes[child][row]);
      }
    }
  }

  // The view points into this object.
  RandomTable(const RandomTable&) = delete;
  RandomTable& operator=(const RandomTable&) = delete;

  std::uint64_t weight(std::size_t row) const { return weights.empty() ? 1 : weights[row]; }

  std::vector<std::vector<std::uint32_t>> codes;
  std::vector<std::vector<std::uint8_t>> narrow;
  std::vector<std::vector<std::uint16_t>> wide;
  std::vector<std::uint64_t> weights;
  qnml::Columns view;
};
