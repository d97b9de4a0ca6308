#include "core/counting/lattice.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <type_traits>

#include "core/base/parallel.hpp"
#include "core/counting/count.hpp"
#include "core/counting/lattice_many.hpp"
#include "core/counting/lattice_worker.hpp"

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
    patterns_ += row > 0 && signature_[row] != signature_[row - 1];
  }
}

template <class Worker, class Source>
void Lattice::walk_with(const Source& source, const Receiver& receive, Control& control, int threads) const {
  const int prefix_bits = std::min(n_ - bottom_, kPrefixBits);
  const int low_bit = n_ - prefix_bits;
  std::vector<std::unique_ptr<Worker>> workers(static_cast<std::size_t>(std::max(threads, 1)));
  // Few rows first would leave the longest task for the end: small prefixes hold the most rows.
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
  // Sets are reached from the one without their lowest bit.
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
