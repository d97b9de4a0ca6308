#include "core/lattice.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <type_traits>

#include "core/count.hpp"
#include "core/lattice_worker.hpp"
#include "core/parallel.hpp"

namespace qnml {
namespace {

// Tasks handed to threads: all patterns of the highest variables.
constexpr int kPrefixBits = 6;

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
  std::vector<int> all(static_cast<std::size_t>(n_));
  std::iota(all.begin(), all.end(), 0);

  // Identical rows count once, with the sum of their weights.
  std::vector<std::uint32_t> label;
  const std::uint32_t distinct = Counter(table).partition(all, label);
  std::vector<std::uint32_t> representative(distinct);
  std::vector<std::uint64_t> weight(distinct, 0);
  for (std::size_t row = table.rows; row-- > 0;) {
    representative[label[row]] = static_cast<std::uint32_t>(row);
    weight[label[row]] += table.weights != nullptr ? table.weights[row] : 1;
  }

  // Dense codes of the levels that occur, and each column's information content.
  struct Coded {
    int column;
    std::uint32_t observed;
    double spread;  // sum of c log c: large for low entropy
    std::vector<std::uint16_t> codes;
  };
  std::vector<Coded> coded(static_cast<std::size_t>(n_));
  for (int v = 0; v < n_; ++v) {
    const Column& column = table.columns[static_cast<std::size_t>(v)];
    Coded& mine = coded[static_cast<std::size_t>(v)];
    mine.column = v;
    mine.codes.resize(distinct);
    std::vector<std::uint64_t> count(column.levels, 0);
    with_codes(column, [&](const auto* codes) {
      for (std::uint32_t row = 0; row < distinct; ++row) count[codes[representative[row]]] += weight[row];
      std::vector<std::uint16_t> rename(column.levels, 0);
      mine.observed = 0;
      for (std::size_t level = 0; level < count.size(); ++level) {
        if (count[level] > 0) rename[level] = static_cast<std::uint16_t>(mine.observed++);
      }
      for (std::uint32_t row = 0; row < distinct; ++row) mine.codes[row] = rename[codes[representative[row]]];
    });
    // Sorted, so that the sum does not depend on the order of the levels.
    std::sort(count.begin(), count.end());
    mine.spread = 0.0;
    for (std::uint64_t c : count) {
      if (c > 0) mine.spread += static_cast<double>(c) * std::log(static_cast<double>(c));
    }
  }
  // Lowest entropy first; columns whose codes do not fit a byte stay above the block.
  std::stable_sort(coded.begin(), coded.end(), [](const Coded& a, const Coded& b) {
    const bool a_wide = a.observed > 256;
    const bool b_wide = b.observed > 256;
    return a_wide != b_wide ? b_wide : a.spread > b.spread;
  });
  while (bottom_ < std::min(n_, kBlockBits) && coded[static_cast<std::size_t>(bottom_)].observed <= 256) ++bottom_;

  std::vector<std::uint64_t> signature(distinct, 0);
  for (int bit = 0; bit < bottom_; ++bit) {
    const auto& codes = coded[static_cast<std::size_t>(bit)].codes;
    for (std::uint32_t row = 0; row < distinct; ++row) {
      signature[row] |= static_cast<std::uint64_t>(codes[row]) << (8 * bit);
    }
  }
  // Byte 0 is the major key: rows equal on the lowest k variables are then neighbours, for every k, in every cell.
  std::vector<std::uint32_t> order(distinct);
  std::iota(order.begin(), order.end(), 0u);
  auto key = [&](std::uint32_t row) {
    std::uint64_t reversed = 0;
    for (int byte = 0; byte < 8; ++byte) reversed |= (signature[row] >> (8 * byte) & 0xFF) << (8 * (7 - byte));
    return reversed;
  };
  std::vector<std::uint64_t> keys(distinct);
  for (std::uint32_t row = 0; row < distinct; ++row) keys[row] = key(row);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });

  for (int bit = 0; bit < n_; ++bit) {
    Coded& mine = coded[static_cast<std::size_t>(bit)];
    column_of_bit_.push_back(mine.column);
    observed_.push_back(mine.observed);
    std::vector<std::uint16_t> codes;
    if (bit >= bottom_) {
      codes.resize(distinct);
      for (std::uint32_t row = 0; row < distinct; ++row) codes[row] = mine.codes[order[row]];
    }
    codes_.push_back(std::move(codes));
  }
  std::vector<std::uint32_t> place(distinct);
  for (std::uint32_t row = 0; row < distinct; ++row) place[order[row]] = row;
  place_of_row_.resize(table.rows);
  for (std::size_t row = 0; row < table.rows; ++row) place_of_row_[row] = place[label[row]];
  signature_.resize(distinct);
  weight_.resize(distinct);
  for (std::uint32_t row = 0; row < distinct; ++row) {
    signature_[row] = signature[order[row]];
    weight_[row] = weight[order[row]];
  }
}

