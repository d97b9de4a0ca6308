#include "core/lattice.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <numeric>
#include <stdexcept>

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
  signature_.resize(distinct);
  weight_.resize(distinct);
  for (std::uint32_t row = 0; row < distinct; ++row) {
    signature_[row] = signature[order[row]];
    weight_[row] = weight[order[row]];
  }
}

namespace {

template <int kChannels>
std::uint64_t walk_with(const Lattice& lattice, int bottom, const Lattice::Receiver& receive, Control& control,
                        int threads) {
  const int high = lattice.n_variables() - bottom;
  const int prefix_bits = std::min(high, kPrefixBits);
  const int low_bit = lattice.n_variables() - prefix_bits;
  std::atomic<std::uint64_t> visits{0};
  // Few rows first would leave the longest task for the end: small prefixes hold the most rows.
  parallel_for(std::size_t{1} << prefix_bits, threads, [&](int, std::size_t task) {
    LatticeWorker<kChannels> worker(lattice, receive, control);
    worker.run(static_cast<std::uint64_t>(task) << low_bit, low_bit);
    visits += worker.visits();
  });
  return visits;
}

}  // namespace

bool Lattice::walk(const Receiver& receive, Control& control, int threads) const {
  switch (terms_.channels) {
    case 1:
      visits_ = walk_with<1>(*this, bottom_, receive, control, threads);
      break;
    case 2:
      visits_ = walk_with<2>(*this, bottom_, receive, control, threads);
      break;
    case 4:
      visits_ = walk_with<4>(*this, bottom_, receive, control, threads);
      break;
    case 8:
      visits_ = walk_with<8>(*this, bottom_, receive, control, threads);
      break;
    case 16:
      visits_ = walk_with<16>(*this, bottom_, receive, control, threads);
      break;
    case 32:
      visits_ = walk_with<32>(*this, bottom_, receive, control, threads);
      break;
    default:
      throw std::logic_error("Lattice::walk: channels must be a power of two up to 32");
  }
  return !control.is_stopped();
}

}  // namespace qnml
