#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <vector>

#include "core/base/random.hpp"
#include "core/counting/count.hpp"
#include "core/model/conditional.hpp"
#include "core/model/config_index.hpp"
#include "tests/close_to.hpp"
#include "tests/doctest.h"
#include "tests/random_table.hpp"

namespace {

using Config = std::vector<std::int32_t>;

// The naive reference: a map from configurations to counts, in which zero weights leave no trace.
std::map<Config, std::vector<std::int64_t>> plain_counts(const RandomTable& table, std::size_t child,
                                                         const std::vector<int>& parents) {
  std::map<Config, std::vector<std::int64_t>> counts;
  for (std::size_t row = 0; row < table.view.rows; ++row) {
    if (table.weight(row) == 0) continue;
    Config config;
    for (const int parent : parents) {
      config.push_back(static_cast<std::int32_t>(table.codes[static_cast<std::size_t>(parent)][row]));
    }
    std::vector<std::int64_t>& cell = counts[config];
    cell.resize(table.view.columns[child].levels);
    cell[table.codes[child][row]] += static_cast<std::int64_t>(table.weight(row));
  }
  return counts;
}

void check_counts(const RandomTable& table, int child, const std::vector<int>& parents) {
  const qnml::FamilyCounts found = qnml::Counter(table.view).configurations(child, parents);
  Config configs;
  std::vector<std::int64_t> counts;
  // std::map visits its keys in lexicographic order.
  for (const auto& [config, cell] : plain_counts(table, static_cast<std::size_t>(child), parents)) {
    configs.insert(configs.end(), config.begin(), config.end());
    counts.insert(counts.end(), cell.begin(), cell.end());
  }
  CHECK(found.configs == configs);
  CHECK(found.counts == counts);
}

// Lists every other observed configuration and looks all of them up.
void check_index(const RandomTable& table) {
  std::vector<int> all;
  std::vector<std::uint32_t> levels;
  for (std::size_t i = 1; i < table.view.columns.size(); ++i) {
    all.push_back(static_cast<int>(i));
    levels.push_back(table.view.columns[i].levels);
  }
  Config listed;
  std::map<Config, std::uint32_t> places;
  std::size_t number = 0;
  for (const auto& [config, cell] : plain_counts(table, 0, all)) {
    if (number++ % 2 == 0) continue;
    places.emplace(config, static_cast<std::uint32_t>(places.size()));
    listed.insert(listed.end(), config.begin(), config.end());
  }
  const qnml::ConfigIndex index(levels, listed, places.size());
  qnml::PackedRows packed;
  index.start(packed, table.view.rows);
  for (std::size_t k = 0; k < all.size(); ++k) {
    Config codes(table.codes[k + 1].begin(), table.codes[k + 1].end());
    if (k == 0) codes[0] = -2;  // the first row has no known level
    index.append(packed, k, codes.data());
  }
  index.find(packed);
  CHECK(packed.places[0] == places.size());
  bool right = true;
  for (std::size_t row = 1; row < table.view.rows; ++row) {
    Config config;
    for (std::size_t k = 0; k < all.size(); ++k) config.push_back(static_cast<std::int32_t>(table.codes[k + 1][row]));
    const auto found = places.find(config);
    right = right && packed.places[row] == (found == places.end() ? places.size() : found->second);
  }
  CHECK(right);
}

// Two configurations of 126 bits, two words of 63, whose words hash to the same number: the hash alone would confuse
// them. The words of the first are 0 and 0, which hash to 0.
TEST_CASE("configurations with equal hashes are distinguished") {
  std::uint64_t first = 1;
  while (qnml::mix64(first) < std::uint64_t{1} << 63) ++first;
  const std::uint64_t second = 0 - qnml::mix64(first);
  CHECK(qnml::mix64(first) + second == qnml::mix64(0));
  const std::vector<std::uint32_t> levels(126, 2);
  const Config zero(126, 0);
  Config other;
  for (const std::uint64_t word : {first, second}) {
    for (int bit = 62; bit >= 0; --bit) other.push_back(static_cast<std::int32_t>(word >> bit & 1));
  }
  const auto places = [&](const std::vector<Config>& listed) {
    Config flat;
    for (const Config& config : listed) flat.insert(flat.end(), config.begin(), config.end());
    const qnml::ConfigIndex index(levels, flat, listed.size());
    qnml::PackedRows packed;
    index.start(packed, 2);
    for (std::size_t k = 0; k < 126; ++k) {
      const std::vector<std::int8_t> codes = {static_cast<std::int8_t>(zero[k]), static_cast<std::int8_t>(other[k])};
      index.append(packed, k, codes.data());
    }
    index.find(packed);
    return packed.places;
  };
  using Places = std::vector<std::uint32_t>;
  CHECK(places({zero}) == Places{0, 1});
  CHECK(places({other}) == Places{1, 0});
  CHECK(places({zero, other}) == Places{0, 1});
  CHECK(places({other, zero}) == Places{1, 0});
}

template <class Work>
bool refuses(Work&& work) {
  try {
    work();
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

// a -> b, both -> c with a sparse table that lists only (1, 0).
struct Toy {
  std::vector<std::uint32_t> of_b = {0}, of_c = {0, 1};
  std::vector<double> a = {0.25, 0.75}, b = {0.5, 0.5, 0.0, 1.0}, c = {0.9, 0.1};
  std::vector<double> half = {0.5, 0.5};
  Config listed = {1, 0};
  std::vector<qnml::ConditionalTable> tables;

  Toy() { tables = {{{}, 2, true, {}, a, half}, {of_b, 2, true, {}, b, half}, {of_c, 2, false, listed, c, half}}; }
  Toy(const Toy&) = delete;
  Toy& operator=(const Toy&) = delete;
};

TEST_CASE("probabilities and predictions of a small network") {
  const Toy toy;
  const qnml::Conditionals net(toy.tables);
  const std::vector<std::int8_t> a = {0, 1, 1, -2, 0}, c = {0, 0, 1, 0, -2};
  const std::vector<std::int32_t> b = {1, 0, 1, 1, 0};
  const std::vector<qnml::SignedColumn> columns = {{a.data(), 1}, {b.data(), 4}, {c.data(), 1}};
  std::vector<double> values(5), again(5);
  net.log_prob(columns, values, 1);
  net.log_prob(columns, again, 3);
  CHECK(values == again);
  CHECK(values[0] == close_to(std::log(0.25 * 0.5 * 0.5), 1e-15));
  CHECK(std::isinf(values[1]));
  CHECK(values[1] < 0);
  CHECK(values[2] == close_to(std::log(0.75 * 1.0 * 0.5), 1e-15));
  CHECK(values[3] == close_to(std::log(0.5 * 0.5 * 0.5), 1e-15));  // the unknown cell, then two unseen configurations
  CHECK(values[4] == close_to(std::log(0.25 * 0.5 * 0.5), 1e-15));

  // a given b and c: proportional to P(a) P(b | a) P(c | a, b).
  std::vector<double> shares(10);
  const std::vector<qnml::SignedColumn> others = {{}, columns[1], columns[2]};
  net.predict(0, others, shares, 2);
  CHECK(shares[0] == close_to(0.25 * 0.5 / (0.25 * 0.5 + 0.75), 1e-15));
  CHECK(shares[2] == close_to(1.0, 1e-15));  // b = 0 is impossible with a = 1
  CHECK(shares[8] + shares[9] == close_to(1.0, 1e-15));
  CHECK(refuses([&] { net.log_prob(others, values, 1); }));
  CHECK(refuses([&] { net.predict(1, others, shares, 1); }));
  CHECK(refuses([&] { net.predict(0, {}, shares, 1); }));
}

}  // namespace

TEST_CASE("counts of configurations and their index") {
  for (const bool weighted : {false, true}) {
    const RandomTable small({3, 2, 4, 1, 300}, 500, 7, weighted);
    check_counts(small, 0, {});
    check_counts(small, 4, {2, 0, 3});
    check_counts(small, 1, {4, 0});
    // 400 levels, twenty times: far beyond one 64-bit word.
    const RandomTable deep(std::vector<std::uint32_t>(20, 400), 300, 8, weighted);
    check_counts(deep, 0, {19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1});
    check_index(small);
    check_index(deep);
  }
  check_index(RandomTable(std::vector<std::uint32_t>(41, 2), 1000, 9));  // one word, too large for an array
  check_index(RandomTable({2, 1, 1}, 3, 10));
}

TEST_CASE("malformed tables are refused") {
  const std::vector<std::uint32_t> levels = {2, 3};
  CHECK(refuses([&] { qnml::ConfigIndex(levels, Config{0, 3}, 1); }));
  CHECK(refuses([&] { qnml::ConfigIndex(levels, Config{0, -1}, 1); }));
  CHECK(refuses([&] { qnml::ConfigIndex(levels, Config{0, 1, 0, 1}, 2); }));
  CHECK(refuses([&] { qnml::ConfigIndex(levels, Config{0, 1, 0}, 2); }));
  CHECK(refuses([&] { qnml::ConfigIndex(std::vector<std::uint32_t>(20, 400)); }));
  const std::vector<std::uint32_t> many(41, 3);
  CHECK(refuses([&] { qnml::ConfigIndex(many, Config(82, 1), 2); }));

  Toy toy;
  toy.tables[1].rows = toy.a;
  CHECK(refuses([&] { qnml::Conditionals{toy.tables}; }));
}