template <class Counts>
std::uint64_t Lattice::walk_with(const typename Counts::Source& source, const Receiver& receive, Control& control,
                                 int threads) const {
  const int prefix_bits = std::min(n_ - bottom_, kPrefixBits);
  const int low_bit = n_ - prefix_bits;
  std::vector<std::unique_ptr<LatticeWorker<Counts>>> workers(static_cast<std::size_t>(std::max(threads, 1)));
  // Few rows first would leave the longest task for the end: small prefixes hold the most rows.
  parallel_for(std::size_t{1} << prefix_bits, threads, [&](int thread, std::size_t task) {
    auto& worker = workers[static_cast<std::size_t>(thread)];
    if (!worker) worker = std::make_unique<LatticeWorker<Counts>>(*this, source, receive, control);
    worker->run(static_cast<std::uint64_t>(task) << low_bit, low_bit);
  });
  std::uint64_t visits = 0;
  for (const auto& worker : workers) visits += worker ? worker->visits() : 0;
  return visits;
}

bool Lattice::walk(const Receiver& receive, Control& control, int threads) const {
  auto walk_channels = [&]<int kChannels>(std::integral_constant<int, kChannels>) {
    return walk_with<SingleCounts<kChannels>>({terms_, weight_.data()}, receive, control, threads);
  };
  switch (terms_.channels) {
    case 1:
      visits_ = walk_channels(std::integral_constant<int, 1>{});
      break;
    case 2:
      visits_ = walk_channels(std::integral_constant<int, 2>{});
      break;
    case 4:
      visits_ = walk_channels(std::integral_constant<int, 4>{});
      break;
    case 8:
      visits_ = walk_channels(std::integral_constant<int, 8>{});
      break;
    case 16:
      visits_ = walk_channels(std::integral_constant<int, 16>{});
      break;
    case 32:
      visits_ = walk_channels(std::integral_constant<int, 32>{});
      break;
    default:
      throw std::logic_error("Lattice::walk: channels must be a power of two up to 32");
  }
  return !control.is_stopped();
}

template <int kWeights, class Count>
std::uint64_t Lattice::walk_with_many(const ManyWeights& weights, const Receiver& receive, Control& control,
                                      int threads) const {
  using Counts = ManyCounts<kWeights, Count>;
  std::vector<typename Counts::Weight> of_place(signature_.size());
  for (std::size_t row = 0; row < place_of_row_.size(); ++row) {
    for (std::size_t k = 0; k < weights.size(); ++k) {
      of_place[place_of_row_[row]].of[k] += static_cast<Count>(weights[k][row]);
    }
  }
  return walk_with<Counts>({terms_, of_place.data()}, receive, control, threads);
}

int Lattice::lanes_for(std::size_t weights) { return weights <= kFewWeights ? kFewWeights : kMostWeights; }

bool Lattice::walk_many(const ManyWeights& weights, const Receiver& receive, Control& control, int threads) const {
  if (terms_.channels != 1 || weights.size() > kMostWeights) {
    throw std::logic_error("Lattice::walk_many: takes one channel and at most 64 weights");
  }
  const bool is_narrow = terms_.table_size() <= std::numeric_limits<std::uint16_t>::max();
  if (lanes_for(weights.size()) == kFewWeights) {
    visits_ = is_narrow ? walk_with_many<kFewWeights, std::uint16_t>(weights, receive, control, threads)
                        : walk_with_many<kFewWeights, std::uint32_t>(weights, receive, control, threads);
  } else {
    visits_ = is_narrow ? walk_with_many<kMostWeights, std::uint16_t>(weights, receive, control, threads)
                        : walk_with_many<kMostWeights, std::uint32_t>(weights, receive, control, threads);
  }
  return !control.is_stopped();
}

}  // namespace qnml
