#include "core/counting/lattice.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/counting/columns.hpp"
#include "core/counting/count.hpp"
#include "core/counting/lattice_counts.hpp"
#include "core/counting/lattice_many.hpp"
#include "core/counting/lattice_worker.hpp"
#include "core/counting/simd_counts.hpp"

namespace qnml {
namespace {

// Number of highest variables whose patterns form the tasks of the threads.
constexpr int kPrefixBits = 6;

// Identical rows are merged; their weights add up.
struct DistinctRows {
  std::vector<std::uint32_t> label;           // by row of the table: the distinct row it equals
  std::vector<std::uint32_t> representative;  // by distinct row: a row of the table
  std::vector<std::uint64_t> weight;          // by distinct row
};

DistinctRows distinct_rows(const Columns& table) {
  std::vector<int> all(table.columns.size());
  std::iota(all.begin(), all.end(), 0);
  DistinctRows rows;
  const std::uint32_t distinct = Counter(table).partition(all, rows.label);
  rows.representative.resize(distinct);
  rows.weight.resize(distinct);
  for (std::size_t row = table.rows; row-- > 0;) {
    rows.representative[rows.label[row]] = static_cast<std::uint32_t>(row);
    rows.weight[rows.label[row]] += table.weights != nullptr ? table.weights[row] : 1;
  }
  return rows;
}

// A column with dense codes for the levels that occur.
struct CodedColumn {
  int column = 0;
  std::uint32_t observed = 0;        // number of levels that occur
  double spread = 0.0;               // sum of c log c: large for low entropy
  std::vector<std::uint16_t> codes;  // by distinct row
};

bool fits_a_byte(const CodedColumn& column) { return column.observed <= 256; }

CodedColumn coded_column(const Columns& table, int v, const DistinctRows& rows) {
  const Column& column = table.at(v);
  const std::size_t distinct = rows.weight.size();
  CodedColumn coded;
  coded.column = v;
  coded.codes.resize(distinct);
  std::vector<std::uint64_t> count(column.levels, 0);
  with_codes(column, [&](const auto* codes) {
    for (std::size_t row = 0; row < distinct; ++row) count[codes[rows.representative[row]]] += rows.weight[row];
    std::vector<std::uint16_t> rename(column.levels, 0);
    for (std::size_t level = 0; level < count.size(); ++level) {
      if (count[level] > 0) rename[level] = static_cast<std::uint16_t>(coded.observed++);
    }
    for (std::size_t row = 0; row < distinct; ++row) coded.codes[row] = rename[codes[rows.representative[row]]];
  });
  // Sorted, so that the sum does not depend on the order of the levels.
  std::sort(count.begin(), count.end());
  for (std::uint64_t c : count) {
    if (c > 0) coded.spread += static_cast<double>(c) * std::log(static_cast<double>(c));
  }
  return coded;
}

// Lowest entropy first. Columns whose codes do not fit into a byte come last, so that they stay above the block.
std::vector<CodedColumn> columns_by_entropy(const Columns& table, const DistinctRows& rows) {
  std::vector<CodedColumn> columns;
  columns.reserve(table.columns.size());
  for (int v = 0; v < static_cast<int>(table.columns.size()); ++v) columns.push_back(coded_column(table, v, rows));
  std::stable_sort(columns.begin(), columns.end(), [](const CodedColumn& a, const CodedColumn& b) {
    return fits_a_byte(a) != fits_a_byte(b) ? fits_a_byte(a) : a.spread > b.spread;
  });
  return columns;
}

// The codes of a block's columns by row, one byte per column.
std::vector<std::uint64_t> block_signatures(std::span<const CodedColumn> block, std::size_t rows) {
  std::vector<std::uint64_t> signature(rows, 0);
  for (std::size_t bit = 0; bit < block.size(); ++bit) {
    for (std::size_t row = 0; row < rows; ++row) {
      signature[row] |= static_cast<std::uint64_t>(block[bit].codes[row]) << (8 * bit);
    }
  }
  return signature;
}

// Byte 0 is the major key, so rows that agree on the lowest k variables are adjacent, for every k and in every cell.
std::vector<std::uint32_t> order_by_signature(const std::vector<std::uint64_t>& signature) {
  std::vector<std::uint64_t> keys(signature.size(), 0);
  for (std::size_t row = 0; row < keys.size(); ++row) {
    for (int byte = 0; byte < 8; ++byte) keys[row] |= (signature[row] >> (8 * byte) & 0xFF) << (8 * (7 - byte));
  }
  std::vector<std::uint32_t> order(signature.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  return order;
}

template <class T>
std::vector<T> reordered(const std::vector<T>& values, const std::vector<std::uint32_t>& order) {
  std::vector<T> sorted;
  sorted.reserve(order.size());
  for (std::uint32_t row : order) sorted.push_back(values[row]);
  return sorted;
}

}  // namespace

int padded_channels(std::size_t needed) {
  if (needed > kMostChannels) {
    throw std::invalid_argument(
        "this score needs more channels than one walk has: more than 31 different numbers of levels");
  }
  return static_cast<int>(std::bit_ceil(needed));
}

Lattice::Lattice(const Columns& table, const CountTerms& terms) : terms_(terms) {
  n_ = static_cast<int>(table.columns.size());
  const DistinctRows rows = distinct_rows(table);
  const std::vector<CodedColumn> columns = columns_by_entropy(table, rows);
  while (bottom_ < std::min(n_, kBlockBits) && fits_a_byte(columns[static_cast<std::size_t>(bottom_)])) ++bottom_;

  const std::size_t distinct = rows.weight.size();
  const std::vector<std::uint64_t> signature =
      block_signatures(std::span(columns).first(static_cast<std::size_t>(bottom_)), distinct);
  const std::vector<std::uint32_t> order = order_by_signature(signature);
  for (int bit = 0; bit < n_; ++bit) {
    const CodedColumn& mine = columns[static_cast<std::size_t>(bit)];
    column_of_bit_.push_back(mine.column);
    observed_.push_back(mine.observed);
    codes_.push_back(bit < bottom_ ? std::vector<std::uint16_t>() : reordered(mine.codes, order));
  }
  signature_ = reordered(signature, order);
  weight_ = reordered(rows.weight, order);
  for (std::size_t row = 1; row < distinct; ++row) patterns_ += signature_[row] != signature_[row - 1];

  std::vector<std::uint32_t> place(distinct);
  for (std::uint32_t row = 0; row < distinct; ++row) place[order[row]] = row;
  place_of_row_.resize(table.rows);
  for (std::size_t row = 0; row < table.rows; ++row) place_of_row_[row] = place[rows.label[row]];
}

template <class Worker, class Source>
void Lattice::walk_with(const Source& source, const Receiver& receive, Control& control, int threads) const {
  const int prefix_bits = std::min(n_ - bottom_, kPrefixBits);
  const int low_bit = n_ - prefix_bits;
  std::vector<std::unique_ptr<Worker>> workers(static_cast<std::size_t>(std::max(threads, 1)));
  // Small prefixes hold the most rows, so they come first: the longest task should not be the last.
  parallel_for(std::size_t{1} << prefix_bits, threads, [&](int thread, std::size_t task) {
    auto& worker = workers[static_cast<std::size_t>(thread)];
    if (!worker) worker = std::make_unique<Worker>(*this, source, receive, control);
    worker->run(static_cast<std::uint64_t>(task) << low_bit, low_bit);
  });
  visits_ = 0;
  for (const auto& worker : workers) visits_ += worker ? worker->visits() : 0;
}

bool Lattice::walk(const Receiver& receive, Control& control, int threads) const {
  auto walk_channels = [&]<int kChannels>(std::integral_constant<int, kChannels>) {
    const typename SingleCounts<kChannels>::Source source{terms_, weight_.data()};
    walk_with<LatticeWorker<SingleCounts<kChannels>>>(source, receive, control, threads);
  };
  switch (terms_.channels) {
    case 1:
      walk_channels(std::integral_constant<int, 1>{});
      break;
    case 2:
      walk_channels(std::integral_constant<int, 2>{});
      break;
    case 4:
      walk_channels(std::integral_constant<int, 4>{});
      break;
    case 8:
      walk_channels(std::integral_constant<int, 8>{});
      break;
    case 16:
      walk_channels(std::integral_constant<int, 16>{});
      break;
    case 32:
      walk_channels(std::integral_constant<int, 32>{});
      break;
    default:
      throw std::logic_error("Lattice::walk: channels must be a power of two up to 32");
  }
  return !control.is_stopped();
}

template <class Count>
void Lattice::walk_with_many(const ManyWeights& weights, std::vector<std::uint8_t> wanted, const Receiver& receive,
                             Control& control, int threads) const {
  ManySource<Count> source;
  const std::size_t lanes = lanes_for(weights.size());
  source.lanes = {static_cast<int>(lanes), static_cast<int>(weights.size())};
  const auto channels = static_cast<std::size_t>(terms_.channels);
  const std::size_t counts = terms_.table_size();
  source.terms.channels = terms_.used;
  source.values.resize(counts * static_cast<std::size_t>(terms_.used));
  for (std::size_t c = 0; c < static_cast<std::size_t>(terms_.used); ++c) {
    for (std::size_t i = 0; i < counts; ++i) source.values[c * counts + i] = terms_.values[i * channels + c];
    source.terms.set(static_cast<int>(c), source.values.data() + c * counts, counts);
  }
  source.counts.reserve(signature_.size() * lanes);
  std::fill_n(source.counts.data(), signature_.size() * lanes, Count{0});
  for (std::size_t k = 0; k < weights.size(); ++k) {
    for (std::size_t row = 0; row < place_of_row_.size(); ++row) {
      Count& count = source.counts.data()[place_of_row_[row] * lanes + k];
      count = static_cast<Count>(count + weights[k][row]);
    }
  }
  // Every set is reached from the set without its lowest bit.
  for (std::uint64_t set = wanted.size(); set-- > 1;) wanted[set & (set - 1)] |= wanted[set];
  source.subtree = std::move(wanted);
  walk_with<ManyWorker<Count>>(source, receive, control, threads);
}

std::size_t Lattice::lanes_for(std::size_t weights) { return (weights + kLaneBlock - 1) / kLaneBlock * kLaneBlock; }

bool Lattice::walk_many(const ManyWeights& weights, std::vector<std::uint8_t> wanted, const Receiver& receive,
                        Control& control, int threads) const {
  if (terms_.used > kMostLaneChannels) throw std::logic_error("Lattice::walk_many: too many channels");
  if (wanted.empty()) wanted.assign(std::size_t{1} << n_, 1);
  if (terms_.table_size() <= std::numeric_limits<std::uint16_t>::max()) {
    walk_with_many<std::uint16_t>(weights, std::move(wanted), receive, control, threads);
  } else {
    walk_with_many<std::uint32_t>(weights, std::move(wanted), receive, control, threads);
  }
  return !control.is_stopped();
}

}  // namespace qnml
